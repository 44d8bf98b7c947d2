//! Models: arbitrary bytes are refused or read as a model of fastText without a panic, and its
//! scores are finite.

#![no_main]

use huller_models::ModelFile;
use huller_models::fasttext::{Line, Model, Scratch};
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;

fuzz_target!(|data: (Vec<u8>, String)| {
    let (bytes, text) = data;
    let bytes = [&793_712_314i32.to_le_bytes()[..], &12i32.to_le_bytes(), &bytes].concat();
    let Ok(model) = Model::read(Arc::new(ModelFile::from_bytes(bytes))) else { return };
    let (mut line, mut scratch) = (Line::default(), Scratch::default());
    line.read(&text);
    for found in model.predict(&line, None, 0., &mut scratch) {
        assert!(found.score.is_finite() && found.label < model.labels());
        model.label(found.label);
    }
});
