//! Labels and scores of small models of every kind are those of fastText.
//!
//! The expected values were computed by `fasttext-wheel` 0.9.2 on the same files. `HULLER_SHOW=DIR`
//! writes the files. `scripts/lab/run models` compares trained models and many texts.

use huller_models::ModelFile;
use huller_models::fasttext::{Line, Model, Scratch};
use huller_testkit::fasttext::FastTextModel;
use std::sync::Arc;

/// Texts with known and unknown words, and with tokens that a reader can get wrong.
const TEXTS: [&str; 7] = [
    "rain",
    "the rain and the river",
    "offer cookies offer, the cookies!",
    "",
    "Straßen und Flüsse 河水 \u{a0}x \u{2028} __label__bad __label__none rain</s>",
    "rain </s> cookies",
    "\t river\u{b}offer\0cookies \r",
];

/// Returns a model of every kind, with its name.
fn models() -> Vec<(&'static str, FastTextModel)> {
    let labels: Vec<_> = (0..23).map(|n| (format!("__label__{n}"), (23 - n) * (23 - n))).collect();
    let grams = FastTextModel::with_grams();
    let pruned = Some((0..40).map(|n| (n * 7 % 64, n)).collect());
    let quantised = FastTextModel {
        is_quantised: true,
        has_norms: true,
        columns: 10,
        labels: labels.clone(),
        ..grams.clone()
    };
    vec![
        ("softmax", FastTextModel::default()),
        ("grams", grams.clone()),
        ("old", FastTextModel { version: 11, ..grams.clone() }),
        ("negatives", FastTextModel { loss: 2, labels: labels.clone(), ..grams.clone() }),
        ("one-vs-all", FastTextModel { loss: 4, labels: labels.clone(), ..grams.clone() }),
        ("hierarchical", FastTextModel { loss: 1, labels, ..grams }),
        ("quantised", quantised.clone()),
        ("output", FastTextModel { is_output_quantised: true, part: 3, ..quantised.clone() }),
        ("pruned", FastTextModel { pruned: pruned.clone(), has_norms: false, ..quantised.clone() }),
        ("pruned-all", FastTextModel { pruned: Some(Vec::new()), ..quantised.clone() }),
        (
            "pruned-hierarchical",
            FastTextModel { pruned, loss: 1, is_output_quantised: true, ..quantised },
        ),
    ]
}

fn read(model: &FastTextModel) -> Model {
    Model::read(Arc::new(ModelFile::from_bytes(model.bytes()))).expect("a sound model")
}

/// Returns the labels and the bits of their scores of all texts as one number.
fn digest(model: &Model, most: Option<usize>, threshold: f32) -> u64 {
    let (mut line, mut scratch) = (Line::default(), Scratch::default());
    let mut digest = 0u64;
    let mut add = |number: u32| {
        digest = digest.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(u64::from(number) + 1);
    };
    for text in TEXTS {
        line.read(text);
        for found in model.predict(&line, most, threshold, &mut scratch) {
            add(found.label);
            add(found.score.to_bits());
        }
        add(u32::MAX);
    }
    digest
}

#[test]
fn labels_and_scores_are_those_of_fasttext() {
    for ((name, model), expected) in models().iter().zip(EXPECTED) {
        if let Some(folder) = std::env::var_os("HULLER_SHOW") {
            std::fs::write(std::path::Path::new(&folder).join(name), model.bytes()).unwrap();
        }
        let model = read(model);
        let digests = [
            digest(&model, None, 0.),
            digest(&model, Some(1), 0.),
            digest(&model, Some(4), 0.),
            digest(&model, None, 0.05),
        ];
        assert_eq!(digests, expected, "{name}");
    }
}

#[test]
fn a_few_scores_in_plain_sight() {
    let model = read(&FastTextModel::default());
    let (mut line, mut scratch) = (Line::default(), Scratch::default());
    let mut best = |text: &str| {
        line.read(text);
        let found = model.predict(&line, Some(1), 0., &mut scratch)[0];
        (model.label(found.label), found.score)
    };
    assert_eq!(best(TEXTS[1]), ("__label__good", 0.972_396_5));
    assert_eq!(best(TEXTS[2]), ("__label__bad", 0.988_844_1));
}

#[test]
fn a_line_of_unknown_words_has_no_label() {
    let words = vec!["rain".to_owned()];
    let model = read(&FastTextModel { words, ..FastTextModel::default() });
    let (mut line, mut scratch) = (Line::default(), Scratch::default());
    line.read("no such words");
    assert!(model.predict(&line, None, 0., &mut scratch).is_empty());
    line.read("rain");
    assert_eq!(model.predict(&line, None, 0., &mut scratch).len(), 2);
}

/// For each model: all labels, the best, the best four, all with at least 0.05.
#[rustfmt::skip]
const EXPECTED: [[u64; 4]; 11] = [
    [12_423_917_668_389_209_786, 3_011_159_186_244_526_285, 12_423_917_668_389_209_786, 6_668_242_220_062_620_924], // softmax
    [16_279_093_825_546_819_381, 17_526_237_951_495_479_352, 16_279_093_825_546_819_381, 16_279_093_825_546_819_381], // grams
    [5_045_112_504_106_494_510, 14_644_254_615_490_797_017, 5_045_112_504_106_494_510, 12_959_416_696_040_279_292], // old
    [9_009_572_034_746_295_762, 1_948_227_453_038_514_709, 6_394_838_023_976_124_694, 9_009_572_034_746_295_762], // negatives
    [9_009_572_034_746_295_762, 1_948_227_453_038_514_709, 6_394_838_023_976_124_694, 9_009_572_034_746_295_762], // one-vs-all
    [4_804_628_960_043_245_473, 4_415_506_333_099_395_317, 15_070_924_766_146_640_875, 5_307_773_382_765_935_185], // hierarchical
    [13_024_451_812_169_222_252, 940_254_793_974_560_635, 7_185_022_179_874_925_697, 5_823_312_656_981_552_003], // quantised
    [3_015_112_752_249_206_337, 15_889_590_881_642_889_370, 6_242_136_680_407_365_084, 6_719_741_137_740_375_646], // output
    [15_439_136_076_619_035_713, 7_495_826_845_351_098_652, 18_073_314_917_096_381_241, 14_150_146_631_604_824_128], // pruned
    [3_971_779_643_617_699_136, 13_437_001_598_396_141_743, 10_307_198_623_924_866_094, 13_957_236_443_928_985_327], // pruned-all
    [14_605_554_689_881_561_390, 7_071_674_817_219_249_248, 346_175_656_061_528_455, 6_833_269_597_025_844_650], // pruned-hierarchical
];
