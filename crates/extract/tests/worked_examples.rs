//! The worked examples of the specification, for every method that is here.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test that cannot go on fails, one that is skipped says so"
)]

use huller_extract::{Profile, Renderer, Scratch, Selection, find};
use huller_page::{AttributeName, Node, Page, PageBuf};
use serde_json::Value;
use std::path::PathBuf;

/// The folder with the project's test inputs, `None` (with a line saying so) where it is absent.
fn shared(part: &str) -> Option<PathBuf> {
    let root = std::env::var_os("HULLER_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let path = root.join(part);
    if !path.exists() {
        eprintln!("skipped: {} is not here (set HULLER_SHARED)", path.display());
        return None;
    }
    Some(path)
}

fn name(page: &Page<'_>, node: &Node) -> String {
    page.attribute(node, AttributeName::Id)
        .map_or_else(|| node.tag.name().to_owned(), |id| format!("#{id}"))
}

fn close(got: f64, expected: &Value, tolerance: f64) -> bool {
    let expected = expected.as_f64().unwrap();
    (got - expected).abs() <= tolerance * expected.abs().max(1.0)
}

#[test]
fn pvalue_gives_the_worked_results() {
    let Some(folder) = shared("spec/examples") else { return };
    for id in ["pv-1", "pv-2", "pv-3"] {
        let example = std::fs::read_to_string(folder.join(format!("{id}.json"))).unwrap();
        let example: Value = serde_json::from_str(&example).unwrap();
        let (expected, tolerance) = (&example["expected"], example["tolerance"].as_f64().unwrap());
        let mut buffer = PageBuf::new();
        let page = buffer.fill(example["html"].as_str().unwrap());
        let mut selection = Selection::default();
        let extractor = find("pvalue").unwrap().profile(Profile::Paper);
        let verdict = extractor.extract(&page, &mut Scratch::default(), &mut selection);

        let selected = selection.nodes(&page).next().map(|node| name(&page, node));
        assert_eq!(selected.as_deref(), expected["selected"].as_str(), "{id}: selected");
        assert!(close(verdict.score.unwrap(), &expected["page_P"], tolerance), "{id}: page P");
        assert_eq!(verdict.has_article, expected["has_main_text"].as_bool(), "{id}: judgement");
        let mut text = String::new();
        Renderer::default().text(&page, &selection, &mut text);
        assert_eq!(text, expected["text"].as_str().unwrap(), "{id}: text");
        for (wanted, values) in expected["nodes"].as_object().unwrap() {
            let lengths = huller_extract::pvalue::lengths(&page, Profile::Paper);
            let at =
                lengths.iter().find(|l| name(&page, &page.nodes()[l.node as usize]) == *wanted);
            let at = at.unwrap_or_else(|| panic!("{id}: {wanted} is no candidate"));
            let page_unlinked = expected["LVT"].as_u64().unwrap() as u32;
            assert_eq!(u64::from(at.text), values["lt"].as_u64().unwrap(), "{id}: lt of {wanted}");
            assert_eq!(
                u64::from(at.unlinked),
                values["lvt"].as_u64().unwrap(),
                "{id}: lvt of {wanted}"
            );
            assert_eq!(u64::from(at.total), values["ls"].as_u64().unwrap(), "{id}: ls of {wanted}");
            assert!(close(at.p(page_unlinked), &values["P"], tolerance), "{id}: P of {wanted}");
        }
    }
}
