//! What a run costs on this machine, and what it would cost with more cores: figures that two
//! people can compare.
//!
//! # The types, and how they meet
//!
//! * A [`Machine`] is what figures depend on besides the program: processor, cores, memory, kernel,
//!   NUMA nodes, clock. [`Neighbours`] tells how many cores other programs keep busy.
//! * A [`Corpus`] is what is read: its inputs, bytes before and after compression, records, and a
//!   digest, by which two people know that they measured the same.
//! * A [`Contest`] has several [`Subject`]s (`huller extract` with so many workers, a method and a
//!   format; another program; a start over one small page) run in alternation, each as a whole
//!   process, and gives a [`Series`] of [`Run`]s for each. CPU time and memory are the kernel's
//!   figures of that process ([`process`]).
//! * [`stages::measure`] gives the cost of each stage apart, in this process, over records held in
//!   memory.
//! * [`SerialParts::measure`] gives what reader, writer and digests take where workers never let
//!   them wait, by synthetic workers.
//! * A [`model`] of the pipeline takes the CPU time of reader, workers and writer, and says what
//!   more cores would give and what would bound them ([`Roofline`]).
//! * [`Growth`] fits CPU time to records and bytes over pages that this crate makes.
//! * A [`Bench`] is all of it. It becomes JSON by itself, CSV by [`Bench::to_csv`], and a [`Sheet`]
//!   of tables and charts that a caller prints, or makes a page of.
//! * [`corpus_maker`] writes a corpus of a wanted size from any archives.
//!
//! # One measurement's walk
//!
//! 1. The caller makes a [`Plan`](huller_pipeline::Plan) of the paths, and [`Corpus::survey`] reads
//!    all of it once: records and bytes are counted, and the files are in the page cache from then
//!    on.
//! 2. [`Contest::hold`] takes the subjects in order, then backwards, then in order again, so that
//!    what the machine does meanwhile falls on all of them. For each it starts a process, waits for
//!    its end by `wait4(2)`, and reads what the run left in `_huller`: the account, and how its CPU
//!    time divides among reader, workers and writer (`run.timing`). A run whose records or rows
//!    differ from those of the others ends the measurement: a figure for another amount of work
//!    would be worth nothing.
//! 3. Medians of the runs with one worker give the costs of the [`model`]. Its prediction stands
//!    beside every worker count that was measured, so a reader sees how far it is off.
//! 4. [`SerialParts`] are measured in this process. With them the model says what more cores would
//!    give than the machine has.
//! 5. [`Sheet::of`] writes the tables.
//!
//! This crate starts programs: the caller's and, where the user names one, another ([`run_once`],
//! [`Subject::Other`]). It is the only crate of ours that does.

mod bench;
mod contest;
mod corpus;
pub mod corpus_maker;
mod error;
mod extract_run;
pub mod fit;
mod generated_pages;
pub mod growth;
pub mod machine;
pub mod model;
mod neighbours;
pub mod process;
mod roofline;
mod serial_parts;
mod series;
mod sheet;
pub mod stages;
pub mod statistics;

pub use bench::{Asked, Bench};
pub use contest::{Contest, Progress, WorkFolder, run_once};
pub use corpus::Corpus;
pub use error::BenchError;
pub use extract_run::Extract;
pub use growth::Growth;
pub use machine::Machine;
pub use neighbours::Neighbours;
pub use roofline::{Checked, Place, Roofline, Step};
pub use serial_parts::{Measured, SerialParts};
pub use series::{Run, Series, Subject};
pub use sheet::{Chart, Column, Line, Section, Sheet};
