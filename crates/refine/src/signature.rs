//! Signatures: what of a row is enough to find its duplicates, when all rows of a corpus meet
//! afterwards.
//!
//! A [`Signature`] holds a digest of the text, one of the address, and the band hashes of MinHash
//! (Broder, "On the resemblance and containment of documents", 1997; banding after Indyk and
//! Motwani, "Approximate Nearest Neighbors: Towards Removing the Curse of Dimensionality", 1998).
//! Rows with one digest are exact duplicates. Rows that share a band hash are near duplicates: of
//! two texts whose sets of shingles have the Jaccard similarity *J*, that is so with probability 1
//! − (1 − *J*^rows)^bands, 92 % at *J* = 0.8 with the default of 14 bands of 8.
//!
//! # The types, and how they meet
//!
//! * [`SignatureSettings`]: how many bands, rows and words a shingle, and which
//!   [`Hash`](enum@Hash).
//! * A [`Signer`] makes signatures. It owns its memory, so there is one for each thread. The stage
//!   [`Signature`](crate::stages::Signature) calls it for every row of a run; `huller dedup` calls
//!   it for rows without signatures.
//! * [`ShingleSets`] gives what signatures are drawn from, for those who compare texts exactly.
//! * [`file`](mod@file) is the form of signatures on the disk: a header with the settings, and
//!   records of one size.
//!
//! # What is signed
//!
//! **Shingles** of `fast` are runs of `shingle` tokens. A token is a word ([`Words`](crate::Words))
//! in lower case; a word of nothing but punctuation is none, and a word in a script without spaces
//! between words (Chinese, Japanese, Thai, …) gives one token for each scalar. So case, punctuation
//! and white space don't count. Words become 64-bit hashes, a shingle the 32-bit hash of its tokens
//! in order. The *i*-th value of a row is the least of `a[i] * shingle + b[i]` modulo 2^32 over its
//! shingles, with odd `a[i]`: each is one multiplication and one minimum on eight lanes of a
//! register. `rows` values make a band, and XXH3 over them, seeded with the number of the band,
//! makes its hash. So band hashes of two bands are never equal but by chance, and all of them may
//! be sorted together.
//!
//! **`datatrove`** has that program's simplification of texts, XXH64 of shingles and arithmetic
//! modulo 2^61 − 1, so that values are equal to those of datatrove 0.10.1 where the words are. It
//! costs about 30 times as much and finds no more.
//!
//! A row with fewer tokens than a shingle has no bands: it can only be an exact duplicate.
//!
//! **The text's digest** is XXH3 (128 bits) over the text with each run of white space as one
//! space. White space at the ends is left out, and case is kept.
//!
//! **The address's digest** is the same over the address. Its scheme, host and port are in
//! canonical form ([`Address::server`](huller_provenance::Address::server)), and an empty path has
//! no slash. Fragments do not count, except for fragments that name pages: `#/users/1`, `#!users`.
//!
//! Neither digest resists people who look for collisions. If two texts are forged to share a
//! digest, one of them is dropped.

mod address;
mod avx2;
mod compared;
mod datatrove;
mod exact;
pub mod file;
mod minima;
mod mt19937;
mod settings;
mod shingles;
mod signed;
mod signer;
mod simplified;

pub use compared::{ShingleSets, text_digest};
pub use datatrove::DatatroveMinHash;
pub use settings::{Hash, SignatureSettings};
pub use signed::Signature;
pub use signer::Signer;
pub use simplified::simplify;
