//! Errors that end a withdrawal.

use huller_corpus::CorpusError;
use huller_index::IndexError;
use huller_run::error::RunError;
use std::io;
use std::path::{Path, PathBuf};

/// The reason why a withdrawal could not begin, or had to end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WithdrawError {
    /// The request is invalid.
    #[error("{0}")]
    Usage(String),
    /// A path is neither the folder of a run nor an index.
    #[error("'{}' contains neither a run nor an index", path.display())]
    NoCorpus {
        /// The path.
        path: PathBuf,
    },
    /// A file of a corpus is not as its run left it.
    #[error("'{}' is not as its run left it: {problem}; no row was removed from it", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The problem, as a lower-case fragment.
        problem: String,
    },
    /// A file of rows cannot be read.
    #[error("{}", source.of_file(path))]
    Rows {
        /// The file.
        path: PathBuf,
        /// The error of the reader.
        source: CorpusError,
    },
    /// A list of keys cannot be read.
    #[error("cannot read '{}'", path.display())]
    Input {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A folder cannot be used, or a file of it cannot be written.
    #[error(transparent)]
    Run(#[from] RunError),
    /// An index cannot be used or written.
    #[error(transparent)]
    Index(#[from] IndexError),
}

impl WithdrawError {
    pub(crate) fn damaged(path: &Path, problem: impl Into<String>) -> WithdrawError {
        WithdrawError::Damaged { path: path.to_owned(), problem: problem.into() }
    }
}
