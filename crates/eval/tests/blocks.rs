//! Tests the labels of runs on real pages: the gold of `zh_portals` gives a selector of the node
//! that holds the content.
#![expect(clippy::print_stdout, reason = "a test says what it compared")]

use huller_eval::blocks::{BlockScores, GoldLabels};
use huller_extract::{Profile, Selection, find};
use huller_page::{AttributeName, Page, PageBuf};
use huller_testkit::{datasets, needs_shared, shared};
use std::collections::HashMap;

/// The first node of a selector `#id` or `.class`.
fn selected(page: &Page<'_>, selector: &str) -> Option<usize> {
    let (kind, name) = selector.split_at(1);
    page.nodes().iter().position(|node| match kind {
        "#" => page.attribute(node, AttributeName::Id) == Some(name),
        "." => page
            .attribute(node, AttributeName::Class)
            .is_some_and(|classes| classes.split_ascii_whitespace().any(|class| class == name)),
        _ => false,
    })
}

needs_shared!(the_gold_node_of_real_pages_is_found_run_by_run);

fn the_gold_node_of_real_pages_is_found_run_by_run() {
    let gold = std::fs::File::open(shared::path("datasets/dev/zh_portals.gold.jsonl.zst"));
    let gold = zstd::decode_all(gold.expect("the gold opens")).expect("the gold is zstd");
    let bodies: HashMap<_, _> =
        datasets::pages("zh_portals").map(|page| (page.id, page.html)).collect();
    let (mut page_buffer, mut gold_buffer) = (PageBuf::new(), PageBuf::new());
    let mut selection = Selection::default();
    let names = ["pvalue", "body"];
    let mut workers = names.map(|name| find(name).expect("an extractor").worker(Profile::Tuned));
    // F1 is averaged over pages, because one page has ten times as much text as all others
    // together.
    let mut sums = [(0.0, 0.0); 2];
    let (mut pages, mut exact) = (0, 0);
    for line in gold.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let row: serde_json::Value = serde_json::from_slice(line).expect("a row of gold");
        let id = row["warc_record_id"].as_str().expect("an id");
        // This test does not decode GBK, so it skips pages in that encoding.
        let Ok(html) = std::str::from_utf8(&bodies[id]) else { continue };
        let page = page_buffer.fill(html);
        let Some(node) = row["gold_selector"].as_str().and_then(|name| selected(&page, name))
        else {
            continue;
        };
        pages += 1;
        let node = &page.nodes()[node];
        let gold = GoldLabels::compute(&page, &gold_buffer.fill(page.node_source(node)));
        let truth = |run: usize| node.runs().contains(&run);
        exact += i32::from(
            gold.unmatched == 0
                && gold
                    .labels
                    .iter()
                    .enumerate()
                    .all(|(run, label)| label.is_none_or(|label| label == truth(run))),
        );
        for (worker, sums) in workers.iter_mut().zip(&mut sums) {
            worker.extract(&page, &mut selection);
            let scores = BlockScores::compute(&page, &gold, &selection);
            sums.0 += scores.runs.f1().expect("the gold has runs");
            sums.1 += scores.scalars.f1().expect("the gold has scalars");
        }
    }
    println!("{pages} pages, {exact} exact; mean F1 by runs and by scalars:");
    for (name, (runs, scalars)) in names.iter().zip(sums) {
        println!("{}: {:.3} {:.3}", name, runs / f64::from(pages), scalars / f64::from(pages));
    }
    assert!(pages >= 10, "{pages}");
    assert_eq!(exact, pages);
    let [pvalue, body] = sums.map(|sum| sum.1 / f64::from(pages));
    assert!(pvalue > 0.8 && pvalue > body + 0.2, "{pvalue} {body}");
}
