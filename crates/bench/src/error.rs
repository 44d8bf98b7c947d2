//! Why nothing could be measured.

use huller_archive::ArchiveError;
use huller_pipeline::RunError;
use std::path::PathBuf;

/// Why nothing could be measured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// An input that is no archive on disk.
    #[error(
        "'{0}' cannot be measured: name WARC, ARC, JSONL or table files, which can be read again and again"
    )]
    NotAFile(String),
    /// An input that cannot be read.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A run in this process that failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A path that is not there.
    #[error("cannot read '{path}': {error}")]
    Unusable {
        /// The path, as it was given.
        path: String,
        /// Why.
        error: String,
    },
    /// The inputs gave no row.
    #[error("no page in the inputs gives a row: there is nothing to measure")]
    NoPages,
    /// A program that cannot be started.
    #[error("cannot start '{program}'")]
    Start {
        /// The program.
        program: String,
        /// Why.
        source: std::io::Error,
    },
    /// A program that failed, and the last line of its messages.
    #[error("'{command}' failed ({status}): {message}")]
    Failed {
        /// The command line.
        command: String,
        /// Exit status or signal.
        status: String,
        /// The last line that it wrote to standard error.
        message: String,
    },
    /// Runs over the same corpus that did not do the same.
    #[error(
        "'{subject}' read {records} records and wrote {rows} rows, another run {other_records} and {other_rows}"
    )]
    Unequal {
        /// Which subject.
        subject: String,
        /// Records of this run.
        records: u64,
        /// Rows of this run.
        rows: u64,
        /// Records of the run before.
        other_records: u64,
        /// Rows of the run before.
        other_rows: u64,
    },
    /// Run files that are not as this program writes them.
    #[error("'{0}' is not as a run leaves it")]
    RunFile(PathBuf),
    /// A file of ours that cannot be written or read.
    #[error("cannot use '{path}'")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The measured inputs do not tell records from bytes.
    #[error("the inputs do not differ enough to tell records from bytes")]
    Degenerate,
    /// Other programs keep the machine busy.
    #[error(
        "other programs keep {cores:.2} cores busy, and more than {most:.2} disturb: nothing is recorded"
    )]
    Busy {
        /// Cores that they keep busy.
        cores: f64,
        /// More than so many are too many.
        most: f64,
    },
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl BenchError {
    /// An error about a file of ours.
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> BenchError {
        let path = path.into();
        move |source| BenchError::Io { path, source }
    }
}
