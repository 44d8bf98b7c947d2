//! The worked examples of the specification for the methods that work on tokens.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../../page/tests/support/shared.rs"]
mod shared;

use huller_extract::ccb::{self, Blur};
use huller_extract::{Extractor, Profile, Renderer, Scratch, Selection, Verdict, find};
use huller_page::PageBuf;
use serde_json::Value;
use shared::shared_file;

/// A worked example, `None` (with a line saying so) where the project's test inputs are absent.
fn example(id: &str) -> Option<Value> {
    let path = shared_file(&format!("spec/examples/{id}.json"))?;
    Some(serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
}

/// What an extractor says of an example, and the words it selects.
fn extract(example: &Value, extractor: &dyn Extractor) -> (Verdict, String) {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(example["html"].as_str().unwrap());
    let mut selection = Selection::default();
    let verdict = extractor.extract(&page, &mut Scratch::default(), &mut selection);
    let mut text = String::new();
    Renderer::default().text(&page, &selection, &mut text);
    (verdict, text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn is_close(got: f64, expected: &Value, tolerance: f64) -> bool {
    let expected = expected.as_f64().unwrap();
    (got - expected).abs() <= tolerance * expected.abs().max(1.0)
}

#[test]
fn mss_gives_the_worked_results() {
    let Some(example) = example("mss-1") else { return };
    let (expected, tolerance) = (&example["expected"], example["tolerance"].as_f64().unwrap());
    let (verdict, words) = extract(&example, find("mss").unwrap().profile(Profile::Paper));
    assert!(is_close(verdict.score.unwrap(), &expected["best"], tolerance));
    assert_eq!(words, expected["words"].as_str().unwrap());
}

#[test]
fn ccb_gives_the_worked_results() {
    let Some(example) = example("ccb-1") else { return };
    let (expected, params) = (&example["expected"], &example["params"]);
    let tolerance = example["tolerance"].as_f64().unwrap();
    let blur = Blur {
        radius: params["radius"].as_u64().unwrap() as usize,
        rounds: params["rounds"].as_u64().unwrap() as usize,
        threshold: params["threshold"].as_f64().unwrap(),
    };
    let mut buffer = PageBuf::new();
    let page = buffer.fill(example["html"].as_str().unwrap());
    let values = ccb::values(&page, blur);
    let wanted = expected["values"].as_array().unwrap();
    assert_eq!(values.len(), wanted.len());
    for (at, (value, wanted)) in values.iter().zip(wanted).enumerate() {
        assert!(is_close(*value, wanted, tolerance), "token {at}: {value}, not {wanted}");
    }
    let (_, words) = extract(&example, &ccb::with(blur));
    assert_eq!(words, expected["words"].as_str().unwrap());
}
