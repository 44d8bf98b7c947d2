//! Finds the worked examples, and compares results with the values they expect.

use huller_page::{AttributeName, Node, Page, PageBuf};
use huller_select::{Extractor, Renderer, Selection, Verdict};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A worked example: a page, and the values that an extractor must give for it.
pub(super) struct Example {
    value: Value,
}

impl Example {
    /// Its identifier, for messages.
    pub(super) fn id(&self) -> &str {
        self.value["id"].as_str().unwrap()
    }

    /// The source of the page.
    pub(super) fn html(&self) -> &str {
        self.value["html"].as_str().unwrap()
    }

    /// Settings that depart from profile `paper`.
    pub(super) fn params(&self) -> &Value {
        &self.value["params"]
    }

    /// The expected values.
    pub(super) fn expected(&self) -> &Value {
        &self.value["expected"]
    }

    /// The text that must be selected.
    pub(super) fn text(&self) -> &str {
        self.expected()["text"].as_str().unwrap()
    }

    /// Fails unless a number equals the expected one, up to the tolerance of the example.
    #[track_caller]
    pub(super) fn assert_close(&self, got: f64, expected: &Value, what: &str) {
        let tolerance = self.value["tolerance"].as_f64().unwrap();
        let expected = expected.as_f64().unwrap();
        let is_close = (got - expected).abs() <= tolerance * expected.abs().max(1.0);
        assert!(is_close, "{}: {what} is {got}, not {expected}", self.id());
    }

    /// [`Example::assert_close`] for a sequence of numbers.
    #[track_caller]
    pub(super) fn assert_all_close(&self, got: &[f64], expected: &Value, what: &str) {
        let expected = expected.as_array().unwrap();
        assert_eq!(got.len(), expected.len(), "{}: {what}", self.id());
        for (got, expected) in got.iter().zip(expected) {
            self.assert_close(*got, expected, what);
        }
    }
}

/// Checks every example of an algorithm in this crate's folder.
pub(super) fn check_ours(algorithm: &str, check: impl Fn(&Example)) {
    check_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/examples"), algorithm, check);
}

/// Checks every example of an algorithm among the project's shared files.
pub(super) fn check_shared(algorithm: &str, check: impl Fn(&Example)) {
    check_all(&huller_testkit::shared::path("spec/examples"), algorithm, check);
}

fn check_all(folder: &Path, algorithm: &str, check: impl Fn(&Example)) {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    let read = |path: PathBuf| Example {
        value: serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap(),
    };
    let of_algorithm = |example: &Example| example.value["algorithm"] == algorithm;
    let examples: Vec<_> = files.into_iter().map(read).filter(of_algorithm).collect();
    assert!(!examples.is_empty(), "no example of {algorithm} in {}", folder.display());
    examples.iter().for_each(check);
}

/// Makes two tests of a check: one over this crate's examples, one over those among the shared
/// files.
macro_rules! worked {
    ($name:ident, $algorithm:literal, $check:expr) => {
        mod $name {
            use super::*;

            #[test]
            fn of_our_examples() {
                super::super::examples::check_ours($algorithm, $check);
            }

            fn of_the_shared_examples() {
                super::super::examples::check_shared($algorithm, $check);
            }

            huller_testkit::needs_shared!(of_the_shared_examples);
        }
    };
}
pub(super) use worked;

/// The name of an element in examples: its id, else its tag.
pub(super) fn name(page: &Page<'_>, node: &Node) -> String {
    page.attribute(node, AttributeName::Id)
        .map_or_else(|| node.tag.name().to_owned(), |id| format!("#{id}"))
}

/// The selection, verdict and text that a worker gives for a page.
pub(super) fn extract(html: &str, worker: &mut dyn Extractor) -> (Selection, Verdict, String) {
    let mut buffer = PageBuf::new();
    let page = buffer.fill(html);
    let mut selection = Selection::default();
    let verdict = worker.extract(&page, &mut selection);
    let mut text = String::new();
    Renderer::default().text(&page, &selection, &mut text);
    (selection, verdict, text)
}
