//! Threads, order, resume and accounts of a run.
//!
//! # The types, and how they meet
//!
//! * [`Plan`] says which inputs become which outputs. It is made from the paths a user gives, before any work, and
//!   refuses what cannot end well (two inputs with one output).
//! * [`Settings`] are what decides the bytes of the output; [`Options`] are everything else (threads, resume).
//! * [`run`] does the work and gives a [`Summary`] with an [`Account`] for every input.
//! * [`Rows`] are those of one input, and [`Pages`] those of pages in memory, as values for a [`RowSink`] and without files or
//!   threads: for those who bring both.
//! * [`Merged`] is what several runs did, added up.
//! * [`Monitor`] is told how the run gets on; the program draws its progress with it. This crate prints nothing.
//!
//! # One batch's walk
//!
//! A *reader* thread takes a free parcel, fills its batch from the input and sends it off. A *worker* (rayon's pool,
//! one loop a thread) unpacks the records, turns pages into rows, and compresses them into one frame. The *writer* (the
//! thread that called [`run`]) puts parcels back into the order they were cut in, appends frame, rejects and counts, notes a
//! checkpoint, and gives the parcel back. A fixed number of parcels goes round, so memory is bounded and nobody can
//! wait for somebody who waits for him.
//!
//! Where a worker meets damage it stops ([`Unpacked::StoppedAt`](huller_archive::Unpacked)) and the writer, who alone
//! knows the order, reads on from there one record after another until it stands on the start of a later parcel.
//!
//! # What is on disk when
//!
//! Rows go to `NAME.part`. After each frame a line in `_huller/checkpoint.jsonl` says which batch comes next, how long the
//! output is, and the digests of output and rejects so far. When the input ends: fsync, rename, a line in `_huller/journal.jsonl`. So a run that was
//! killed loses at most the frames after the last checkpoint that still holds, and `resume` makes the same bytes as a
//! run that was not. [`verify`] holds what is on disk against these files.

mod account;
mod batch_work;
mod checkpoint;
mod error;
mod folder;
mod in_order;
mod include;
mod journal;
mod json;
mod links;
mod lone_page;
mod mending;
mod merge;
mod monitor;
mod options;
mod output;
mod page_row;
mod page_work;
mod pages;
mod parcel;
mod plan;
mod reader;
mod rejects;
mod row;
mod rows;
mod run;
mod run_files;
mod settings;
mod stats;
mod stdin;
mod summary;
mod timing;
mod verify;
mod writer;

pub use account::{Account, Outcome, Reason};
pub use error::RunError;
pub use include::Include;
pub use json::escape_controls;
pub use merge::Merged;
pub use monitor::{Monitor, Progress, Silent};
pub use options::Options;
pub use pages::{Html, Pages};
pub use plan::{Job, Plan, PlanError, PlanOptions, Source, name_of};
pub use row::{Row, RowSink, Texts};
pub use rows::Rows;
pub use run::run;
pub use settings::{OutputTo, Settings, Trained};
pub use summary::{Ending, InputSummary, Summary, UnusableInput};
pub use verify::{Finding, FindingKind, Severity, State, Verification, VerifyError, verify};
