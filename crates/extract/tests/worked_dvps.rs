//! The worked examples of DVPS.

#![expect(
    clippy::float_cmp,
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "whole pixels are exact; a test that cannot go on fails, one that is skipped says so"
)]

use huller_extract::{Profile, Renderer, Scratch, Selection, dvps, find};
use huller_page::{AttributeName, Page, PageBuf};
use serde_json::Value;
use std::path::PathBuf;

/// An example, `None` (with a line saying so) where the examples are absent.
fn example(id: &str) -> Option<Value> {
    let root = std::env::var_os("HULLER_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let path = root.join("spec/examples").join(format!("{id}.json"));
    if !path.exists() {
        eprintln!("skipped: {} is not here (set HULLER_SHARED)", path.display());
        return None;
    }
    Some(serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
}

fn names(page: &Page<'_>, nodes: &[u32]) -> Vec<String> {
    let name = |at: &u32| {
        let node = &page.nodes()[*at as usize];
        page.attribute(node, AttributeName::Id)
            .map_or_else(|| node.tag.name().to_owned(), |id| format!("#{id}"))
    };
    nodes.iter().map(name).collect()
}

#[track_caller]
fn assert_close(got: f64, expected: &Value, example: &Value, what: &str) {
    let (expected, tolerance) =
        (expected.as_f64().unwrap(), example["tolerance"].as_f64().unwrap());
    let close = (got - expected).abs() <= tolerance * expected.abs().max(1.0);
    assert!(close, "{}: {what} is {got}, not {expected}", example["id"]);
}

fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    let numbers: Vec<_> = value.as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect();
    numbers.try_into().unwrap()
}

#[test]
fn the_formulas_give_the_worked_values() {
    let Some(example) = example("dvps-imp") else { return };
    let mut compared = 0;
    for case in example["expected"]["cases"].as_array().unwrap() {
        let number = |key: &str| case[key].as_u64().unwrap() as u32;
        if case["box"].is_array() {
            let got = dvps::spatial_importance(numbers(&case["box"]), numbers(&case["page"]));
            assert_close(got, &case["Imp_s"], &example, "Imp_s");
        } else {
            let block = ["U", "L", "tags"].map(number);
            let got = dvps::semantic_importance(block, ["page_nc", "page_tags"].map(number));
            assert_close(got, &case["Imp_y"], &example, "Imp_y");
        }
        compared += 1;
    }
    assert_eq!(compared, 3);
}

#[test]
fn the_pages_give_the_worked_results() {
    for id in ["dvps-1", "dvps-2"] {
        let Some(example) = example(id) else { return };
        let expected = &example["expected"];
        let mut buffer = PageBuf::new();
        let page = buffer.fill(example["html"].as_str().unwrap());
        let analysis = dvps::analyse(&page, Profile::Paper);

        assert_close(analysis.page_height, &expected["page_height"], &example, "page height");
        assert_close(analysis.lambda, &expected["lambda"], &example, "lambda");
        let verdicts: Vec<Value> = analysis
            .segments
            .iter()
            .map(|segment| {
                let name = names(&page, &[segment.node]).remove(0);
                match segment.kept {
                    Some(coherence) => serde_json::json!([name, "I", segment.rule, coherence]),
                    None => serde_json::json!([name, "D", segment.rule]),
                }
            })
            .collect();
        assert_eq!(Value::from(verdicts), expected["verdicts"], "{id}: verdicts");
        let separators = expected["separators"].as_array().unwrap();
        assert_eq!(analysis.separators.len(), separators.len(), "{id}: separators");
        for (got, expected) in analysis.separators.iter().zip(separators) {
            assert_close(*got, expected, &example, "separator");
        }

        let blocks = expected["blocks"].as_array().unwrap();
        assert_eq!(analysis.blocks.len(), blocks.len(), "{id}: blocks");
        for (got, expected) in analysis.blocks.iter().zip(blocks) {
            assert_eq!(Value::from(names(&page, &got.nodes)), expected["names"], "{id}");
            assert_eq!(serde_json::json!(got.coherence), expected["doc"], "{id}");
            assert_eq!(Value::from(got.chars), expected["U"], "{id}");
            assert_eq!(Value::from(got.linked_chars), expected["L"], "{id}");
            assert_eq!(Value::from(got.tags), expected["tags"], "{id}");
            assert_eq!(got.rect, numbers(&expected["box"]), "{id}");
            for (got, key) in
                [(got.spatial, "Imp_s"), (got.semantic, "Imp_y"), (got.importance, "Imp")]
            {
                if !expected[key].is_null() {
                    assert_close(got, &expected[key], &example, key);
                }
            }
        }
        let selected = analysis.blocks.iter().filter(|block| block.is_selected);
        let selected: Vec<_> = selected.flat_map(|block| names(&page, &block.nodes)).collect();
        assert_eq!(Value::from(selected), expected["selected"], "{id}: selected");

        let mut selection = Selection::default();
        let method = find("dvps").unwrap().profile(Profile::Paper);
        method.extract(&page, &mut Scratch::default(), &mut selection);
        let mut text = String::new();
        Renderer::default().text(&page, &selection, &mut text);
        assert_eq!(text, expected["text"].as_str().unwrap(), "{id}: text");
    }
}
