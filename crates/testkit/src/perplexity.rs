//! Small models of `SentencePiece` and KenLM, made by the originals. `data/perplexity/README.md`
//! says how.

/// The models, by their names in [`EXPECTED`].
pub const MODELS: [(&str, &[u8]); 5] = [
    ("plain", PLAIN_PIECES),
    ("bytes", include_bytes!("../data/perplexity/bytes.sp.model")),
    ("order-2", include_bytes!("../data/perplexity/order-2.arpa.bin")),
    ("order-3", WORDS),
    ("order-6", include_bytes!("../data/perplexity/order-6.arpa.bin")),
];

/// A model of pieces, with rules of characters and pieces of the user.
pub const PLAIN_PIECES: &[u8] = include_bytes!("../data/perplexity/plain.sp.model");

/// A model of n-grams of those pieces.
pub const WORDS: &[u8] = include_bytes!("../data/perplexity/order-3.arpa.bin");

/// Lines of a model of pieces, a model of words, a text, its pieces and the bits of its score, with
/// tabs between them.
pub const EXPECTED: &str = include_str!("../data/perplexity/expected.tsv");

/// Returns the model of this name.
///
/// # Panics
///
/// If no model has this name.
pub fn model(name: &str) -> &'static [u8] {
    MODELS.iter().find(|(known, _)| *known == name).expect("the name of a model").1
}
