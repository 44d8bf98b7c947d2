//! Damaged and hostile models are refused, or read without panics and within their size.
//!
//! By default 300 mutants of each kind of model are tried; with `HULLER_FULL=1` 2,000.

use huller_models::fasttext::{Line, Model, Scratch};
use huller_models::{ModelError, ModelFile};
use huller_testkit::fasttext::FastTextModel;
use huller_testkit::random::Random;
use std::sync::Arc;
use std::time::{Duration, Instant};

const TEXT: &str = "the rain and the river, offer cookies </ s> Straßen \u{a0}x河水";

/// Offsets of fields in the file of [`FastTextModel`].
const COLUMNS: usize = 8;
const WORD_GRAMS: usize = 28;
const LOSS: usize = 32;
const BUCKETS: usize = 40;
const LETTERS: usize = 48;
const SIZE: usize = 64;
const PRUNED: usize = 84;
const FIRST_WORD: usize = 92;

fn read(bytes: Vec<u8>) -> Result<Model, ModelError> {
    Model::read(Arc::new(ModelFile::from_bytes(bytes)))
}

/// Predicts with a model that was read, and checks the scores.
fn predict(model: &Model) {
    let (mut line, mut scratch) = (Line::default(), Scratch::default());
    line.read(TEXT);
    for most in [None, Some(1)] {
        for found in model.predict(&line, most, 0., &mut scratch) {
            assert!((0.0..1.001).contains(&found.score), "{}", found.score);
            model.label(found.label);
        }
    }
}

fn kinds() -> Vec<FastTextModel> {
    let quantised = FastTextModel {
        is_quantised: true,
        is_output_quantised: true,
        has_norms: true,
        pruned: Some((0..40).map(|n| (n * 7 % 64, n)).collect()),
        ..FastTextModel::with_grams()
    };
    vec![
        FastTextModel::default(),
        FastTextModel { loss: 1, ..FastTextModel::with_grams() },
        FastTextModel { loss: 4, columns: 5, part: 3, ..quantised.clone() },
        FastTextModel { loss: 1, ..quantised },
    ]
}

/// Returns the file with another number of 32 bits at an offset.
fn with_int(mut bytes: Vec<u8>, offset: usize, number: i32) -> Vec<u8> {
    bytes[offset..offset + 4].copy_from_slice(&number.to_le_bytes());
    bytes
}

fn with_long(mut bytes: Vec<u8>, offset: usize, number: i64) -> Vec<u8> {
    bytes[offset..offset + 8].copy_from_slice(&number.to_le_bytes());
    bytes
}

/// Returns the offset of the flag before the input.
fn input_of(model: &FastTextModel) -> usize {
    let strings = model.words.iter().chain(model.labels.iter().map(|(label, _)| label));
    let entries: usize = strings.map(|string| string.len() + 10).sum();
    FIRST_WORD + entries + model.pruned.as_ref().map_or(0, Vec::len) * 8
}

#[test]
fn hostile_models_are_refused_with_their_problem() {
    let plain = FastTextModel::with_grams();
    let [_, _, _, quantised] = kinds().try_into().unwrap();
    let (input, quantised_input) = (input_of(&plain), input_of(&quantised));
    let grams = || plain.bytes();
    let pruned = |pairs| FastTextModel { pruned: Some(pairs), ..quantised.clone() }.bytes();
    let too_many = vec![("__label__a".to_owned(), 1 << 60), ("__label__b".to_owned(), 1 << 60)];
    let negative = vec![("__label__a".to_owned(), -1)];
    let no_words = FastTextModel { words: Vec::new(), labels: Vec::new(), ..plain.clone() };
    let trailing = [grams(), vec![0]].concat();
    let label_first = {
        let mut bytes = grams();
        bytes[FIRST_WORD + "</s>".len() + 9] = 1;
        bytes
    };
    for (name, bytes, problem) in [
        ("empty", Vec::new(), "not a model of fastText"),
        ("another file", b"PK\x03\x04".to_vec(), "not a model of fastText"),
        ("a later version", with_int(grams(), 4, 13), "version 13 is not supported"),
        ("vectors", FastTextModel { kind: 2, ..plain.clone() }.bytes(), "without labels"),
        ("loss", with_int(grams(), LOSS, 9), "loss 9 is not supported"),
        ("no labels", no_words.bytes(), "without labels"),
        ("other columns", with_int(grams(), COLUMNS, 5), "other columns"),
        ("negative columns", with_int(grams(), COLUMNS, -4), "negative"),
        ("no buckets", with_int(grams(), BUCKETS, 0), "no buckets"),
        ("more buckets", with_int(grams(), BUCKETS, i32::MAX), "fewer rows"),
        ("long letters", with_int(grams(), LETTERS, i32::MAX), "2147483647 letters"),
        ("long words", with_int(grams(), WORD_GRAMS, i32::MAX), "2147483647 words"),
        ("sums", with_int(grams(), SIZE, 7), "do not add up"),
        (
            "many words",
            with_int(with_int(grams(), SIZE, i32::MAX), SIZE + 4, i32::MAX - 2),
            "more words",
        ),
        ("negative words", with_int(grams(), SIZE, -1), "negative"),
        ("pruned too much", with_long(quantised.bytes(), PRUNED, i64::MAX), "too early"),
        ("pruned negatively", with_long(grams(), PRUNED, -2), "negative"),
        ("pruned but plain", with_long(grams(), PRUNED, 0), "not quantised"),
        ("wild row", pruned(vec![(1, i32::MAX)]), "fewer rows"),
        ("negative row", pruned(vec![(1, -1)]), "negative"),
        ("a label first", label_first, "a label among the words"),
        ("flag", with_int(grams(), input, 7), "flag"),
        ("rows", with_long(grams(), input + 1, i64::MAX), "too early"),
        ("negative rows", with_long(grams(), input + 1, -1), "negative"),
        ("columns", with_long(grams(), input + 9, i64::MAX), "columns"),
        ("a number that is none", with_int(grams(), input + 17, -1), "not finite"),
        (
            "infinity",
            with_int(grams(), input + 17, f32::INFINITY.to_bits().cast_signed()),
            "not finite",
        ),
        ("codes", with_long(quantised.bytes(), quantised_input + 2, 3), "codes do not fit"),
        ("many codes", with_int(quantised.bytes(), quantised_input + 18, i32::MAX), "too early"),
        (
            "occurrences",
            FastTextModel { loss: 1, labels: too_many, ..plain.clone() }.bytes(),
            "occurrences",
        ),
        (
            "negative occurrences",
            FastTextModel { labels: negative, ..plain.clone() }.bytes(),
            "negative",
        ),
        ("more bytes", trailing, "bytes follow"),
    ] {
        let error = read(bytes).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(problem), "{name}: {error:?}");
    }
}

#[test]
fn models_that_are_cut_anywhere_are_refused() {
    for model in kinds() {
        let bytes = model.bytes();
        predict(&read(bytes.clone()).unwrap());
        let step = if bytes.len() > 4_000 { 7 } else { 1 };
        for len in (0..bytes.len()).step_by(step) {
            assert!(read(bytes[..len].to_vec()).is_err(), "{len} bytes");
        }
    }
}

#[test]
fn mutants_are_refused_or_read() {
    let runs = if std::env::var_os("HULLER_FULL").is_some() { 2_000 } else { 300 };
    let mut read_anyway = 0;
    for (kind, model) in kinds().iter().enumerate() {
        let (bytes, input) = (model.bytes(), input_of(model) as u32);
        for seed in 0..runs {
            let mut random = Random::new(seed * 8 + kind as u32);
            let mut mutant = bytes.clone();
            for _ in 0..=random.below(2) {
                let among = if random.below(4) > 0 { input + 64 } else { bytes.len() as u32 };
                let at = random.below(among.min(bytes.len() as u32 - 8)) as usize;
                let number = random.other_than(mutant[at].into());
                match random.below(3) {
                    0 => mutant[at] = number.to_le_bytes()[0],
                    1 => mutant = with_int(mutant, at, number as i32),
                    _ => mutant = with_long(mutant, at, number),
                }
            }
            let start = Instant::now();
            if let Ok(model) = read(mutant) {
                predict(&model);
                read_anyway += 1;
            }
            assert!(start.elapsed() < Duration::from_secs(1), "kind {kind}, seed {seed}");
        }
    }
    assert!(read_anyway > 0);
}

#[test]
fn long_texts_take_time_that_grows_with_them() {
    let model = read(FastTextModel::with_grams().bytes()).unwrap();
    let (mut line, mut scratch) = (Line::default(), Scratch::default());
    for text in ["a".repeat(1 << 20), "a ".repeat(1 << 19), "é".repeat(1 << 19)] {
        let start = Instant::now();
        line.read(&text);
        assert_eq!(model.predict(&line, None, 0., &mut scratch).len(), 2);
        assert!(start.elapsed() < Duration::from_secs(20));
    }
}

#[test]
fn models_whose_words_and_buckets_collide_are_read_in_linear_time() {
    // Strings of pairs with equal FNV hashes would collide in fastText's own table, and so would
    // numbers of buckets that are equal modulo a power of two.
    let words = (0..100_000).map(|n| format!("w{n}")).collect();
    let pruned = Some((0..30_000).map(|n| (n << 16, n)).collect());
    let model = FastTextModel {
        words,
        pruned,
        buckets: i32::MAX,
        is_quantised: true,
        ..FastTextModel::with_grams()
    };
    let bytes = model.bytes();
    let start = Instant::now();
    predict(&read(bytes).unwrap());
    assert!(start.elapsed() < Duration::from_secs(20));
}
