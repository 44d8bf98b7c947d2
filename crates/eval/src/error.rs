//! Why an evaluation cannot be made.

use huller_archive::ArchiveError;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// What ends an evaluation.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EvalError {
    /// A file of gold, predictions or a baseline cannot be read.
    #[error("cannot read '{}': {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system, or the decompressor, said.
        #[source]
        source: io::Error,
    },
    /// A line of such a file is not what it should be.
    #[error("cannot read '{}': line {line}: {what}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: u64,
        /// What is wrong.
        what: String,
    },
    /// An archive cannot be read, or not to its end.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}
