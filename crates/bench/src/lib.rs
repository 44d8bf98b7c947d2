//! Measures the cost of a run on this machine, and predicts the cost with more cores. Two people
//! can compare the figures.
//!
//! # The types
//!
//! * A [`Machine`] describes everything besides the program on which figures depend: processor,
//!   cores, memory, kernel, NUMA nodes, clock. [`Neighbours`] reports how many cores other programs
//!   keep busy.
//! * A [`Corpus`] describes the data: its inputs, bytes before and after compression, records, and
//!   a digest. With the digest, two people can check that they measured the same data.
//! * [`AlternatingRuns`] runs several [`MeasuredProcess`]s in alternation, each as a separate
//!   process. A subject is `huller extract` with a worker count, an extractor and a format, or
//!   another program, or a start over one small page. It gives a [`Series`] of [`Run`]s for each
//!   subject. CPU time and memory are the kernel's figures of the process ([`process`]).
//! * [`stages::measure`] measures the cost of each stage by itself, in this process, over records
//!   in memory.
//! * [`SerialParts::measure`] uses synthetic workers to measure the costs of reader, writer and
//!   digests where they never wait for workers.
//! * A [`model`] of the pipeline takes the CPU time of reader, workers and writer. It predicts the
//!   throughput with more cores and the part that limits it ([`Roofline`]).
//! * [`Growth`] fits CPU time to records and bytes over pages that this crate makes.
//! * A [`Bench`] holds the whole measurement. It is written as JSON by serde and as CSV by
//!   [`Bench::to_csv`]. [`BenchTables`] has its tables and charts, which a caller prints or turns
//!   into a page.
//! * [`corpus_maker`] writes a corpus of a requested size from any archives.
//!
//! # The steps of a measurement
//!
//! 1. The caller makes a [`Plan`](huller_pipeline::Plan) of the paths. Then [`Corpus::survey`]
//!    reads all of it once to count records and bytes. From then on, the files are in the page
//!    cache.
//! 2. [`AlternatingRuns::run`] takes the subjects in order, then backwards, then in order again.
//!    Changes on the machine thus affect all of them. For each subject it starts a process, waits
//!    for its end by `wait4(2)`, and reads the run files in `_huller`. These are the statistics,
//!    and the division of CPU time among reader, workers and writer (`run.timing`). A run whose
//!    records or rows differ from those of the others ends the measurement, since a figure for
//!    another amount of work would be worthless.
//! 3. Medians of the runs with one worker give the costs of the [`model`]. The tables show its
//!    prediction beside every measured worker count, so a reader sees its error.
//! 4. [`SerialParts`] are measured in this process. With them the model predicts the throughput for
//!    more cores than the machine has.
//! 5. [`BenchTables::from_bench`] writes the tables.
//!
//! This crate starts programs: the caller's own, and another where the user names one
//! ([`run_once`], [`MeasuredProcess::Other`]). No other crate of the workspace starts programs.

mod alternating_runs;
mod bench;
mod bench_tables;
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
pub mod stages;
pub mod statistics;

pub use alternating_runs::{AlternatingRuns, Progress, WorkFolder, run_once};
pub use bench::{Bench, BenchRequest};
pub use bench_tables::{BenchTables, Chart, ChartLine, Column, Section};
pub use corpus::Corpus;
pub use error::BenchError;
pub use extract_run::Extract;
pub use growth::Growth;
pub use machine::Machine;
pub use neighbours::Neighbours;
pub use roofline::{MeasuredCorpus, ModelCheck, Roofline, ScalingStep};
pub use serial_parts::{MeasuredKind, SerialParts};
pub use series::{MeasuredProcess, Run, Series};
