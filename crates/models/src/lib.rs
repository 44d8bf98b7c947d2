//! Readers of the model files by which corpora are selected, without the programs that made them.
//!
//! # The types, and how they work together
//!
//! * A [`ModelFile`] maps a file into memory and computes its SHA-256. All threads share it. No
//!   copy of the weights is made, so a model of 1 GB takes 1 GB of page cache and little else.
//! * A [`fasttext::Model`] reads a supervised model of fastText from those bytes: its dictionary,
//!   its two matrices (plain or quantised), and its loss. It checks the whole file once.
//! * A [`fasttext::Line`] holds the tokens of one line and their hashes. They depend on no model,
//!   so several models share them.
//! * A [`fasttext::Scratch`] holds the buffers of one thread and the scores of the last line.
//! * A [`sentencepiece::Model`] cuts a text into pieces, and a [`kenlm::Model`] scores words. It
//!   keeps its tables in the file, as fastText's does.
//! * An [`NgramIndex`] holds the hashes of the n-grams of benchmarks, and the task of each.
//! * A [`ModelError`] states why a file cannot be used.
//!
//! # One row's walk
//!
//! 1. [`fasttext::Line::read`] cuts the text into tokens and hashes each.
//! 2. [`fasttext::Model::predict`] looks up each token in the dictionary, adds the vectors of its
//!    word, its n-grams of letters and its n-grams of words, and takes their mean.
//! 3. The loss makes scores of the mean: softmax, hierarchical softmax, or a sigmoid for each
//!    label.
//! 4. The best labels come out in the order in which fastText has them, ties included.
//!
//! # What is promised
//!
//! * Labels and scores are those of fastText 0.9.2, bit for bit. `scripts/lab/run models` trains
//!   models of all kinds with fastText and compares them. Pieces are those of `SentencePiece`
//!   0.2.3, and scores of words those of KenLM 0.3.0, bit for bit.
//! * A file is refused, or it is read as its program reads it. Every count and every index is
//!   checked when the file is loaded, in time linear in the file. No allocation is larger than the
//!   file justifies, and nothing panics (`tests/hostile.rs`, `tests/hostile_perplexity.rs`).
//! * Scoring takes time linear in the text and allocates no memory in steady state.
//!
//! A mapped file must keep its length while it is in use. If another program cuts it, the system
//! ends the process (SIGBUS). Replace a model by renaming a new file over it.

mod bytes;
mod error;
pub mod fasttext;
mod file;
pub mod kenlm;
mod ngram_index;
mod seeded_hash;
pub mod sentencepiece;

pub use error::ModelError;
pub use file::ModelFile;
pub use ngram_index::NgramIndex;
