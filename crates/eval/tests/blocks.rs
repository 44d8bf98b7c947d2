//! Labels of runs on real pages: the gold of `zh_portals` names the node that holds the content by a selector.

use huller_eval::blocks::{BlockScores, GoldLabels};
use huller_extract::{Profile, Scratch, Selection, find};
use huller_page::{AttributeName, Page, PageBuf};
use std::collections::HashMap;
use std::path::PathBuf;

/// A file of the project's test inputs, in `HULLER_SHARED` or `../shared`; `None` where it is absent.
fn shared(part: &str) -> Option<PathBuf> {
    let root = std::env::var_os("HULLER_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    Some(root.join(part)).filter(|path| path.exists())
}

fn inflated(part: &str) -> Option<Vec<u8>> {
    let file = std::fs::File::open(shared(part)?).expect("the data set opens");
    Some(zstd::decode_all(file).expect("the data set is zstd"))
}

/// The bodies of the responses by record id. The headers of these files are known to be plain.
fn bodies(warc: &[u8]) -> HashMap<String, &[u8]> {
    let mut bodies = HashMap::new();
    let mut rest = warc;
    while let Some(end) = rest.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
        let header = std::str::from_utf8(&rest[..end]).expect("a header is text");
        let field = |name: &str| header.lines().find_map(|line| line.strip_prefix(name));
        let length: usize = field("Content-Length: ").expect("a length").parse().expect("a number");
        let block = &rest[end + 4..][..length];
        if field("WARC-Type: ") == Some("response") {
            let body = block.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("a head") + 4;
            bodies.insert(field("WARC-Record-ID: ").expect("an id").to_owned(), &block[body..]);
        }
        rest = &rest[end + 4 + length..];
        rest = rest.strip_prefix(b"\r\n\r\n").expect("the end of a record");
    }
    bodies
}

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

#[test]
fn the_gold_node_of_real_pages_is_found_run_by_run() {
    let (Some(warc), Some(gold)) = (
        inflated("datasets/dev/zh_portals.warc.zst"),
        inflated("datasets/dev/zh_portals.gold.jsonl.zst"),
    ) else {
        println!("skipped: the data sets are not here (set HULLER_SHARED)");
        return;
    };
    let bodies = bodies(&warc);
    let (mut page_buffer, mut gold_buffer) = (PageBuf::new(), PageBuf::new());
    let (mut scratch, mut selection) = (Scratch::default(), Selection::default());
    let methods = ["pvalue", "body"].map(|name| find(name).expect("a method"));
    // Sums of the F1 of pages: one of them has ten times the text of all others together.
    let mut sums = [(0.0, 0.0); 2];
    let (mut pages, mut exact) = (0, 0);
    for line in gold.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let row: serde_json::Value = serde_json::from_slice(line).expect("a row of gold");
        let id = row["warc_record_id"].as_str().expect("an id");
        // Pages in GBK are left to the reader of archives.
        let Ok(html) = std::str::from_utf8(bodies[id]) else { continue };
        let page = page_buffer.fill(html);
        let Some(node) = row["gold_selector"].as_str().and_then(|name| selected(&page, name))
        else {
            continue;
        };
        pages += 1;
        let node = &page.nodes()[node];
        let gold = GoldLabels::of(&page, &gold_buffer.fill(page.node_source(node)));
        let truth = |run: usize| node.runs().contains(&run);
        exact += i32::from(
            gold.unmatched == 0
                && gold
                    .labels
                    .iter()
                    .enumerate()
                    .all(|(run, label)| label.is_none_or(|label| label == truth(run))),
        );
        for (method, sums) in methods.iter().zip(&mut sums) {
            method.profile(Profile::Tuned).extract(&page, &mut scratch, &mut selection);
            let scores = BlockScores::of(&page, &gold, &selection);
            sums.0 += scores.runs.f1().expect("the gold has runs");
            sums.1 += scores.scalars.f1().expect("the gold has scalars");
        }
    }
    println!("{pages} pages, {exact} exact; mean F1 by runs and by scalars:");
    for (method, (runs, scalars)) in methods.iter().zip(sums) {
        println!(
            "{}: {:.3} {:.3}",
            method.name,
            runs / f64::from(pages),
            scalars / f64::from(pages)
        );
    }
    assert!(pages >= 10, "{pages}");
    assert_eq!(exact, pages);
    let [pvalue, body] = sums.map(|sum| sum.1 / f64::from(pages));
    assert!(pvalue > 0.8 && pvalue > body + 0.2, "{pvalue} {body}");
}
