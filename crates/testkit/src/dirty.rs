//! Random dirty corpora, and a check that the commands that read rows agree about them.
//!
//! A [`DirtyCorpus`] comes from a seed: 1 to 5 small files of rows in all formats and containers.
//! They contain everything on which readers may disagree. The function [`agree`] runs `refine`,
//! `dedup`, `index`, `extract` and `verify` over the corpus with the real program, and returns the
//! differences.
//!
//! # Rules
//!
//! 1. No command panics, hangs or is refused. All exit with the same status.
//! 2. Each input has the same numbers of records, written rows and rows of each reason in
//!    the statistics of all commands. Their sums agree.
//! 3. The same inputs are unusable, for the same reason.
//! 4. A file without damage has as many rows as it was written with, and as many of each reason.
//! 5. `verify` finds the outputs of `refine` and `dedup` undamaged, and complete if and only if the
//!    command exited with 0.
//!
//! # Differences that are expected
//!
//! * `dedup` drops rows with equal texts. Its duplicates count as written.
//! * `index` leaves out rows whose text and title are empty (`no_text`). They count as written.
//! * Archives and pages are records to `refine` and no inputs of `dedup` and `index`.
//! * `extract` looks for pages under the name `html`. These rows have a page there if and only if
//!   they have a text, so its `no_html_key` is the `no_text_key` of the others. Pages of other
//!   files are records to it, so only files of rows are compared with it.

mod agreement;
mod corpus;
mod file;
pub(crate) mod outcome;
mod rows;

pub use agreement::{agree, shrink};
pub use corpus::DirtyCorpus;
pub use rows::SCHEMAS;
