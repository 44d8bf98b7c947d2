//! Threads, order, resume and accounts of a run.
//!
//! # The types, and how they meet
//!
//! * [`Plan`] says which inputs become which outputs. It is made from the paths a user gives, before any work, and
//!   refuses what cannot end well (two inputs with one output).
//! * [`Config`] is what a user said, by flags, keywords or a file; it becomes the settings.
//! * [`Settings`] are everything that decides the bytes of the output; [`Options`] are everything else (threads, resume).
//! * [`run`] does the work and returns a [`Summary`] with an [`Account`] of every input.
//! * [`Rows`] reads one input, and [`Pages`] pages in memory. Both pass rows to a [`RowSink`] and use no files or threads, for
//!   programs that have their own.
//! * [`ProbedPages`] makes rows as a worker does and calls a [`Probe`] between the steps, so what measures them measures the real ones.
//! * A [`Refiner`] sends rows in memory through the stages.
//! * [`Merged`] adds up what several runs did.
//! * A [`Recording`] has what the workers of a run made, and runs again without them: so it is measured what the rest of a run takes.
//! * A [`Monitor`] is told how far the run is, and the program draws its progress with it. This crate prints nothing.
//!
//! # Where things are
//!
//! * `plan/`: from paths to inputs and outputs.
//! * `read/`: from inputs to parcels of records.
//! * `work/`: from records to rows. `page_row.rs` holds what happens to one page.
//! * `write/`: from parcels, in order, to outputs.
//! * `run_files/`: the files of a run besides its outputs, and what a resumed run takes from them.
//! * `verify/`: whether the folder of a run is as the run left it.
//!
//! # One batch's walk
//!
//! A *reader* thread takes a free parcel, fills its batch from the input and sends it off. A *worker* (rayon's pool, one loop in
//! each thread) unpacks the records, turns pages into rows, and encodes the rows as one piece of the output. The *writer* (the
//! thread that called [`run`]) puts parcels back into the order in which they were cut, appends piece, rejects and counts,
//! notes a checkpoint, and returns the parcel to the reader. Four parcels for each worker circulate, which bounds memory, and every
//! channel can hold all of them. So no send blocks, and no cycle of waits can form.
//!
//! A worker that meets damage stops ([`Unpacked::StoppedAt`](huller_archive::Unpacked)), and reads one record after another from
//! there to the end of its batch. Where the damage reaches further, the writer, which alone knows the order, goes on until it comes to
//! the start of a later parcel.
//!
//! # What is on disk when
//!
//! A run begins by writing what decides its bytes to `_huller/run.config`; every later line in the run files has the hash of that.
//! A share also has the digest of its list there, and the list itself in `_huller/run.list`: a resumed share of another list is refused.
//! Rows go to `NAME.part`. After each piece a line in `_huller/run.checkpoint` says which batch comes next, how long the output
//! is, and the digests of output and rejects so far. At the end of the input the writer syncs the part, renames it, and adds a
//! line to `_huller/run.journal`. So a run that was killed loses at most the pieces after the last checkpoint that still holds,
//! and a resumed run makes the same bytes as one that was never killed. Where an input has several files ([`Split`]), a full one is synced and stays a
//! part, checkpoints say of which files that is true, and all get their names at the end, the last one first. [`verify`] compares what is on disk with these files.

mod budget;
mod config;
mod pages;
mod parcel;
mod probe;
mod probed_pages;
mod read;
mod refiner;
mod rows;
mod run;
mod run_config;
mod settings;
mod stages;
mod work;
mod write;

pub use budget::LEAST_MEMORY;
pub use config::{
    CompressChoice, Config, ConfigError, ConfigFile, FormatChoice, IncludeChoice, MarkdownChoice,
    PRESETS, Preset, ProfileChoice, StatusChoice, TextChoice,
};
#[cfg(feature = "flags")]
pub use config::{Flags, parse_bytes, parse_method};
pub use huller_refine::{Language as RowLanguage, Outcome, Reason};
pub use huller_row::{Row, RowSink};
pub use huller_run::account::Account;
pub use huller_run::clocks::thread_nanoseconds;
pub use huller_run::error::RunError;
pub use huller_run::monitor::{Monitor, Progress, Silent};
pub use huller_run::options::{DroppedTo, Options, OutputTo, bounded_threads};
pub use huller_run::part_file::{PartFile, part_of};
pub use huller_run::plan::{
    Collision, HtmlFile, IndexFilter, IndexOptions, Job, Plan, PlanError, PlanOptions, Selected,
    ShardBy, Source, name_of,
};
pub use huller_run::run_files::input_list::{InputList, Shares};
pub use huller_run::run_files::merge::Merged;
pub use huller_run::run_files::timing::Costs;
pub use huller_run::slowest::SlowPage;
pub use huller_run::split::Split;
pub use huller_run::summary::{Ending, InputSummary, PassedOver, Summary, UnusableInput};
pub use huller_run::upload::uploads::Uploads;
pub use huller_run::verify::{
    Coverage, Finding, FindingKind, Finished, Repeated, Severity, State, Verification, VerifyError,
    verify,
};
pub use huller_run::waterfall::{StageCounts, Waterfall};
pub use pages::{Html, Pages};
pub use probe::{PageStep, Probe};
pub use probed_pages::ProbedPages;
pub use refiner::{Refined, Refiner, RowInMemory};
pub use rows::Rows;
pub use run::replay::Recording;
pub use run::{check, run};
pub use settings::{OwnThesaurus, RefineKeys, Settings, Trained};
pub use stages::Stages;
pub use work::include::Include;
