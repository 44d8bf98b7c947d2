//! MinHash against datatrove's own, and against the theory.
//!
//! `oracle/ask_datatrove_minhash.py` writes what datatrove says of texts. Given the same words,
//! ours must give the same signatures. A small oracle stands in `oracle/minhash.jsonl`, made of
//! texts of ours. Another one is named by `HULLER_ORACLE`:
//!
//! ```sh
//! VENV/bin/python crates/refine/tests/oracle/ask_datatrove_minhash.py TEXTS.jsonl > ORACLE.jsonl
//! HULLER_ORACLE=ORACLE.jsonl cargo test --release -p huller-refine --test minhash -- --ignored --nocapture
//! ```

use huller_refine::Text;
use huller_refine::signature::{
    DatatroveMinHash, Hash, Signature, SignatureSettings, Signer, simplify,
};
use serde::Deserialize;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// What datatrove says of a text.
#[derive(Deserialize)]
struct Row {
    text: String,
    simplified: String,
    words: Vec<String>,
    signature: Option<Vec<Vec<u64>>>,
}

/// Compares on all texts of an oracle, and returns how many there were.
fn compare(oracle: &Path) -> usize {
    let file = File::open(oracle).expect("the oracle is there");
    let (mut minhash, mut simplified) = (DatatroveMinHash::new(112, 5, 1), String::new());
    let mut texts = 0;
    for (index, line) in BufReader::new(file).lines().enumerate() {
        let row: Row = serde_json::from_str(&line.expect("text")).expect("a row of the oracle");
        simplify(&row.text, &mut simplified);
        assert_eq!(simplified, row.simplified, "simplified text {index}");
        let ours = minhash.values(row.words.iter().map(String::as_str));
        let theirs = row.signature.map(|bands| bands.concat());
        assert_eq!(ours, theirs.as_deref(), "signature of text {index}");
        texts += 1;
    }
    texts
}

#[test]
fn given_the_same_words_signatures_are_those_of_datatrove() {
    let oracle = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/minhash.jsonl");
    assert!(compare(&oracle) >= 20);
}

#[test]
#[ignore = "HULLER_ORACLE must name what oracle/ask_datatrove_minhash.py wrote"]
fn given_the_same_words_signatures_are_those_of_datatrove_in_the_named_oracle() {
    let oracle: PathBuf =
        std::env::var_os("HULLER_ORACLE").expect("HULLER_ORACLE names an oracle").into();
    println!("{} texts", compare(&oracle));
}

/// A source of numbers that is the same in every run.
fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// Two texts of `words` words each that have their first `common` words in common, and the Jaccard
/// similarity of their shingles.
fn pair(words: usize, common: usize, state: &mut u64) -> ([String; 2], f64) {
    let mut some = |count: usize| {
        let words = (0..count).map(|_| format!("w{:x} ", random(state) >> 24));
        words.collect::<Vec<_>>().concat()
    };
    let both = some(common);
    let texts = [some(words - common), some(words - common)].map(|rest| both.clone() + &rest);
    let (shared, of_each) = ((common - 4) as f64, (words - 4) as f64);
    (texts, shared / (2. * of_each - shared))
}

#[test]
fn bands_are_shared_as_often_as_the_theory_says() {
    // Of PAIRS independent pairs at a similarity, the number that share a band is binomial. Five
    // standard deviations are allowed.
    const PAIRS: usize = 400;
    for (hash, pairs) in [(Hash::Fast, PAIRS), (Hash::Datatrove, PAIRS / 4)] {
        let settings = SignatureSettings { hash, ..SignatureSettings::default() };
        let mut signer = Signer::new(settings).unwrap();
        let (mut text, mut state) = (Text::default(), 88_172_645_463_325_252);
        let mut sign = |content: &str| {
            let mut signature = Signature::default();
            text.begin().push_str(content);
            signer.sign(&mut text, None, &mut signature);
            signature.bands
        };
        for common in [140, 160, 170, 180, 190, 197] {
            let (mut found, mut similarity) = (0, 0.);
            for _ in 0..pairs {
                let (texts, jaccard) = pair(204, common, &mut state);
                let [one, other] = texts.map(|text| sign(&text));
                found += usize::from(one.iter().zip(&other).any(|(one, other)| one == other));
                similarity = jaccard;
            }
            let theory = 1. - (1. - similarity.powi(8)).powi(14);
            let share = found as f64 / pairs as f64;
            let deviation = (theory * (1. - theory) / pairs as f64).sqrt();
            println!("{hash:?}: J {similarity:.3}: {share:.3}, by theory {theory:.3}");
            assert!((share - theory).abs() <= 5. * deviation + 1e-9, "{hash:?} at {similarity}");
        }
    }
}
