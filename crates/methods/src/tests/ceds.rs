//! CEDS: blocks, threshold, noise.

use super::examples::{Example, extract, name, worked};
use crate::ceds::inspect::{blocks_by, with_params};
use crate::ceds::threshold::{Threshold, Variance, find_threshold, mean};
use crate::ceds::{BlockRoot, FusedBlock};
use huller_page::{Page, PageBuf};
use huller_select::Worker;
use serde_json::Value;

worked!(ceds_gives_the_worked_results, "ceds", check_ceds);
worked!(the_threshold_gives_the_worked_results, "ceds_threshold", check_threshold);

fn root_name(page: &Page<'_>, block: &FusedBlock) -> String {
    match block.root {
        BlockRoot::Run(run) => page.run_source(&page.runs()[run as usize]).to_owned(),
        BlockRoot::Node(node) => name(page, &page.nodes()[node as usize]),
    }
}

fn assert_threshold(example: &Example, threshold: &Threshold, expected: &Value) {
    let epsilon = f64::from(10 + threshold.step) / 10.0;
    example.assert_close(epsilon, &expected["epsilon"], "epsilon");
    example.assert_close(threshold.tau, &expected["tau"], "tau");
    example.assert_close(threshold.variance, &expected["variance"], "variance");
}

fn check_ceds(example: &Example) {
    let (id, expected) = (example.id(), example.expected());
    let mut buffer = PageBuf::new();
    let page = buffer.fill(example.html());
    let extractor = with_params(example.params());
    let blocks = blocks_by(&page, &extractor);
    let wanted = expected["blocks"].as_array().unwrap();
    assert_eq!(blocks.len(), wanted.len(), "{id}: number of blocks");
    for (block, values) in blocks.iter().zip(wanted) {
        let root = root_name(&page, block);
        assert_eq!(root, values["root"].as_str().unwrap(), "{id}");
        for (got, quantity) in [
            (block.leaves, "leaves"),
            (block.unlinked, "num"),
            (block.text_links, "textLinks"),
            (block.image_links, "imgLinks"),
            (u32::from(block.typical_level), "typical"),
        ] {
            let expected = values[quantity].as_u64().unwrap();
            assert_eq!(u64::from(got), expected, "{id}: {quantity} of {root}");
        }
        example.assert_close(block.importance, &values["CI"], &format!("CI of {root}"));
    }

    let importances: Vec<f64> = blocks.iter().map(|block| block.importance).collect();
    let threshold = find_threshold(&importances, extractor.variance()).unwrap();
    example.assert_close(mean(&importances), &expected["mu"], "mu");
    assert_threshold(example, &threshold, expected);
    let content = blocks.iter().filter(|block| block.importance > threshold.tau);
    let content: Vec<String> = content.map(|block| root_name(&page, block)).collect();
    assert_eq!(Value::from(content), expected["content"], "{id}: content");

    let (selection, verdict, text) = extract(example.html(), &mut Worker::new(extractor));
    example.assert_close(verdict.score.unwrap(), &expected["variance"], "score");
    assert_eq!(text, example.text(), "{id}: text");
    let noise = expected["noise"].as_array().unwrap();
    assert_eq!(selection.is_partial, !noise.is_empty(), "{id}: noise");
    for wanted in noise {
        let run = page.runs().iter().find(|run| *wanted == page.run_source(run)).unwrap();
        let is_kept = selection.ranges.iter().any(|piece| piece.start == run.byte_start);
        assert!(!is_kept, "{id}: {wanted} is noise");
    }
}

fn check_threshold(example: &Example) {
    let expected = example.expected();
    let values = expected["xs"].as_array().unwrap();
    let values: Vec<f64> = values.iter().map(|x| x.as_f64().unwrap()).collect();
    example.assert_close(mean(&values), &expected["mu"], "mu");
    for (variance, name) in [(Variance::ClassMeans, "classmeans"), (Variance::Otsu, "otsu")] {
        assert_threshold(example, &find_threshold(&values, variance).unwrap(), &expected[name]);
    }
}
