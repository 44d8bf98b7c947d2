//! Models: arbitrary bytes are refused or read as a model of fastText, `SentencePiece` or KenLM
//! without a panic, and scores are numbers.

#![no_main]

use huller_models::fasttext::{Line, Model, Scratch};
use huller_models::{ModelFile, kenlm, sentencepiece};
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;

fuzz_target!(|data: (Vec<u8>, String)| {
    let (bytes, text) = data;
    read_pieces(&bytes, &text);
    read_words(&bytes, &text);
    let bytes = [&793_712_314i32.to_le_bytes()[..], &12i32.to_le_bytes(), &bytes].concat();
    let Ok(model) = Model::read(Arc::new(ModelFile::from_bytes(bytes))) else { return };
    let (mut line, mut scratch) = (Line::default(), Scratch::default());
    line.read(&text);
    for found in model.predict(&line, None, 0., &mut scratch) {
        assert!(found.score.is_finite() && found.label < model.labels());
        model.label(found.label);
    }
});

/// Reads a model of pieces: its first piece is one for unknown characters.
fn read_pieces(bytes: &[u8], text: &str) {
    let bytes = [b"\x0a\x09\x0a\x05<unk>\x18\x02", bytes].concat();
    let Ok(model) = sentencepiece::Model::read(&ModelFile::from_bytes(bytes)) else { return };
    let mut scratch = sentencepiece::Scratch::default();
    let pieces: usize = model.encode(text, &mut scratch).map(str::len).sum();
    assert!(pieces <= 3 + text.len() * 1024);
}

/// Reads a model of n-grams of words: the header of order 2 or 3 with these counts, then bytes.
fn read_words(bytes: &[u8], text: &str) {
    let Some(([order, counts @ ..], rest)) = bytes.split_first_chunk::<4>() else { return };
    let order = 2 + usize::from(order % 2);
    let mut file = b"mmap lm http://kheafield.com/code format version 5\n\0\0\0\0\0".to_vec();
    let numbers =
        [0, 0x3f80_0000, 0xbf00_0000, 1, u32::MAX, 0, 1, 0, order as u32, 0x3fc0_0000, 0, 0, 0];
    file.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    file.extend(counts[..order].iter().flat_map(|count| u64::from(*count).to_le_bytes()));
    file.resize(file.len().next_multiple_of(8), 0);
    file.extend_from_slice(rest);
    let Ok(model) = kenlm::Model::read(Arc::new(ModelFile::from_bytes(file))) else { return };
    assert!(!model.score(text.split(' ').map(str::as_bytes)).is_nan());
}
