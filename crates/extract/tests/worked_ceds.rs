//! The worked examples of the specification for CEDS.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../../page/tests/support/shared.rs"]
mod shared;

use huller_extract::ceds::threshold::{Variance, find as find_threshold, mean};
use huller_extract::ceds::{Block, Root, blocks};
use huller_extract::{Profile, Renderer, Scratch, Selection, find};
use huller_page::{AttributeName, Page, PageBuf};
use serde_json::Value;
use shared::shared_file;

/// A worked example, `None` (with a line saying so) where the project's test inputs are absent.
fn example(id: &str) -> Option<Value> {
    let path = shared_file(&format!("spec/examples/{id}.json"))?;
    Some(serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
}

fn root_name(page: &Page<'_>, block: &Block) -> String {
    match block.root {
        Root::Run(run) => page.run_source(&page.runs()[run as usize]).to_owned(),
        Root::Node(node) => {
            let node = &page.nodes()[node as usize];
            page.attribute(node, AttributeName::Id)
                .map_or_else(|| node.tag.name().to_owned(), |id| format!("#{id}"))
        }
    }
}

fn assert_close(got: f64, expected: &Value, tolerance: f64, what: &str) {
    let expected = expected.as_f64().unwrap();
    assert!(
        (got - expected).abs() <= tolerance * expected.abs().max(1.0),
        "{what}: {got}, not {expected}"
    );
}

#[test]
fn ceds_gives_the_worked_results() {
    for id in ["ceds-1", "ceds-2"] {
        let Some(example) = example(id) else { return };
        let (expected, tolerance) = (&example["expected"], example["tolerance"].as_f64().unwrap());
        let mut buffer = PageBuf::new();
        let page = buffer.fill(example["html"].as_str().unwrap());
        let blocks = blocks(&page, Profile::Paper);
        let wanted = expected["blocks"].as_array().unwrap();
        assert_eq!(blocks.len(), wanted.len(), "{id}: number of blocks");
        for (block, values) in blocks.iter().zip(wanted) {
            let root = root_name(&page, block);
            assert_eq!(root, values["root"].as_str().unwrap(), "{id}");
            for (got, name) in [
                (block.leaves, "leaves"),
                (block.unlinked, "num"),
                (block.text_links, "textLinks"),
                (block.image_links, "imgLinks"),
                (u32::from(block.typical_level), "typical"),
            ] {
                assert_eq!(
                    u64::from(got),
                    values[name].as_u64().unwrap(),
                    "{id}: {name} of {root}"
                );
            }
            assert_close(
                block.importance,
                &values["CI"],
                tolerance,
                &format!("{id}: CI of {root}"),
            );
        }

        let importances: Vec<f64> = blocks.iter().map(|block| block.importance).collect();
        let threshold = find_threshold(&importances, Variance::ClassMeans).unwrap();
        assert_close(mean(&importances), &expected["mu"], tolerance, "mu");
        assert_close(threshold.tau, &expected["tau"], tolerance, "tau");
        assert_close(threshold.variance, &expected["variance"], tolerance, "variance");
        let epsilon = f64::from(10 + threshold.step) / 10.0;
        assert_close(epsilon, &expected["epsilon"], tolerance, "epsilon");
        let content: Vec<String> = blocks
            .iter()
            .filter(|block| block.importance > threshold.tau)
            .map(|block| root_name(&page, block))
            .collect();
        assert_eq!(Value::from(content), expected["content"], "{id}: content");

        let mut selection = Selection::default();
        let extractor = find("ceds").unwrap().profile(Profile::Paper);
        let verdict = extractor.extract(&page, &mut Scratch::default(), &mut selection);
        assert_close(verdict.score.unwrap(), &expected["variance"], tolerance, "score");
        let mut text = String::new();
        Renderer::default().text(&page, &selection, &mut text);
        assert_eq!(text, expected["text"].as_str().unwrap(), "{id}: text");
        let noise = expected["noise"].as_array().unwrap();
        assert_eq!(selection.is_partial, !noise.is_empty(), "{id}: noise");
        for wanted in noise {
            let run = page.runs().iter().find(|run| *wanted == page.run_source(run)).unwrap();
            let is_kept = selection.stretches.iter().any(|piece| piece.start == run.byte_start);
            assert!(!is_kept, "{id}: {wanted} is noise");
        }
    }
}

#[test]
fn the_threshold_gives_the_worked_results() {
    let Some(example) = example("ceds-threshold") else { return };
    let (expected, tolerance) = (&example["expected"], example["tolerance"].as_f64().unwrap());
    let values: Vec<f64> =
        expected["xs"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    assert_close(mean(&values), &expected["mu"], tolerance, "mu");
    for (variance, name) in [(Variance::ClassMeans, "classmeans"), (Variance::Otsu, "otsu")] {
        let threshold = find_threshold(&values, variance).unwrap();
        let expected = &expected[name];
        let epsilon = f64::from(10 + threshold.step) / 10.0;
        assert_close(epsilon, &expected["epsilon"], tolerance, name);
        assert_close(threshold.tau, &expected["tau"], tolerance, name);
        assert_close(threshold.variance, &expected["variance"], tolerance, name);
    }
}
