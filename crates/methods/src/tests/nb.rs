//! Naive Bayes: bins, blocks, classes, training.

use super::examples::{Example, extract, name, worked};
use crate::nb::blocks::{Block, blocks};
use crate::nb::features::{Bins, BlockCounts};
use crate::nb::model::{Classifier, Counts};
use crate::nb::{BlockTags, Merge, NaiveBayes, Options, RemovedTags};
use huller_page::PageBuf;
use huller_select::Worker;
use serde_json::{Value, json};

worked!(bins_are_the_worked_ones, "nb_bins", check_bins);
worked!(blocks_and_their_classes_are_the_worked_ones, "nb", check_blocks);
worked!(training_gives_the_worked_probabilities, "nb", check_training);

fn from_one(bins: Bins) -> Value {
    json!([bins.unlinked + 1, bins.links + 1, bins.punctuation + 1, bins.paragraphs + 1])
}

fn options(example: &Example) -> Options {
    Options {
        tags: BlockTags::Parts,
        merge: match example.params()["merge"].as_str().unwrap() {
            "none" => Merge::None,
            "siblings" => Merge::Siblings,
            "same_tag" => Merge::SameTag,
            "same_sig" => Merge::SameSignature,
            other => panic!("{other} is no way to merge"),
        },
        overlap: false,
        removal: RemovedTags::Core,
        plain_bins: false,
        prior: false,
        take_nearest: false,
    }
}

/// Counts that give the probabilities of an example. Smoothing changes these by a few parts in
/// 10^12.
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

/// Counts of the page's own blocks, labelled as the example says.
fn counts_from(blocks: &[Block], labels: &Value) -> Counts {
    let mut counts = Counts::default();
    for (block, label) in blocks.iter().zip(labels.as_array().unwrap()) {
        counts.push(block.counts.bins(), label == 1);
    }
    counts
}

fn check_bins(example: &Example) {
    for case in example.expected()["cases"].as_array().unwrap() {
        let value = |at: usize| case["in"][at].as_u64().unwrap() as u32;
        let counts = BlockCounts {
            unlinked: value(0),
            linked: value(1),
            punctuation: value(2),
            paragraphs: value(3),
        };
        assert_eq!(from_one(counts.bins()), case["bins"], "{}: {counts:?}", example.id());
    }
}

fn check_blocks(example: &Example) {
    let (id, expected, options) = (example.id(), example.expected(), options(example));
    let mut buffer = PageBuf::new();
    let page = buffer.fill(example.html());
    let blocks = blocks(&page, &options);
    let counts = match &example.params()["model"]["p"] {
        Value::Null => counts_from(&blocks, &example.params()["train_labels"]),
        probabilities => counts_of(probabilities),
    };
    let classifier = Classifier::new(&counts, &options).unwrap();

    let wanted = expected["blocks"].as_array().unwrap();
    assert_eq!(blocks.len(), wanted.len(), "{id}: blocks");
    for (block, wanted) in blocks.iter().zip(wanted) {
        let nodes = block.nodes.iter().map(|node| &page.nodes()[*node as usize]);
        let names: Vec<_> = nodes.map(|node| name(&page, node)).collect();
        assert_eq!(json!(names), wanted["roots"], "{id}: roots");
        let BlockCounts { unlinked, linked, punctuation, paragraphs } = block.counts;
        let got = json!([unlinked, linked, punctuation, paragraphs]);
        let counted = [&wanted["U"], &wanted["L"], &wanted["punc"], &wanted["p"]];
        assert_eq!(got, json!(counted), "{id}: {names:?}");
        let bins = block.counts.bins();
        assert_eq!(from_one(bins), wanted["bins"], "{id}: {names:?}");
        let (theme, noise) = classifier.scores(bins);
        example.assert_close(theme, &wanted["log"][0], &format!("theme of {names:?}"));
        example.assert_close(noise, &wanted["log"][1], &format!("noise of {names:?}"));
        assert_eq!(classifier.log_odds(bins) >= 0.0, wanted["theme"], "{id}: {names:?}");
    }

    let mut extractor = Worker::new(NaiveBayes::new(options, &counts).unwrap());
    let (_, _, text) = extract(example.html(), &mut extractor);
    assert_eq!(text, example.text(), "{id}: text");
}

/// Checks the probability of each bin, for the examples that have labels for training.
fn check_training(example: &Example) {
    if example.expected()["train"].is_null() {
        return;
    }
    let mut buffer = PageBuf::new();
    let page = buffer.fill(example.html());
    let plain = Options { plain_bins: true, ..options(example) };
    let counts = counts_from(&blocks(&page, &plain), &example.params()["train_labels"]);
    let classifier = Classifier::new(&counts, &plain).unwrap();
    let share = |class: u8, feature: &str, bin: usize| {
        let shares = &example.expected()["train"][format!("p{class}_{feature}")];
        shares[bin].as_f64().unwrap().ln()
    };
    for (unlinked, links, punctuation, paragraphs) in
        (0..6 * 4 * 3 * 3).map(|i| (i % 6, i / 6 % 4, i / 24 % 3, i / 72))
    {
        let (theme, noise) = classifier.scores(Bins { unlinked, links, punctuation, paragraphs });
        for (class, got) in [(1, theme), (2, noise)] {
            let wanted = share(class, "unlink", unlinked)
                + share(class, "link", links)
                + share(class, "punc", punctuation)
                + share(class, "p", paragraphs);
            example.assert_close(got, &wanted.into(), "sum of logarithms");
        }
    }
}
