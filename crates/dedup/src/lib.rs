//! Removes duplicates from corpora: exact and near ones, by URL, text and MinHash, out of core.
//!
//! # The types, and how they work together
//!
//! * [`run`] takes corpora and [`Settings`], and writes an output folder. [`Options`] change none
//!   of its bytes. A [`Monitor`](huller_run::monitor::Monitor) receives the progress. A [`Summary`]
//!   reports the result: the counts of each input, and a [`ClusterTable`].
//! * A [`DedupStep`] is a rule by which two rows are duplicates. [`Keep`] chooses the row that is
//!   kept, and [`Outputs`] the files that are written.
//! * [`find_duplicates`] uses signatures alone.
//! * The folder, its lock, its journal and its outputs come from [`huller_run`], as in every run.
//!
//! Inside, a run has four phases, each in one file. Each phase passes over its files by `in_order`:
//! one thread reads chunks of rows, all threads process them, and the results come in order.
//!
//! ```text
//!  corpus      which files there are, and where their signatures may be
//!    │
//!  sign        lines ──► records of signatures, a file for each input     (not where the stage `signature` wrote them)
//!    │
//!  decide      records ──► pairs (key, row) ──► external_sort ──► union_find ──► the row that is kept for each row
//!    │         one step after another: addresses, texts, bands
//!  host_lines  lines of all kept rows ──► external_sort ──► those of too many pages       (only if asked)
//!    │
//!  write       lines and decisions ──► frames in order ──► outputs and their signatures
//! ```
//!
//! # One row's walk
//!
//! 1. A [`RowReader`](huller_corpus::RowReader) reads its line, and a
//!    [`CorpusRow`](huller_corpus::CorpusRow) splits it into members. Lines that are not rows are
//!    counted, and not written.
//! 2. A [`Signer`](huller_refine::signature::Signer) signs text and URL. The record notes where the
//!    line begins.
//! 3. The row now has a number: its place among all rows, with those of earlier corpora before the
//!    inputs. In each step `external_sort` brings its digest, or the hash of each of its bands,
//!    together with those of all other rows. The row is linked with the first row that has the
//!    same. Linked rows are a cluster, and one row of a cluster goes on to the next step.
//! 4. `matched_lines` finds the row again: the next record's place must be the offset of its line.
//!    Otherwise the signatures are refused.
//! 5. If the row is kept, its bytes go to the output unchanged, and its record goes to the
//!    signatures with the new place.
//!
//! # What may be relied upon
//!
//! * **Same bytes**, for any number of threads, and for any number of kills and resumes:
//!   `dedup.journal` has a line for each signed file, and the digest of the decisions.
//!   `run.journal` has a line for each written file. Files get their names when they are on the
//!   disk as a whole.
//! * **Clusters do not depend on the order of inputs.** With [`Keep::First`] the order does decide
//!   which row of a cluster is kept.
//! * **Bounded memory.** 9 bytes per row (21 if a rule compares more than the order), and the rest
//!   of [`Options::memory`] for pairs. Pairs that do not fit are sorted on the disk. Lines longer
//!   than a thirty-second of the memory are skipped and counted.
//! * **Linear** except for sorting. A million equal rows are a million links to the first row,
//!   never all pairs.
//!
//! This crate knows rows and signatures, no pages and no terminal.

mod candidates;
mod cluster_table;
mod corpus;
mod decide;
mod drop_list;
mod error;
mod external_sort;
mod file_pass;
mod folder;
mod host_lines;
mod journal;
mod kept_records;
mod list;
mod matched_lines;
mod monitor;
mod paragraphs;
mod pool;
mod rows;
mod rows_file;
mod run;
mod settings;
mod shingle_pass;
mod shingle_store;
mod sign;
mod signatures_only;
mod signed_file;
mod union_find;
mod verified_links;
mod withdrawn_rows;
mod write;

pub use cluster_table::{ClusterTable, DropCounts};
pub use drop_list::DropBy;
pub use error::DedupError;
pub use run::{MIN_MEMORY_BYTES, Options, Summary, run};
pub use settings::{DedupStep, Keep, OutputFormat, Outputs, RowsFormat, Settings};
pub use signatures_only::find_duplicates;
