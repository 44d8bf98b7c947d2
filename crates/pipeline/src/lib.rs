//! Reads inputs, makes rows of their records in many threads, and writes the rows in order.
//!
//! [`huller_run`] holds the rest of a run: its plan, the run files, resume, verification and
//! uploads. Its front page walks one run from the plan to `_SUCCESS`.
//!
//! # The types, and how they work together
//!
//! * [`Config`] holds options as the user gave them, by flags, keywords or a file.
//! * [`Settings`] are made of it. They decide the bytes of the output; [`Options`] decide the rest.
//! * [`run`] carries out a [`Plan`] and returns a [`Summary`] with an [`Counters`] of every input.
//!   [`check`] finds out whether [`run`] would refuse, and leaves the disk as it is.
//! * [`Rows`] reads one input, and [`Pages`] takes pages in memory. Both pass rows to a [`RowSink`]
//!   and use neither files nor threads, for programs that have their own.
//! * [`ProbedPages`] makes rows as a worker does and calls a [`Probe`] between the steps, so a
//!   measurement covers the real steps.
//! * [`Refiner`] sends rows in memory through the stages.
//! * [`Recording`] holds the output of the workers of a run, and runs again without them. This
//!   measures the cost of reader and writer alone.
//! * A [`SideOutput`] is a table that a run writes beside its rows: passages, links or escalated
//!   pages.
//! * [`Monitor`] receives the progress of a run. The program prints it.
//!
//! # Where things are
//!
//! * `config/`: from options to settings.
//! * `read/`: from inputs to work items of records.
//! * `work/`: from records to rows. `page_row.rs` makes the row of one page.
//! * `write/`: from work items, in order, to outputs.
//! * `run/`: the threads of a run.
//!
//! # One batch's walk
//!
//! A *reader* thread takes a free work item, fills its batch from the input and sends it off. A
//! *worker* (rayon's pool, one loop in each thread) unpacks the records and turns pages into rows.
//! It encodes the rows as one piece of the output.
//!
//! The *writer* (the thread that called [`run`]) puts work items back into the order of their
//! batches. It appends piece, rejects and counts, notes a checkpoint, and returns the work item to
//! the reader.
//!
//! Four work items for each worker circulate, which bounds memory, and every channel can hold all
//! of them. So no send blocks, and no cycle of waits can form.
//!
//! A worker that meets damage stops ([`UnpackResult::StoppedAt`](huller_archive::UnpackResult)). It
//! reads one record after another from there to the end of its batch. The writer alone knows the
//! order: where the damage reaches further, it reads on up to the start of a later work item.

mod budget;
mod config;
mod pages;
mod passage_cutter;
mod probe;
mod probed_pages;
mod read;
mod refiner;
mod revisits;
mod rows;
mod run;
mod run_config;
mod settings;
mod side_output;
mod stages;
mod work;
mod work_item;
mod write;

pub use budget::MIN_MEMORY_BYTES;
pub use config::{
    CompressChoice, Config, ConfigError, ConfigFile, ConfigOption, FormatChoice, IncludeChoice,
    MarkdownChoice, PRESETS, Preset, ProfileChoice, RuleChoice, StatusChoice, TextChoice,
};
#[cfg(feature = "flags")]
pub use config::{Flags, parse_bytes, parse_extractor};
pub use huller_passages::PassageSettings;
pub use huller_refine::{Bucket, Language as RowLanguage, Perplexity, Reason, RejectionKind};
pub use huller_row::{Row, RowSink};
pub use huller_run::clocks::thread_nanoseconds;
pub use huller_run::counters::Counters;
pub use huller_run::error::RunError;
pub use huller_run::monitor::{Monitor, Progress, SilentMonitor};
pub use huller_run::options::{DroppedRowsFolder, Options, OutputTo, bounded_threads};
pub use huller_run::part_file::{PartFile, part_of};
pub use huller_run::plan::{
    Collision, HtmlFile, IndexFilter, IndexOptions, Job, JobSource, PatternError, Plan, PlanError,
    PlanOptions, RecordSelection, ShardBy, name_of, paths_of,
};
pub use huller_run::run_files::input_list::{InputList, ShardRule};
pub use huller_run::run_files::merge::MergedRuns;
pub use huller_run::run_files::stats::json as stats_json;
pub use huller_run::run_files::timing::Costs;
pub use huller_run::slowest_pages::SlowPage;
pub use huller_run::split::Split;
pub use huller_run::summary::{IgnoredFiles, InputSummary, RunEnding, Summary, UnusableInput};
pub use huller_run::upload::uploads::Uploads;
pub use huller_run::verify::{
    Coverage, Finding, FindingKind, FinishedInputs, FolderState, RepeatedInput, Severity,
    Verification, VerifyError, verify,
};
pub use huller_run::waterfall::{ExtractorYield, StageCounts, Waterfall};
pub use huller_run::withdrawals::keys::Withdrawals;
pub use pages::{Html, Pages};
pub use passage_cutter::PassageCutter;
pub use probe::{PageStep, Probe};
pub use probed_pages::ProbedPages;
pub use refiner::{RefinedRow, Refiner, RowInMemory};
pub use revisits::{Revisits, RevisitsError};
pub use rows::Rows;
pub use run::replay::Recording;
pub use run::{check, run};
pub use settings::{OwnThesaurus, RowKeys, Settings, TrainedExtractor};
pub use side_output::{PassageContent, SideContent, SideForm, SideOutput};
pub use stages::Stages;
pub use work::choice_rule::ChoiceRule;
pub use work::include::Include;
