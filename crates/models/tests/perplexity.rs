//! Pieces and scores of small models are those of `SentencePiece` 0.2.3 and KenLM 0.3.0.
//!
//! `scripts/lab/run models` compares larger models on many texts.

use huller_models::{ModelFile, kenlm, sentencepiece};
use huller_testkit::perplexity::{EXPECTED, model};
use std::sync::Arc;

fn file(name: &str) -> ModelFile {
    ModelFile::from_bytes(model(name).to_vec())
}

#[test]
fn pieces_and_scores_are_those_of_the_originals() {
    let mut scratch = sentencepiece::Scratch::default();
    let mut lines = 0;
    for line in EXPECTED.lines() {
        let [pieces_name, words_name, text, expected, bits] =
            line.split('\t').collect::<Vec<_>>().try_into().expect("five columns");
        let pieces = sentencepiece::Model::read(&file(pieces_name)).unwrap();
        let words = kenlm::Model::read(Arc::new(file(words_name))).unwrap();
        let found: Vec<&str> = pieces.encode(text, &mut scratch).collect();
        assert_eq!(found.join(" "), expected, "{text:?} by {pieces_name}");
        let score = words.score(found.iter().map(|piece| piece.as_bytes()));
        assert_eq!(score.to_bits().to_string(), bits, "{text:?} by {words_name}: {score}");
        lines += 1;
    }
    assert!(lines > 30);
}

#[test]
fn models_know_their_order_and_their_bytes() {
    for (name, order) in [("order-2", 2), ("order-3", 3), ("order-6", 6)] {
        let words = kenlm::Model::read(Arc::new(file(name))).unwrap();
        assert_eq!(words.order(), order);
        assert_eq!(words.digest(), file(name).digest());
    }
    let pieces = sentencepiece::Model::read(&file("plain")).unwrap();
    assert_eq!(pieces.digest(), file("plain").digest());
}
