//! The errors of evaluations.

use huller_archive::ArchiveError;
use huller_corpus::CorpusError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// The reason why an evaluation failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EvalError {
    /// A file of gold, predictions or a baseline cannot be read.
    #[error("cannot read '{}': {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system or of the decompressor.
        #[source]
        source: io::Error,
    },
    /// A line of such a file is malformed.
    #[error("cannot read '{}': line {line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: u64,
        /// A description of the fault.
        problem: String,
    },
    /// An archive cannot be read to its end.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A file of predictions cannot be read as rows.
    #[error(transparent)]
    Rows(#[from] CorpusError),
    /// The caller stopped the evaluation.
    #[error("the evaluation was interrupted")]
    Interrupted,
    /// The threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}
