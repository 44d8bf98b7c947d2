//! Removes pages from finished corpora and indexes, and keeps later runs from bringing them back.
//!
//! # The types, and how they work together
//!
//! * [`withdraw`] takes the folders of finished runs and of indexes, and a [`Request`]. A
//!   [`Summary`] reports how many rows each of them lost, and by which rule.
//! * A [`Tombstone`](huller_run::withdrawals::tombstone::Tombstone) is one key of the request, as
//!   the folder keeps it. A [`Finder`](huller_run::withdrawals::finder::Finder) tells whether a row
//!   has such a key. Later runs use the same finder, so a row that is removed now is refused later.
//! * A [`FinishedRun`](huller_run::run_files::finished_run::FinishedRun) replaces the outputs of a
//!   run. An [`IndexChange`](huller_index::IndexChange) deletes documents with their bytes.
//!
//! # The steps of a withdrawal
//!
//! 1. **Lock.** All folders are opened and locked, so nothing changes between the steps. An
//!    unfinished run is refused.
//! 2. **Sign** (`near` only). All rows are read, and the text of each row that the keys name is
//!    signed as `huller dedup` signs it. Each signature is one more key.
//! 3. **Find.** All rows are read again, and compared with all keys of the request and with the
//!    tombstones of all folders. The numbers of the rows that match are noted. Identifiers of near
//!    duplicates become keys too, since their passages have other texts. If a run left signatures
//!    beside its rows, their texts are not signed again.
//! 4. **Note.** The tombstones become durable in every folder, before the first row is removed.
//! 5. **Rewrite.** Each file with such rows is copied without them, by its
//!    [`Format`](huller_row::Format). Further formats lose the rows of the same numbers, passages
//!    those of the same page, and signatures the records of the same rows. Then the journal takes
//!    over the new digests, and counts the rows as skipped for the reason `withdrawn`.
//! 6. **Indexes** delete the documents, merge every segment that had one, and remove the old files.
//!
//! # Guarantees
//!
//! * **The same bytes** after a kill at any moment and a repetition. Tombstones keep the time of
//!   the first attempt, and a group of files is replaced as a whole. Files of an index may differ.
//! * **A repetition changes nothing**, since no row matches any more.
//! * **Other rows keep their bytes**: the lines, the records, the values of the columns.
//! * **Bounded memory.** A key takes 16 bytes, a signature 128. A row that is removed takes 16
//!   bytes and its identifier. Each thread holds one frame of rows, one Parquet group or one Arrow
//!   batch.
//!
//! Texts that a user copied elsewhere, lists of `huller dedup --mark`, archives of the pages and
//! copies in backups are beyond the reach of this crate.

mod error;
mod find;
mod keys;
mod request;
mod rewrite;
mod signed_rows;
mod summary;
mod target;
mod withdrawal;

pub use error::WithdrawError;
pub use request::Request;
pub use summary::{Summary, TargetSummary};
pub use withdrawal::withdraw;
