//! Unigram models of `SentencePiece` (`.model`), read as `SentencePiece` cuts texts with them.
//!
//! The format and the algorithms follow `SentencePiece` (T. Kudo and J. Richardson, 2018; Apache
//! License 2.0) and T. Kudo, "Subword Regularization", 2018. A text takes these steps:
//!
//! 1. **Normalisation** (`normaliser.rs`, `charsmap.rs`). At each place the longest rule of the
//!    model's table of characters applies. Extra spaces are left out, `▁` takes the place of each
//!    other space, and one is added before the text.
//! 2. **Pieces** (`model.rs`, `trie.rs`). The text is split into the pieces with the highest total
//!    score (A. Viterbi, 1967). A character that begins with no piece of its own costs 10 more than
//!    the worst piece.
//! 3. **Unknown characters.** Neighbours become one piece, or each byte becomes a piece if the
//!    model has bytes.
//!
//! Time is linear in the text: no piece has more than 4,096 bytes, and no rule more than 256. A
//! model takes at most twice the bytes of its file, and 16 KiB.
//!
//! ```
//! use huller_models::ModelFile;
//! use huller_models::sentencepiece::{Model, Scratch};
//!
//! let Ok(file) = ModelFile::open("en.sp.model".as_ref()) else { return };
//! let model = Model::read(&file).unwrap();
//! let mut scratch = Scratch::default();
//! let pieces: Vec<&str> = model.encode("the rain fell", &mut scratch).collect();
//! assert_eq!(pieces.concat(), "▁the▁rain▁fell");
//! ```

mod charsmap;
mod message;
mod model;
mod normaliser;
mod trie;

pub use model::{Model, Scratch};

/// The character that takes the place of a space.
const SPACE: char = '▁';
