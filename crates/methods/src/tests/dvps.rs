//! DVPS: formulas, segments, separators, blocks.

#![expect(clippy::float_cmp, reason = "whole pixels are exact")]

use super::examples::{Example, extract, name, worked};
use crate::dvps::inspect;
use huller_page::{Page, PageBuf};
use huller_select::Worker;
use serde_json::{Value, json};

worked!(the_formulas_give_the_worked_values, "dvps_imp", check_formulas);
worked!(the_pages_give_the_worked_results, "dvps", check_page);

fn names(page: &Page<'_>, nodes: &[u32]) -> Vec<String> {
    nodes.iter().map(|at| name(page, &page.nodes()[*at as usize])).collect()
}

fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    let numbers: Vec<_> = value.as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect();
    numbers.try_into().unwrap()
}

fn check_formulas(example: &Example) {
    let cases = example.expected()["cases"].as_array().unwrap();
    assert!(cases.len() >= 3, "{}", example.id());
    for case in cases {
        let number = |key: &str| case[key].as_u64().unwrap() as u32;
        if case["box"].is_array() {
            let got = inspect::spatial_importance(numbers(&case["box"]), numbers(&case["page"]));
            example.assert_close(got, &case["Imp_s"], "Imp_s");
        } else {
            let block = ["U", "L", "tags"].map(number);
            let got = inspect::semantic_importance(block, ["page_nc", "page_tags"].map(number));
            example.assert_close(got, &case["Imp_y"], "Imp_y");
        }
    }
}

fn check_page(example: &Example) {
    let (id, expected) = (example.id(), example.expected());
    let mut buffer = PageBuf::new();
    let page = buffer.fill(example.html());
    let analysis = inspect::analyse_by(&page, &inspect::reference());

    example.assert_close(analysis.page_height, &expected["page_height"], "page height");
    example.assert_close(analysis.lambda, &expected["lambda"], "lambda");
    let verdicts = analysis.segments.iter().map(|segment| {
        let name = names(&page, &[segment.node]).remove(0);
        match segment.kept {
            Some(coherence) => json!([name, "I", segment.rule, coherence]),
            None => json!([name, "D", segment.rule]),
        }
    });
    assert_eq!(verdicts.collect::<Value>(), expected["verdicts"], "{id}: verdicts");
    example.assert_all_close(&analysis.separators, &expected["separators"], "separator");

    let blocks = expected["blocks"].as_array().unwrap();
    assert_eq!(analysis.blocks.len(), blocks.len(), "{id}: blocks");
    for (got, expected) in analysis.blocks.iter().zip(blocks) {
        assert_eq!(Value::from(names(&page, &got.nodes)), expected["names"], "{id}");
        assert_eq!(json!(got.coherence), expected["doc"], "{id}");
        assert_eq!(Value::from(got.chars), expected["U"], "{id}");
        assert_eq!(Value::from(got.linked_chars), expected["L"], "{id}");
        assert_eq!(Value::from(got.tags), expected["tags"], "{id}");
        assert_eq!(got.rect, numbers(&expected["box"]), "{id}");
        for (got, key) in [(got.spatial, "Imp_s"), (got.semantic, "Imp_y"), (got.importance, "Imp")]
        {
            if !expected[key].is_null() {
                example.assert_close(got, &expected[key], key);
            }
        }
    }
    let selected = analysis.blocks.iter().filter(|block| block.is_selected);
    let selected: Vec<_> = selected.flat_map(|block| names(&page, &block.nodes)).collect();
    assert_eq!(Value::from(selected), expected["selected"], "{id}: selected");

    let (_, _, text) = extract(example.html(), &mut Worker::new(inspect::reference()));
    assert_eq!(text, example.text(), "{id}: text");
}
