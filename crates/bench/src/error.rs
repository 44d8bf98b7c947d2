//! The reasons why a measurement fails.

use huller_archive::ArchiveError;
use huller_pipeline::RunError;
use std::path::PathBuf;

/// The reason why a measurement failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// An input that is not an archive on disk.
    #[error(
        "'{0}' cannot be measured: give WARC, ARC, JSONL or table files, which can be read \
         repeatedly"
    )]
    NotAFile(String),
    /// An input that cannot be read.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A run in this process that failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A path that does not exist.
    #[error("cannot read '{path}': {error}")]
    Unusable {
        /// The path, as the user gave it.
        path: String,
        /// The reason.
        error: String,
    },
    /// The inputs gave no row.
    #[error("no page in the inputs yields a row: there is nothing to measure")]
    NoPages,
    /// A program that cannot be started.
    #[error("cannot start '{program}'")]
    Start {
        /// The program.
        program: String,
        /// The reason.
        source: std::io::Error,
    },
    /// A program that failed, with the last line of its messages.
    #[error("'{command}' failed ({status}): {message}")]
    Failed {
        /// The command line.
        command: String,
        /// Exit status or signal.
        status: String,
        /// The last line that it wrote to standard error.
        message: String,
    },
    /// Two runs over the same corpus that did different amounts of work.
    #[error(
        "'{subject}' read {records} records and wrote {rows} rows, but another run \
         {other_records} and {other_rows}"
    )]
    Unequal {
        /// The subject.
        subject: String,
        /// Records of this run.
        records: u64,
        /// Rows of this run.
        rows: u64,
        /// Records of the earlier run.
        other_records: u64,
        /// Rows of the earlier run.
        other_rows: u64,
    },
    /// A run file in an unexpected format.
    #[error("'{0}' is not the complete output of a run")]
    RunFile(PathBuf),
    /// A file of this program that cannot be written or read.
    #[error("cannot use '{path}'")]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// Inputs whose costs per record and per byte cannot be separated.
    #[error("the inputs are too similar to separate the cost of records from that of bytes")]
    Degenerate,
    /// Other programs keep the machine busy.
    #[error(
        "other programs keep {cores:.2} cores busy, more than the limit of {most:.2}: nothing is \
         recorded"
    )]
    Busy {
        /// The number of cores that they keep busy.
        cores: f64,
        /// The most cores that others may keep busy.
        most: f64,
    },
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl BenchError {
    /// Returns an error about a file of this program.
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> BenchError {
        let path = path.into();
        move |source| BenchError::Io { path, source }
    }
}
