//! Signatures: short summaries of rows. Deduplication compares the signatures of all rows of a
//! corpus, not their texts.
//!
//! A [`Signature`] holds a digest of the text, a digest of the URL, and band hashes. The method is
//! MinHash (Broder, "On the resemblance and containment of documents", 1997) with banding (Indyk
//! and Motwani, "Approximate Nearest Neighbors: Towards Removing the Curse of Dimensionality",
//! 1998). Rows with the same digest are exact duplicates. Rows that share a band hash are near
//! duplicates. If the shingle sets of two texts have the Jaccard similarity *J*, they share a band
//! hash with probability 1 − (1 − *J*^rows)^bands. That is 92 % at *J* = 0.8 with the default of 14
//! bands of 8 rows.
//!
//! # The types, and how they work together
//!
//! * [`SignatureSettings`]: the numbers of bands, of rows per band and of words per shingle, and
//!   the [`Hash`](enum@Hash).
//! * A [`Signer`] makes signatures. It owns its buffers, so each thread has one. The stage
//!   [`Signature`](crate::stages::Signature) calls it for every row of a run; `huller dedup` calls
//!   it for rows without signatures.
//! * [`ShingleSets`] gives the shingles of a text, for exact comparison of texts.
//! * [`signature_file`] reads and writes files of signatures: a header with the settings, and
//!   records of equal size.
//!
//! # What is signed
//!
//! **Shingles** of `fast` are runs of `shingle` tokens. A token is a word ([`Words`](crate::Words))
//! in lower case; words of punctuation only are left out. In a script without spaces between words
//! (Chinese, Japanese, Thai, …) each scalar is one token. So case, punctuation and white space do
//! not count. Each token becomes a 64-bit hash, and each shingle the 32-bit hash of its tokens in
//! order. The *i*-th value of a row is the least of `a[i] * shingle + b[i]` modulo 2^32 over its
//! shingles, with odd `a[i]`. Each value costs one multiplication and one minimum on eight lanes of
//! a register. A band is `rows` values, and its hash is XXH3 over them, seeded with the number of
//! the band. So hashes of different bands are equal only by chance, and all of them can be sorted
//! together.
//!
//! **`datatrove`** simplifies texts as that program does, hashes shingles with XXH64 and computes
//! modulo 2^61 − 1. If the words are equal, the values are equal to those of datatrove 0.10.1. It
//! costs about 30 times as much as `fast` and finds no more duplicates.
//!
//! A row with fewer tokens than a shingle has no bands: it can only be an exact duplicate.
//!
//! **The text's digest** is XXH3 (128 bits) over the text, with each run of white space replaced by
//! one space. White space at the ends is left out; case is kept.
//!
//! **The digest of the URL** is the same over the URL. Its scheme, host and port are in canonical
//! form ([`Address::server`](huller_provenance::Address::server)), and an empty path has no slash.
//! Fragments are ignored, except fragments that name pages: `#/users/1`, `#!users`.
//!
//! Both digests can be forged: if the author of two texts gives them the same digest, one of them
//! is dropped.

mod address;
mod avx2;
mod comparison;
mod datatrove;
mod minima;
mod mt19937;
mod row_signature;
mod settings;
mod shingles;
pub mod signature_file;
mod signer;
mod simplified_text;
mod text_digest;

pub use address::digest as url_digest;
pub use comparison::{ShingleSets, text_digest};
pub use datatrove::DatatroveMinHash;
pub(crate) use datatrove::JoinedWords;
pub use row_signature::Signature;
pub use settings::{Hash, SignatureSettings};
pub use signer::Signer;
pub use simplified_text::simplify;
