//! Plans runs, makes them durable, resumes and verifies them.
//!
//! This crate knows the inputs, the output folder and the run files. The crates of commands make
//! the rows: `huller_pipeline` extracts and refines, `huller_dedup` drops duplicates.
//!
//! # The types, and how they work together
//!
//! * [`Plan`](plan::Plan) lists the [`Job`](plan::Job)s: each is one input with its output.
//! * [`Options`](options::Options) hold everything that leaves the bytes of the output as they are.
//!   [`RunConfig`](run_files::run_config::RunConfig) holds the settings that decide these bytes.
//! * [`RunFolder`](run_files::folder::RunFolder) is a locked output folder with its journal.
//!   [`RunStart`](run_files::folder::RunStart) is an open one with the jobs that are left to do.
//! * [`OutputFile`](output_file::OutputFile) appends rows to `NAME.part` and computes their
//!   SHA-256. A [`Digest`](digest::Digest) computes it in a thread of its own for large files.
//! * [`Logs`](logs::Logs) are the lists of rejects and of dropped rows.
//! * [`Checkpoint`](run_files::checkpoint::Checkpoint) is the state after one batch of an input.
//!   [`PendingCheckpoints`](pending_checkpoints::PendingCheckpoints) holds checkpoints until their
//!   digests are known.
//! * [`JournalEntry`](run_files::journal::JournalEntry) is a finished input in the
//!   [`Journal`](run_files::journal::Journal).
//! * [`Counters`](counters::Counters) counts records by outcome and reason;
//!   [`Summary`](summary::Summary) adds up the counters of all inputs.
//! * [`Monitor`](monitor::Monitor) receives progress. [`RunError`](error::RunError) ends a run.
//! * [`Uploader`](upload::uploader::Uploader) uploads finished outputs to object storage.
//! * [`FinishedRun`](run_files::finished_run::FinishedRun) replaces outputs of a finished run, and
//!   [`withdrawals`] remembers the pages that were withdrawn.
//! * [`RowPass`](row_pass::RowPass) reads the rows of a corpus for commands that make one output of
//!   all of them. [`SortedRecords`](sorted_records::SortedRecords) adds up what they collect.
//! * [`verify`](verify::verify) compares a folder with its run files, and
//!   [`MergedRuns`](run_files::merge::MergedRuns) adds up several runs.
//!
//! # The steps of a run
//!
//! 1. **Plan.** [`Plan::new`](plan::Plan::new) turns paths into jobs, before any file is written.
//! 2. **Lock.** [`RunFolder::open`](run_files::folder::RunFolder::open) locks `_huller/lock`; a
//!    second run there gets [`RunError::Locked`](error::RunError::Locked). Checks take the lock
//!    shared.
//! 3. **Resume.** The same call reads `run.journal` and `run.checkpoint`, and refuses other
//!    settings. A refusal keeps all outputs and entries. The call keeps the inputs whose files and
//!    outputs are unchanged, and removes the outputs of all others. It writes `run.journal`, then
//!    `run.config`.
//! 4. **Parts.** The rows of an input go to `NAME.part`. A part keeps this name until it is synced.
//! 5. **Checkpoints.** Formats that can be continued get a line in `run.checkpoint` for each batch,
//!    with lengths in bytes and digests of output and logs. A resumed run cuts the part after the
//!    newest line that holds.
//! 6. **Recheck of the input.** At its end [`ChangeDetector`](change_detector::ChangeDetector)
//!    compares the length of the input, and its digest if the time of change differs. A changed
//!    input becomes unusable, and a later run reads it again.
//! 7. **Entry.** The logs and the part are synced, the part gets its name, and the journal gets an
//!    [`JournalEntry`](run_files::journal::JournalEntry). Then the checkpoints are emptied.
//! 8. **Recheck of the run.** [`RunFolder::recheck`](run_files::folder::RunFolder::recheck) looks
//!    at all local inputs and outputs once more. `run.account` and `run.timing` get the statistics.
//! 9. **Finish.** If all inputs were usable, and are done or the limit of rows is reached,
//!    [`RunFolder::mark_complete`](run_files::folder::RunFolder::mark_complete) removes
//!    `run.checkpoint` and writes `_SUCCESS`. The lock ends with the folder.
//!
//! A killed run loses the batches after its newest checkpoint that holds. The resumed run writes
//! the same bytes as an unbroken one. A loss of power keeps every entry.

pub mod change_detector;
pub mod clocks;
pub mod counters;
pub mod digest;
pub mod durable;
pub mod error;
pub mod line_log;
pub mod logs;
pub mod monitor;
pub mod nameless;
pub mod options;
pub mod output_file;
pub mod part_file;
pub mod pending_checkpoints;
pub mod plan;
pub mod row_pass;
pub mod run_files;
pub mod signature_file;
pub mod slowest_pages;
pub mod sorted_records;
pub mod split;
pub mod summary;
pub mod upload;
pub mod verify;
pub mod waterfall;
pub mod withdrawals;
