//! N-gram models of KenLM (`.bin`), read as KenLM scores with them.
//!
//! This reader supports the *probing* files that `build_binary probing` writes, of orders 2 to 6.
//! Their layout was found from such files; `scripts/lab/run models` compares scores with KenLM's.
//! All numbers are little-endian:
//!
//! 1. **Header.** 52 bytes of text and NUL, then at 56 test numbers of each type. At 88 the order
//!    (1 byte), at 92 the multiplier of table sizes (`f32`), at 96 the type. At 100 whether words
//!    follow (1 byte), at 104 the version of the tables. From 108 a count for each order (`u64`).
//! 2. **Vocabulary.** From the next multiple of 8: a version and the number of words (`u32` each).
//!    Then a hash table of the hash of a word and its number (`u64`, `u32`).
//! 3. **Words.** A logarithm to base 10 and a backoff weight (`f32` each) for each number of a
//!    word, and for one more.
//! 4. **N-grams.** A hash table for each order: a key (`u64`), the logarithm, the backoff. The last
//!    table has no backoffs.
//! 5. **Strings.** The words in the order of their numbers, each with NUL.
//!
//! A reader can get these points wrong:
//!
//! * A table has the integer part of multiplier × count slots, computed in single precision, and
//!   at least count + 1. An entry is in the first free slot from key modulo slots. Key 0 is empty.
//! * The hash of a word is MurmurHash64A (A. Appleby, public domain) with seed 0.
//! * The key of an n-gram starts with the number of its last word. Each earlier word then changes
//!   it: key × 8978948897894561157, exclusive or (number + 1) × 17894857484156487943.
//! * The sign of a logarithm is a flag: if it is positive, an n-gram with one more word before
//!   exists. A backoff of −0.0 says that no n-gram has one more word after.
//! * Sums are single precision: of a word first the logarithm, then backoffs from the shortest.
//!
//! ```
//! use huller_models::ModelFile;
//! use huller_models::kenlm::Model;
//! use std::sync::Arc;
//!
//! let Ok(file) = ModelFile::open("en.arpa.bin".as_ref()) else { return };
//! let model = Model::read(Arc::new(file)).unwrap();
//! let words = "the rain fell";
//! let score = model.score(words.split(' ').map(str::as_bytes));
//! println!("perplexity {}", 10f32.powf(-score / 4.));
//! ```

mod hash;
mod model;
mod table;

pub use model::Model;
