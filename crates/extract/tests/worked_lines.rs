//! The worked examples of the specification, for the methods that see lines.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test that cannot go on fails, one that is skipped says so"
)]

use huller_extract::{Profile, Renderer, Scratch, Selection, cetr, find, lineblock};
use huller_page::PageBuf;
use serde_json::Value;
use std::path::PathBuf;

/// An example, `None` (with a line saying so) where the project's test inputs are absent.
fn example(id: &str) -> Option<Value> {
    let root = std::env::var_os("HULLER_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let path = root.join("spec/examples").join(id).with_extension("json");
    if !path.exists() {
        eprintln!("skipped: {} is not here (set HULLER_SHARED)", path.display());
        return None;
    }
    Some(serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
}

fn numbers(values: &Value) -> Vec<f64> {
    values.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
}

fn assert_close(what: &str, got: &[f64], expected: &Value, tolerance: &Value) {
    let (expected, tolerance) = (numbers(expected), tolerance.as_f64().unwrap());
    assert_eq!(got.len(), expected.len(), "{what}");
    for (got, expected) in got.iter().zip(expected) {
        assert!((got - expected).abs() <= tolerance * expected.abs().max(1.0), "{what}: {got}");
    }
}

#[test]
fn cetr_gives_the_worked_numbers() {
    let Some(example) = example("cetr-num") else { return };
    let (expected, tolerance) = (&example["expected"], &example["tolerance"]);
    let (mut smoothed, mut derivative) = (Vec::new(), Vec::new());
    cetr::smooth(&numbers(&expected["tr"]), &mut smoothed);
    assert_close("smoothed", &smoothed, &expected["smoothed"], tolerance);
    cetr::derivative(&smoothed, &mut derivative);
    assert_close("derivative", &derivative, &expected["derivative"], tolerance);
}

#[test]
fn line_blocks_give_the_worked_segments() {
    let Some(example) = example("lineblock-1") else { return };
    let expected = &example["expected"];
    let mut buffer = PageBuf::new();
    let page = buffer.fill(example["html"].as_str().unwrap());
    let limit = example["params"]["threshold"].as_u64();
    let inside = lineblock::inside(&page, Profile::Paper, limit);
    let as_numbers = |value: &Value| -> Vec<u64> {
        value.as_array().unwrap().iter().map(|value| value.as_u64().unwrap()).collect()
    };
    let lengths: Vec<_> = inside.lengths.iter().copied().map(u64::from).collect();
    assert_eq!(lengths, as_numbers(&expected["lens"]));
    assert_eq!(inside.indices, as_numbers(&expected["index"]));
    let segments = expected["segments"].as_array().unwrap().iter().map(as_numbers);
    let got = inside.segments.iter().map(|(first, last)| vec![u64::from(*first), u64::from(*last)]);
    assert!(got.eq(segments), "{:?}", inside.segments);

    // By its own limit, 50, the segment begins a line later, as the first index is 24; that line is too short to count.
    let mut selection = Selection::default();
    let extractor = find("lineblock").unwrap().profile(Profile::Paper);
    extractor.extract(&page, &mut Scratch::default(), &mut selection);
    let mut text = String::new();
    Renderer::default().text(&page, &selection, &mut text);
    assert_eq!(text, expected["text"].as_str().unwrap());
}
