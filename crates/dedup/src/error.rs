//! What ends a run.

use huller_refine::InvalidSettings;
use huller_refine::signature::file::FormatError;
use std::io;
use std::path::{Path, PathBuf};

/// Why a run could not begin, or had to end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DedupError {
    /// What is asked for cannot be done.
    #[error("{0}")]
    Usage(String),
    /// A setting cannot be.
    #[error("signatures: {0}")]
    Settings(#[from] InvalidSettings),
    /// A corpus cannot be read.
    #[error("cannot read '{}'", path.display())]
    Input {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file of signatures cannot be used.
    #[error("cannot use the signatures '{}': {problem}", path.display())]
    Signatures {
        /// The file.
        path: PathBuf,
        /// What is wrong: a lower-case fragment.
        problem: String,
    },
    /// There are more rows than can be numbered.
    #[error("more than {most} rows: deduplicate parts, and then their outputs together")]
    TooManyRows {
        /// How many can be.
        most: u32,
    },
    /// The clusters of so many rows take more memory than there is.
    #[error("{rows} rows need --memory {}M, and it is {}M", needed.div_ceil(1 << 20), memory >> 20)]
    Memory {
        /// Rows.
        rows: u64,
        /// Bytes that they need.
        needed: u64,
        /// Bytes that there are.
        memory: u64,
    },
    /// The folder holds an earlier run, or the output another file.
    #[error("'{}' exists", path.display())]
    Exists {
        /// The folder or file.
        path: PathBuf,
    },
    /// The run to be resumed was another one.
    #[error("cannot resume: {0}")]
    CannotResume(String),
    /// Another run works in the folder.
    #[error("'{}' is locked by another run", path.display())]
    Locked {
        /// The folder.
        path: PathBuf,
    },
    /// A file of the output cannot be written or read back.
    #[error("cannot {action} '{}'", path.display())]
    Output {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl DedupError {
    pub(crate) fn input(path: &Path) -> impl FnOnce(io::Error) -> DedupError {
        let path = path.to_owned();
        move |source| DedupError::Input { path, source }
    }

    pub(crate) fn output(
        action: &'static str,
        path: &Path,
    ) -> impl FnOnce(io::Error) -> DedupError {
        let path = path.to_owned();
        move |source| DedupError::Output { action, path, source }
    }

    pub(crate) fn signatures(path: &Path, problem: impl Into<String>) -> DedupError {
        DedupError::Signatures { path: path.to_owned(), problem: problem.into() }
    }

    pub(crate) fn format(path: &Path) -> impl FnOnce(FormatError) -> DedupError {
        let path = path.to_owned();
        move |error| DedupError::Signatures { path, problem: error.to_string() }
    }
}
