//! Compares the statements of crawled pages with the `meta` elements and links of html5ever's tree.
#![expect(clippy::print_stderr, reason = "a test says what it compared")]

use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, parse_document};
use huller_page::PageBuf;
use huller_rights::{EvidenceLocation, PageRights, Signal, Source, read_statements};
use huller_testkit::datasets::each_text;
use huller_testkit::needs_shared;
use markup5ever_rcdom::{NodeData, RcDom};
use std::collections::BTreeMap;

needs_shared!(statements_are_those_of_the_elements_in_the_tree_of_html5ever);

/// The words that refuse a use in a `meta` element for robots.
const REFUSING_WORDS: [&str; 7] =
    ["noindex", "none", "noai", "noimageai", "nosnippet", "noarchive", "nocache"];

/// Returns the refusals for all robots, and the number of links to licences.
fn of_tree(html: &str) -> (Vec<String>, usize) {
    let dom = parse_document(RcDom::default(), ParseOpts::default()).one(html);
    let (mut words, mut licenses) = (Vec::new(), 0);
    let mut open = vec![dom.document.clone()];
    while let Some(node) = open.pop() {
        if let NodeData::Element { name, attrs, .. } = &node.data {
            let attrs = attrs.borrow();
            let value = |name: &str| {
                let found = attrs.iter().find(|attribute| &*attribute.name.local == name);
                found.map(|attribute| attribute.value.trim().to_ascii_lowercase())
            };
            match &*name.local {
                "meta" if value("name").as_deref() == Some("robots") => {
                    let content = value("content").unwrap_or_default();
                    let all = content.split([',', ';', ' ', '\n', '\t']);
                    words.extend(
                        all.filter(|word| REFUSING_WORDS.contains(word)).map(str::to_owned),
                    );
                }
                "a" | "area" | "link" => {
                    let relations = value("rel").unwrap_or_default();
                    let is_license = relations.split_ascii_whitespace().any(|rel| rel == "license");
                    let has_target = value("href").is_some_and(|target| !target.is_empty());
                    licenses += usize::from(is_license && has_target);
                }
                _ => {}
            }
        }
        open.extend(node.children.borrow().iter().cloned());
    }
    words.sort();
    words.dedup();
    (words, licenses)
}

fn statements_are_those_of_the_elements_in_the_tree_of_html5ever() {
    let (mut buffer, mut rights) = (PageBuf::new(), PageRights::default());
    let (mut counts, mut with_license) = (BTreeMap::<String, usize>::new(), 0);
    let pages = each_text(1, |page| {
        rights.begin(EvidenceLocation::default());
        rights.page(&buffer.fill(&page.html));
        rights.finish();
        let statements = read_statements(rights.json()).expect("a list");
        let mut ours: Vec<_> = statements
            .iter()
            .filter(|found| found.source == Source::Meta && found.agent.is_none())
            .filter(|found| found.signal.refuses(&found.value))
            .map(|found| found.value.to_ascii_lowercase())
            .filter(|value| REFUSING_WORDS.contains(&value.as_str()))
            .collect();
        ours.sort();
        let links = statements
            .iter()
            .filter(|found| found.source == Source::Link && found.signal == Signal::License);
        let (theirs, licenses) = of_tree(&page.html);
        ours.dedup();
        assert_eq!(ours, theirs, "{}", page.label);
        // The list has each licence once.
        assert_eq!(links.count().min(1), licenses.min(1), "{}", page.label);
        for word in ours {
            *counts.entry(word).or_default() += 1;
        }
        with_license += licenses.min(1);
    });
    eprintln!("{pages} pages: {counts:?}, {with_license} with a licence");
    assert!(
        pages > 4000 && counts["noindex"] > 5 && counts["noarchive"] > 100 && with_license > 10
    );
}
