//! The worked examples of the specification, for every method that is here.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test that cannot go on fails, one that is skipped says so"
)]

use huller_extract::{Profile, Renderer, Scratch, Selection, Verdict, cetd, find, tsd};
use huller_page::{AttributeName, Node, Page, PageBuf};
use serde_json::Value;
use std::path::{Path, PathBuf};

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

/// The example of that name.
fn example(folder: &Path, id: &str) -> Value {
    let example = std::fs::read_to_string(folder.join(format!("{id}.json"))).unwrap();
    serde_json::from_str(&example).unwrap()
}

/// The selected node and the text.
fn extracted(page: &Page<'_>, method: &str) -> (Option<String>, String, Verdict) {
    let mut selection = Selection::default();
    let extractor = find(method).unwrap().profile(Profile::Paper);
    let verdict = extractor.extract(page, &mut Scratch::default(), &mut selection);
    let mut text = String::new();
    Renderer::default().text(page, &selection, &mut text);
    (selection.nodes(page).next().map(|node| name(page, node)), text, verdict)
}

#[test]
fn pvalue_gives_the_worked_results() {
    let Some(folder) = shared("spec/examples") else { return };
    for id in ["pv-1", "pv-2", "pv-3"] {
        let example = example(&folder, id);
        let (expected, tolerance) = (&example["expected"], example["tolerance"].as_f64().unwrap());
        let mut buffer = PageBuf::new();
        let page = buffer.fill(example["html"].as_str().unwrap());
        let (selected, text, verdict) = extracted(&page, "pvalue");
        assert_eq!(selected.as_deref(), expected["selected"].as_str(), "{id}: selected");
        assert!(close(verdict.score.unwrap(), &expected["page_P"], tolerance), "{id}: page P");
        assert_eq!(verdict.has_article, expected["has_main_text"].as_bool(), "{id}: judgement");
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

#[test]
fn tsd_gives_the_worked_results() {
    let Some(folder) = shared("spec/examples") else { return };
    for id in ["tsd-1", "tsd-2", "tsd-3", "tsd-4"] {
        let example = example(&folder, id);
        let (expected, tolerance) = (&example["expected"], example["tolerance"].as_f64().unwrap());
        let mut buffer = PageBuf::new();
        let page = buffer.fill(example["html"].as_str().unwrap());
        let (selected, text, verdict) = extracted(&page, "tsd");
        assert_eq!(selected.as_deref(), expected["selected"].as_str(), "{id}: selected");
        assert_eq!(text, expected["text"].as_str().unwrap(), "{id}: text");

        let (all, deviation) = tsd::densities(&page, Profile::Paper);
        assert!(close(deviation, &expected["sd"], tolerance), "{id}: SD {deviation}");
        for (wanted, values) in expected["nodes"].as_object().unwrap() {
            let at = all.iter().find(|d| name(&page, &page.nodes()[d.node as usize]) == *wanted);
            let at = at.unwrap_or_else(|| panic!("{id}: {wanted} is no element of the body"));
            for (quantity, value) in values.as_object().unwrap() {
                let got = match quantity.as_str() {
                    "T" => f64::from(at.text),
                    "LT" => f64::from(at.linked),
                    "TD" => at.text_density,
                    "SbD" => at.symbol_density,
                    "PNum" => f64::from(at.paragraphs),
                    "score" => at.score,
                    other => panic!("{id}: what is {other}?"),
                };
                assert!(close(got, value, tolerance), "{id}: {quantity} of {wanted} is {got}");
            }
            if Some(wanted.as_str()) == selected.as_deref() {
                let (score, page_score) = (at.score, verdict.score.unwrap());
                assert!((score - page_score).abs() <= tolerance * score, "{id}: page score");
            }
        }
    }
}

#[test]
fn cetd_gives_the_worked_results() {
    let Some(folder) = shared("spec/examples") else { return };
    let example = example(&folder, "cetd-1");
    let (expected, tolerance) = (&example["expected"], example["tolerance"].as_f64().unwrap());
    let mut buffer = PageBuf::new();
    let page = buffer.fill(example["html"].as_str().unwrap());
    let (all, best, threshold) = cetd::densities(&page, Profile::Paper);
    let of = |node: &u32| name(&page, &page.nodes()[*node as usize]);
    for (column, quantity) in
        [("density", (|d| d.density) as fn(&cetd::Densities) -> f64), ("density_sum", |d| d.sum)]
    {
        for (wanted, value) in expected[column].as_object().unwrap() {
            let at = all.iter().find(|d| of(&d.node) == *wanted).unwrap();
            assert!(close(quantity(at), value, tolerance), "{column} of {wanted}: {at:?}");
        }
    }
    assert_eq!(of(&best), expected["max"].as_str().unwrap());
    assert!(close(threshold, &expected["threshold"], tolerance), "threshold {threshold}");
}
