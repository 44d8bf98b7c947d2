//! Identifies the language and the script of a text.
//!
//! An [`Identifier`] holds the tables and is shared by all threads. Each thread brings a
//! [`Scratch`].
//!
//! # How a language is found
//!
//! 1. *Sample* (`sample.rs`). Texts of up to [`MAX_WHOLE_BYTES`] bytes are read whole. Of a longer
//!    text, [`PIECES`] pieces spread evenly from its beginning to its end are read, so the cost is
//!    bounded. One menu or foreign quotation does not decide the result.
//! 2. *Words* (`words.rs`). Tokens that are addresses, numbers or code are skipped. The rest is cut
//!    into words: runs of letters of one script, in lower case.
//! 3. *Script* (`script.rs`). The script with most letters decides which languages compete. Most
//!    scripts belong to one language; Chinese, Cantonese, Japanese and Korean are distinguished by
//!    their characters alone (`han.rs`).
//! 4. *N-grams* (`grams.rs`, `tables.rs`). Each letter of a word, and the word's end, is looked up
//!    together with up to four letters before it. The longest n-gram in the tables adds its weight
//!    to each language that uses it (back-off, S. Katz 1987). This is naive Bayes over characters
//!    (W. Cavnar and J. Trenkle 1994; T. Dunning 1994).
//! 5. *Score* (`confidence.rs`). The weights become a probability, which is multiplied by the share
//!    of letters in that script.
//!
//! Identifying takes time linear in the bytes read, allocates no memory, and never panics.
//!
//! A [`LabelledModel`] identifies the language with a fastText model of the user in place of all
//! this.
//!
//! `research/language` makes the built-in tables and measures them. Their sources are in `NOTICE`.
//!
//! ```
//! use huller_refine::language::{Identifier, Scratch};
//!
//! let identifier = Identifier::built_in();
//! let mut memory = Scratch::default();
//! let found = identifier.identify("Der Regen fällt auf die Dächer.", &mut memory).unwrap();
//! assert_eq!((found.code.as_str(), found.script.as_str()), ("deu", "Latn"));
//! assert!(identifier.identify("1.234,56 http://example.com/", &mut memory).is_none());
//! ```

mod alphabet;
mod codes;
mod confidence;
mod error;
mod grams;
mod han;
mod identified_language;
mod identifier;
mod labelled_model;
mod sample;
mod scratch;
mod script;
mod tables;
mod words;
mod write;

pub(crate) use codes::names_in_files;
pub use error::LanguageModelError;
pub use grams::{BOUNDARY, MAX_NGRAM_LEN, MIN_NGRAM_LEN, ngram_code};
pub use identified_language::{IdentifiedLanguage, Tag};
pub use identifier::Identifier;
pub use labelled_model::LabelledModel;
pub use sample::{MAX_WHOLE_BYTES, PIECE_BYTES, PIECES};
pub use scratch::Scratch;
pub use script::Script;
pub use words::{Words, for_each_word};
pub use write::{TableLanguage, TableRow, write_tables};
