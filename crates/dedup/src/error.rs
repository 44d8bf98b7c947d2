//! What ends a run.

use huller_corpus::CorpusError;
use huller_refine::InvalidSettings;
use huller_refine::signature::file::FormatError;
use huller_run::error::RunError;
use huller_run::plan::PlanError;
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
    /// An input that was signed cannot be read again.
    #[error("'{input}' cannot be read again: {error}")]
    Reread {
        /// Its name.
        input: String,
        /// Why.
        error: CorpusError,
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
    /// The inputs do not make a plan.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The folder cannot be used, or a file of it cannot be written or read back.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl DedupError {
    pub(crate) fn cannot_resume(reason: impl Into<String>) -> DedupError {
        RunError::CannotResume { reason: reason.into() }.into()
    }

    pub(crate) fn input(path: &Path) -> impl FnOnce(io::Error) -> DedupError {
        let path = path.to_owned();
        move |source| DedupError::Input { path, source }
    }

    pub(crate) fn output(
        action: &'static str,
        path: &Path,
    ) -> impl FnOnce(io::Error) -> DedupError {
        let path = path.to_owned();
        move |source| RunError::Output { action, path, source }.into()
    }

    pub(crate) fn signatures(path: &Path, problem: impl Into<String>) -> DedupError {
        DedupError::Signatures { path: path.to_owned(), problem: problem.into() }
    }

    pub(crate) fn format(path: &Path) -> impl FnOnce(FormatError) -> DedupError {
        let path = path.to_owned();
        move |error| DedupError::Signatures { path, problem: error.to_string() }
    }
}
