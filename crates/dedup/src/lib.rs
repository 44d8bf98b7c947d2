//! Corpora without their duplicates: exact and near, by address, text and MinHash, out of core.
//!
//! # The types, and how they meet
//!
//! * [`run`] takes corpora and [`Settings`], and leaves an output folder. [`Options`] change none
//!   of its bytes. A [`Monitor`](huller_run::monitor::Monitor) hears how far it is. A [`Summary`]
//!   says what it did: the counts of each input, and a [`ClusterTable`].
//! * A [`Step`] is what makes two rows duplicates, [`Keep`] which of them is kept, [`Outputs`] what
//!   is written.
//! * [`find_duplicates`] asks signatures alone.
//! * The folder, its lock, its journal and its outputs are those of every run ([`huller_run`]).
//!
//! Inside, a run is four phases, each a file, and each goes over its files by `in_order`: chunks of
//! rows are read by one thread, worked on by all, and taken in order.
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
//!    [`CorpusRow`](huller_corpus::CorpusRow) takes it apart. What is no row is counted, and
//!    written nowhere.
//! 2. A [`Signer`](huller_refine::signature::Signer) signs text and address; the record says where
//!    the line begins.
//! 3. The row has a number now: its place among all rows, those of earlier corpora before the
//!    inputs. In each step its digest, or the hash of each of its bands, meets those of all other
//!    rows in `external_sort`; it is linked with the first row that has the same. Linked rows are a
//!    cluster, one of which goes on to the next step.
//! 4. `matched` finds the row again: the next record's place is the offset of its line, or the
//!    signatures are refused.
//! 5. If it is kept, its bytes go to the output as they are, its record with the new place beside
//!    it.
//!
//! # What may be relied upon
//!
//! * **Same bytes**, whatever the threads, and however often the run was killed and gone on with:
//!   `dedup.journal` has a line for each file that is signed, and the digest of the decisions.
//!   `run.journal` has one for each file that is written. Files get their names when all of them is
//!   on the disk.
//! * **Clusters don't depend on the order of inputs.** Which row of a cluster is kept does, by
//!   [`Keep::First`].
//! * **Bounded memory.** 9 bytes a row (21 if a rule asks for more than the order), and the rest of
//!   [`Options::memory`] for pairs, which are sorted on the disk where they don't fit. Lines above
//!   a thirty-second of it are skipped and counted.
//! * **Linear** but for sorting. A million equal rows are a million links to the first of them,
//!   never pairs.
//!
//! This crate knows rows and signatures, no pages and no terminal.

mod candidates;
mod cluster_table;
mod corpus;
mod decide;
mod error;
mod external_sort;
mod folder;
mod host_lines;
mod in_order;
mod journal;
mod list;
mod matched;
mod monitor;
mod nameless;
mod paragraphs;
mod parquet;
mod pool;
mod rows;
mod run;
mod settings;
mod shingle_pass;
mod shingle_store;
mod sign;
mod signatures_only;
mod signed_file;
mod union_find;
mod verified;
mod write;

pub use cluster_table::{ClusterTable, Dropped};
pub use error::DedupError;
pub use run::{LEAST_MEMORY, Options, Summary, run};
pub use settings::{Keep, OutputFormat, Outputs, Settings, Step};
pub use signatures_only::find_duplicates;
