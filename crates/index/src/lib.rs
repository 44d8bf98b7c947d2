//! Full-text indexes of corpora: made of rows, asked by queries.
//!
//! # The types, and how they meet
//!
//! * [`build`] takes files of rows and [`Options`], and leaves an index, a folder in tantivy's
//!   form. A [`Summary`] says what became of every row.
//! * A [`Searcher`] opens an index. It takes a [`Query`], which [`Query::parse`] makes of what a
//!   user types, and a [`Filter`], and gives [`Hit`]s, each with a [`Snippet`], and [`Counts`] of
//!   all rows that fit.
//!
//! ```text
//!  build      rows of files (huller-corpus) ──► document ──► tantivy's threads ──► segments
//!    │                                             │               │
//!    │                                          schema          analysis ◄── segments, fold, stems (word_cache)
//!    │                                                             │
//!    └──► state: which rows are in, in the commit itself           │
//!                                                                  │
//!  search     syntax (text ──► Query) ──► compile (Query ──► tantivy's) ──► hits ──► snippet
//! ```
//!
//! # One row's walk
//!
//! 1. A thread reads a chunk of rows; `state` knows up to which place the file is in the index, and
//!    lines before it are only digested.
//! 2. All threads take lines apart. What is no row, has no text or is on the list of duplicates to
//!    drop is counted, and goes no further.
//! 3. `document` makes the fields: title and text with the row's language before them, the host
//!    with all domains above it, the date in seconds.
//! 4. A thread of tantivy's cuts title and text into words (`segments`), folds them (`fold`) and
//!    notes the stem beside the word (`stems`). In scripts without spaces every scalar and every
//!    pair of neighbours is a word.
//! 5. A commit writes the segments and, in the same file, the state. So the two agree whenever the
//!    process dies.
//! 6. A query goes the same way: its words are cut and folded by the same code, so a phrase is
//!    found wherever it stands.
//!
//! # What may be relied upon
//!
//! * **The same hits**, whatever the threads, and however often the run was killed and gone on
//!   with: scores are of the whole index, and hits of one score go by a hash of their `id`. Files
//!   of the index are not the same bytes.
//! * **Every line is indexed, skipped or failed**, and the sums agree.
//! * **Bounded memory.** Half of [`Options::memory`] is the writer's, the rest is for lines in
//!   flight; a line above a thirty-second of it is skipped and counted. Merging maps files.
//!
//! This crate knows rows, no pages and no terminal.

mod analysis;
mod build;
mod compile;
mod counts;
mod date;
mod document;
mod drop_list;
mod error;
mod fold;
mod folder;
mod known;
mod reading;
mod schema;
mod search;
mod segments;
mod snippet;
mod state;
mod stems;
mod syntax;
mod word_cache;

pub use build::{LEAST_MEMORY, Options, Summary, build, check_output};
pub use counts::Counts;
pub use date::{Day, DayError};
pub use error::IndexError;
pub use search::{Filter, Hit, Searcher};
pub use snippet::Snippet;
pub use syntax::{Query, SyntaxError};
