//! What ends the building of an index, or a search.

use crate::syntax::SyntaxError;
use huller_run::error::RunError;
use huller_run::plan::PlanError;
use std::io;
use std::path::{Path, PathBuf};
use tantivy::TantivyError;
use tantivy::directory::error::LockError;

/// Why an index could not be built or asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// What is asked for cannot be done.
    #[error("{0}")]
    Usage(String),
    /// The corpora do not make a plan.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Another run works in the folder, or its lock cannot be taken.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A file cannot be read.
    #[error("cannot read '{}'", path.display())]
    Input {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There is an index already.
    #[error("'{}' exists", path.display())]
    Exists {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds something that is no index of ours.
    #[error("'{}' is no index: {problem}", path.display())]
    NoIndex {
        /// The folder.
        path: PathBuf,
        /// What is wrong: a lower-case fragment.
        problem: String,
    },
    /// The index cannot be gone on with.
    #[error("cannot resume: {0}")]
    CannotResume(String),
    /// Another process writes the index.
    #[error("'{}' is locked by another run", path.display())]
    Locked {
        /// The folder.
        path: PathBuf,
    },
    /// The index cannot be written.
    #[error("cannot {action} '{}'", path.display())]
    Output {
        /// What was tried.
        action: &'static str,
        /// The folder or file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A query cannot be understood.
    #[error("{0}")]
    Syntax(#[from] SyntaxError),
    /// The index cannot be read: a file of it is gone or damaged.
    #[error("cannot read the index '{}'", path.display())]
    Damaged {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: TantivyError,
    },
}

impl IndexError {
    pub(crate) fn output(
        action: &'static str,
        path: &Path,
    ) -> impl FnOnce(io::Error) -> IndexError {
        let path = path.to_owned();
        move |source| IndexError::Output { action, path, source }
    }

    /// Of a call that writes.
    pub(crate) fn writing(path: &Path) -> impl Fn(TantivyError) -> IndexError {
        let path = path.to_owned();
        move |error| {
            let path = path.clone();
            match error {
                TantivyError::LockFailure(LockError::LockBusy, _) => IndexError::Locked { path },
                TantivyError::IoError(source) => {
                    let source = io::Error::new(source.kind(), source.to_string());
                    IndexError::Output { action: "write", path, source }
                }
                error => {
                    let source = io::Error::other(error);
                    IndexError::Output { action: "write", path, source }
                }
            }
        }
    }

    /// Of a call that reads.
    pub(crate) fn reading(path: &Path) -> impl Fn(TantivyError) -> IndexError {
        let path = path.to_owned();
        move |source| IndexError::Damaged { path: path.clone(), source }
    }
}
