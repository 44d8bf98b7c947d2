//! Supervised models of fastText (`.bin` and `.ftz`), read as fastText 0.9.2 reads them.
//!
//! The format and the arithmetic follow fastText (Joulin et al., "Bag of Tricks for Efficient Text
//! Classification", 2016, and "FastText.zip", 2016; MIT). A reader can get these points wrong:
//!
//! * A token ends at a space, LF, CR, TAB, VT, FF or NUL, and at no other white space. The end of
//!   the line is the token `</s>`. It takes part in n-grams of words, and a literal `</s>` in the
//!   text ends the line.
//! * Hashes take bytes as signed numbers, and n-grams of words combine 32-bit hashes that are
//!   extended by their sign.
//! * Scores are `exp(ln(p + 1e-5))`, so a score can exceed 1.
//! * Labels with equal scores come out in the order of the heap of the C++ library.
//! * All sums are single precision, one number after another.
//!
//! ```
//! use huller_models::fasttext::{Line, Model, Scratch};
//! use huller_models::ModelFile;
//! use std::sync::Arc;
//!
//! let Ok(file) = ModelFile::open("lid.176.ftz".as_ref()) else { return };
//! let model = Model::read(Arc::new(file)).unwrap();
//! let (mut line, mut scratch) = (Line::default(), Scratch::default());
//! line.read("Der Regen fällt auf die Dächer.");
//! let best = model.predict(&line, Some(1), 0., &mut scratch)[0];
//! assert_eq!(model.label(best.label), "__label__de");
//! ```

mod best;
mod dictionary;
mod exp;
mod line;
mod loss;
mod matrix;
mod model;

pub use best::Prediction;
pub use line::Line;
pub use model::{Model, Scratch};

/// The token at the end of a line.
const END: &[u8] = b"</s>";

/// The start of the hash of bytes.
const HASH_START: u32 = 2_166_136_261;

/// Adds a byte to a hash: 32-bit FNV-1a over bytes taken as signed numbers.
#[inline(always)]
fn hash_byte(hash: u32, byte: u8) -> u32 {
    (hash ^ i32::from(byte.cast_signed()).cast_unsigned()).wrapping_mul(16_777_619)
}

/// Returns the hash of bytes.
#[inline]
fn hash(bytes: &[u8]) -> u32 {
    bytes.iter().fold(HASH_START, |hash, byte| hash_byte(hash, *byte))
}
