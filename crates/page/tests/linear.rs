//! Attacks end, soon, with as many nodes and runs as they have tags and texts, and the text around
//! them is found.
//!
//! How the work grows with the size of the page is counted in instructions by
//! `scripts/lab/run linear`.

use huller_page::{Page, PageBuf};
use huller_testkit::attack::shapes::{GOOD_TEXT, HIDDEN_TEXT, SHAPES};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

const PAGE_BYTES: usize = 200_000;
/// The deepest level: elements at the cap hold all that is deeper.
const MAX_DEPTH: u16 = 513;
/// For all attacks together; only a hang takes so long.
const PATIENCE: Duration = Duration::from_mins(1);

#[test]
fn attacks_leave_no_more_than_their_tags_and_texts() {
    within_patience(|current| {
        let mut buffer = PageBuf::new();
        for shape in SHAPES {
            current(shape.name);
            let (once, twice) = (shape.page(PAGE_BYTES), shape.page(2 * PAGE_BYTES));
            let (nodes, runs) = check(shape.name, &buffer.fill(&once));
            let (nodes_twice, runs_twice) = check(shape.name, &buffer.fill(&twice));
            // What stands around the attack does not grow.
            assert!(
                nodes_twice <= 2 * nodes + 2,
                "{}: {nodes}, then {nodes_twice} nodes",
                shape.name
            );
            assert!(runs_twice <= 2 * runs + 2, "{}: {runs}, then {runs_twice} runs", shape.name);
        }
    });
}

#[test]
fn pages_that_hold_next_to_nothing_are_pages() {
    let mut buffer = PageBuf::new();
    for html in [
        "",
        " ",
        "<",
        "</",
        "<!",
        "<?",
        "&",
        "\0",
        "\u{feff}",
        "<!DOCTYPE html>",
        "<a",
        "<a ",
        "<a b",
        "<a b=",
        "<a b='",
        "</a",
    ] {
        let page = buffer.fill(html);
        assert_eq!(page.nodes().len(), 2, "{html:?}");
        assert!(page.runs().len() <= 1, "{html:?}");
    }
}

/// Nodes and runs of the page of an attack.
fn check(name: &str, page: &Page<'_>) -> (usize, usize) {
    let (nodes, runs, html) = (page.nodes(), page.runs(), page.html());
    let markup = html.bytes().filter(|b| *b == b'<').count();
    assert!(nodes.len() <= 2 + markup, "{name}: {} nodes for {markup} `<`", nodes.len());
    assert!(runs.len() <= 1 + markup, "{name}: {} runs for {markup} `<`", runs.len());
    assert!(nodes.iter().all(|node| node.level <= MAX_DEPTH), "{name}: deeper than {MAX_DEPTH}");
    let shows = |text: &str| runs.iter().any(|run| page.run_source(run).contains(text));
    assert!(
        !html.contains(GOOD_TEXT) || shows(GOOD_TEXT),
        "{name}: the text around the attack is lost"
    );
    assert!(!shows(HIDDEN_TEXT), "{name}: hidden text is shown");
    (nodes.len(), runs.len())
}

/// Runs `work` on a thread of its own and fails when it hangs, saying in which attack. `work` names
/// each before it begins.
fn within_patience(work: impl FnOnce(&dyn Fn(&'static str)) + Send + 'static) {
    let (report, reports) = channel();
    let worker =
        std::thread::spawn(move || work(&|name| report.send(name).expect("the watchdog waits")));
    let mut current = "nothing";
    loop {
        match reports.recv_timeout(PATIENCE) {
            Ok(name) => current = name,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                panic!("{current}: still running after {} s", PATIENCE.as_secs())
            }
        }
    }
    if let Err(panic) = worker.join() {
        std::panic::resume_unwind(panic);
    }
}
