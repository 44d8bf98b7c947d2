//! Builds full-text indexes of corpora, and searches them.
//!
//! # The types, and how they work together
//!
//! * [`build`] takes files of rows and [`Options`], and writes an index, a folder in tantivy's
//!   format. A [`Summary`] counts the outcome of every row. It also joins indexes to one.
//! * A [`Searcher`] opens an index. [`Query::parse`] makes a [`Query`] of the user's text. The
//!   searcher takes it with a [`Filter`], and returns [`SearchHit`]s, each with a [`Snippet`], and
//!   [`Counts`] of all rows that match.
//! * An [`IndexChange`] deletes rows of a finished index, with their bytes.
//! * [`Integrity`] compares every file of an index with its checksum.
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
//! # The steps of a row
//!
//! 1. A thread reads a chunk of rows. `state` has the place up to which the file is in the index,
//!    and lines before it are only hashed.
//! 2. All threads parse lines. A line that is not a row, has no text or is on the drop list is
//!    counted and skipped.
//! 3. `document` makes the fields: title and text with the row's language before them, the host
//!    with all domains above it, the date in seconds.
//! 4. A tantivy thread cuts title and text into words (`segments`), folds them (`fold`) and adds
//!    the stem to each word (`stems`). In scripts without spaces every scalar and every pair of
//!    adjacent scalars is a word.
//! 5. A commit writes the segments and, in the same file, the state. So the two agree even if the
//!    process dies.
//! 6. A query takes the same steps: the same code cuts and folds its words, so it finds a phrase
//!    wherever it occurs.
//!
//! # Guarantees
//!
//! * **The same hits** for any number of threads, kills and resumptions. Scores use the whole
//!   index, and hits with equal scores are sorted by a hash of their `id`. The files of the index
//!   may differ in their bytes.
//! * **Every line is indexed, skipped or failed**, and the sums agree.
//! * **Bounded memory.** Half of [`Options::memory`] is for the writer, an eighth for documents
//!   that wait for its threads (`queue`), the rest for lines in flight. A line longer than a
//!   thirty-second of it is skipped and counted. Merging maps files.
//! * **A set flag ends a run at once.** The folder refuses every change after that (`stoppable`).
//!   So tantivy's threads end at their next write. The index has the rows of the last commit.
//!
//! This crate works on rows. It knows neither pages nor terminals.

mod analysis;
mod build;
mod change;
mod counts;
mod date;
mod document;
mod drop_list;
mod error;
mod fold;
mod folder;
mod integrity;
mod join;
mod known;
mod options;
mod query_compiler;
mod queue;
mod read_only;
mod reading;
mod schema;
mod search;
mod segments;
mod snippet;
mod state;
mod stems;
mod stoppable;
mod summary;
mod syntax;
mod vocabulary;
mod word_cache;

pub use build::{build, check_output};
pub use change::{IndexChange, IndexedRow, is_index};
pub use counts::Counts;
pub use date::{Day, DayError};
pub use error::IndexError;
pub use integrity::{Integrity, is_reading};
pub use options::{MIN_MEMORY_BYTES, Options};
pub use query_compiler::Replacement;
pub use search::{Filter, PassagePlace, Search, SearchHit, Searcher};
pub use snippet::Snippet;
pub use summary::Summary;
pub use syntax::{Query, SyntaxError};
