//! The worked examples of the specification for naive Bayes (paper 000).

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test that cannot go on fails, one that is skipped says so"
)]

use huller_extract::nb::NaiveBayes;
use huller_extract::nb::blocks::{Block, BlockTags, Merge, Options, Removal, blocks};
use huller_extract::nb::features::{Bins, BlockCounts};
use huller_extract::nb::model::{Classifier, Counts};
use huller_extract::{Extractor, Renderer, Scratch, Selection};
use huller_page::{AttributeName, Page, PageBuf};
use serde_json::{Value, json};
use std::path::PathBuf;

/// The worked example of that name, `None` (with a line saying so) where it is absent.
fn example(id: &str) -> Option<Value> {
    let root = std::env::var_os("HULLER_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        PathBuf::from,
    );
    let path = root.join(format!("spec/examples/{id}.json"));
    if !path.exists() {
        eprintln!("skipped: {} is not here (set HULLER_SHARED)", path.display());
        return None;
    }
    Some(serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
}

fn from_one(bins: Bins) -> Value {
    json!([bins.unlinked + 1, bins.links + 1, bins.punctuation + 1, bins.paragraphs + 1])
}

fn options(example: &Value) -> Options {
    Options {
        tags: BlockTags::Parts,
        merge: match example["params"]["merge"].as_str().unwrap() {
            "none" => Merge::None,
            "siblings" => Merge::Siblings,
            "same_tag" => Merge::SameTag,
            "same_sig" => Merge::SameSignature,
            other => panic!("{other} is no way to merge"),
        },
        removal: Removal::Core,
        plain_bins: false,
        prior: false,
        fall_back: false,
    }
}

/// Counts that give the probabilities of an example. Smoothing shifts them by parts in 10^12.
fn counts_of(probabilities: &Value) -> Counts {
    const BLOCKS: f64 = 1e12;
    let class = |class: &str| {
        let feature = |at: usize| {
            let shares = probabilities[class][at].as_array().unwrap();
            let count = |share: &Value| (share.as_f64().unwrap() * BLOCKS).round();
            shares.iter().map(count).collect::<Vec<f64>>()
        };
        let integers = |at: usize| {
            let counts = feature(at);
            assert!((counts.iter().sum::<f64>() - BLOCKS).abs() < 0.5, "shares add up to 1");
            counts
                .iter()
                .map(|count| json!(format!("{count:.0}").parse::<u64>().unwrap()))
                .collect::<Vec<_>>()
        };
        json!({
            "blocks": 1_000_000_000_000_u64,
            "unlinked": integers(0), "links": integers(1), "punctuation": integers(2), "paragraphs": integers(3),
        })
    };
    serde_json::from_value(json!({"theme": class("1"), "noise": class("2")})).unwrap()
}

/// Counts of the blocks of the page itself, labelled as the example says.
fn counts_from(blocks: &[Block], labels: &Value) -> Counts {
    let mut counts = Counts::default();
    for (block, label) in blocks.iter().zip(labels.as_array().unwrap()) {
        counts.push(block.counts.bins(), label == 1);
    }
    counts
}

fn name(page: &Page<'_>, node: u32) -> String {
    let node = &page.nodes()[node as usize];
    page.attribute(node, AttributeName::Id)
        .map_or_else(|| node.tag.name().to_owned(), |id| format!("#{id}"))
}

#[test]
fn bins_are_the_worked_ones() {
    let Some(example) = example("nb-bins") else { return };
    for case in example["expected"]["cases"].as_array().unwrap() {
        let value = |at: usize| case["in"][at].as_u64().unwrap() as u32;
        let counts = BlockCounts {
            unlinked: value(0),
            linked: value(1),
            punctuation: value(2),
            paragraphs: value(3),
        };
        assert_eq!(from_one(counts.bins()), case["bins"], "{counts:?}");
    }
}

#[test]
fn blocks_and_their_classes_are_the_worked_ones() {
    for id in ["nb-1", "nb-2", "nb-3"] {
        let Some(example) = example(id) else { return };
        let (expected, tolerance) = (&example["expected"], example["tolerance"].as_f64().unwrap());
        let close = |got: f64, expected: &Value| {
            let expected = expected.as_f64().unwrap();
            (got - expected).abs() <= tolerance * expected.abs().max(1.0)
        };
        let options = options(&example);
        let mut buffer = PageBuf::new();
        let page = buffer.fill(example["html"].as_str().unwrap());
        let blocks = blocks(&page, &options);
        let counts = match &example["params"]["model"]["p"] {
            Value::Null => counts_from(&blocks, &example["params"]["train_labels"]),
            probabilities => counts_of(probabilities),
        };
        let classifier = Classifier::new(&counts, &options).unwrap();

        let wanted = expected["blocks"].as_array().unwrap();
        assert_eq!(blocks.len(), wanted.len(), "{id}: blocks");
        for (block, wanted) in blocks.iter().zip(wanted) {
            let names: Vec<_> = block.nodes.iter().map(|node| name(&page, *node)).collect();
            assert_eq!(json!(names), wanted["roots"], "{id}: roots");
            let BlockCounts { unlinked, linked, punctuation, paragraphs } = block.counts;
            let got = json!([unlinked, linked, punctuation, paragraphs]);
            let counted = [&wanted["U"], &wanted["L"], &wanted["punc"], &wanted["p"]];
            assert_eq!(got, json!(counted), "{id}: {names:?}");
            let bins = block.counts.bins();
            assert_eq!(from_one(bins), wanted["bins"], "{id}: {names:?}");
            let (theme, noise) = classifier.scores(bins);
            assert!(close(theme, &wanted["log"][0]), "{id}: {theme} of {names:?}");
            assert!(close(noise, &wanted["log"][1]), "{id}: {noise} of {names:?}");
            assert_eq!(classifier.log_odds(bins) >= 0.0, wanted["theme"], "{id}: {names:?}");
        }

        let method = NaiveBayes::new(options, &counts).unwrap();
        let mut selection = Selection::default();
        method.extract(&page, &mut Scratch::default(), &mut selection);
        let mut text = String::new();
        Renderer::default().text(&page, &selection, &mut text);
        assert_eq!(text, expected["text"].as_str().unwrap(), "{id}: text");
    }
}

#[test]
fn training_gives_the_worked_probabilities() {
    let Some(example) = example("nb-3") else { return };
    let mut buffer = PageBuf::new();
    let page = buffer.fill(example["html"].as_str().unwrap());
    let plain = Options { plain_bins: true, ..options(&example) };
    let counts = counts_from(&blocks(&page, &plain), &example["params"]["train_labels"]);
    let classifier = Classifier::new(&counts, &plain).unwrap();
    let share = |class: u8, feature: &str, bin: usize| {
        let shares = &example["expected"]["train"][format!("p{class}_{feature}")];
        shares[bin].as_f64().unwrap().ln()
    };
    let tolerance = example["tolerance"].as_f64().unwrap();
    for (unlinked, links, punctuation, paragraphs) in
        (0..6 * 4 * 3 * 3).map(|i| (i % 6, i / 6 % 4, i / 24 % 3, i / 72))
    {
        let (theme, noise) = classifier.scores(Bins { unlinked, links, punctuation, paragraphs });
        for (class, got) in [(1, theme), (2, noise)] {
            let wanted = share(class, "unlink", unlinked)
                + share(class, "link", links)
                + share(class, "punc", punctuation)
                + share(class, "p", paragraphs);
            assert!((got - wanted).abs() <= tolerance * wanted.abs(), "{got} is not {wanted}");
        }
    }
}
