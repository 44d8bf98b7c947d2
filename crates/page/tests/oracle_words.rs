//! html5ever's tree as an oracle for the words of crawled pages, in order, with the ends of blocks.
//!
//! A normal run takes every eighth page of the shared data sets, one with `HULLER_FULL` set takes
//! all.
#![expect(clippy::print_stderr, reason = "a test says what it compared")]

mod support {
    pub(crate) mod alignment;
    pub(crate) mod visible;
}

use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};
use huller_page::{PageBuf, Tag};
use huller_testkit::datasets::each_text;
use huller_testkit::needs_shared;
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use support::alignment::{Alignment, align};
use support::visible::{VisibleText, is_unseen, of_page};

needs_shared!(the_words_are_those_of_the_tree_of_html5ever);

/// Pages that may differ in more than a hundredth of the words: data set and number, reason.
const KNOWN_DIFFERENCES: &[(&str, &str)] = &[];

fn step() -> usize {
    if std::env::var_os("HULLER_FULL").is_some() { 1 } else { 8 }
}

/// The visible text of the oracle's tree.
fn peer_text(html: &str) -> String {
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let dom = parse_document(RcDom::default(), ParseOpts { tree_builder, ..ParseOpts::default() })
        .one(html);
    let mut visible = VisibleText::default();
    // The depth of a page is no bound on our stack. What is to be done: a node, or the end of an
    // element.
    let mut open: Vec<Result<Handle, Tag>> = vec![Ok(dom.document.clone())];
    while let Some(next) = open.pop() {
        let node = match next {
            Ok(node) => node,
            Err(tag) => {
                visible.tag(tag);
                continue;
            }
        };
        match &node.data {
            NodeData::Text { contents } => visible.text(&contents.borrow()),
            NodeData::Element { name, .. } => {
                let tag = Tag::from_name(name.local.as_bytes());
                visible.tag(tag);
                if is_unseen(tag) {
                    continue;
                }
                open.push(Err(tag));
            }
            _ => {}
        }
        open.extend(node.children.borrow().iter().rev().cloned().map(Ok));
    }
    visible.finish()
}

fn the_words_are_those_of_the_tree_of_html5ever() {
    let mut buffer = PageBuf::new();
    let mut all = Alignment::default();
    let (mut equal, mut listed) = (0, 0);
    let mut off = Vec::new();
    let pages = each_text(step(), |page| {
        let (ours, peers) = (of_page(&buffer.fill(&page.html)), peer_text(&page.html));
        if ours == peers {
            equal += 1;
            all.add_equal(&ours);
            return;
        }
        let found = align(&ours, &peers);
        let is_off = found.lacking * 100 > found.peers || found.extra * 100 > found.peers;
        if KNOWN_DIFFERENCES.iter().any(|(label, _)| *label == page.label) {
            listed += 1;
        } else {
            if is_off || std::env::var_os("HULLER_SHOW").is_some() {
                off.push(format!("{}: {found}", page.label));
            }
            all.add(&found);
        }
    });
    eprintln!(
        "words: {pages} pages, {equal} equal, {listed} known to differ; the others together: {all}\n{}",
        off.join("\n")
    );
    assert!(pages > 500, "only {pages} pages found");
    assert!(off.is_empty(), "{} pages are off", off.len());
    assert!((all.lacking + all.extra) * 1_000 <= all.peers, "more than 0.1 % of the words differ");
    assert!(all.misjoined * 20_000 <= all.peers, "too many words are glued or split");
}
