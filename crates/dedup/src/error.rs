//! Errors that end a run.

use huller_corpus::CorpusError;
use huller_refine::InvalidSettings;
use huller_refine::signature::signature_file::FormatError;
use huller_run::error::RunError;
use huller_run::plan::PlanError;
use std::io;
use std::path::{Path, PathBuf};

/// The reason why a run could not begin, or had to end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DedupError {
    /// The request is invalid.
    #[error("{0}")]
    Usage(String),
    /// A setting of signatures is out of its range.
    #[error("signatures: {0}")]
    Settings(#[from] InvalidSettings),
    /// A corpus cannot be read.
    #[error("cannot read '{}'", path.display())]
    Input {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// An input that was signed cannot be read again.
    #[error("'{input}' cannot be read again: {error}")]
    Reread {
        /// The name of the input.
        input: String,
        /// The error of the reader.
        error: CorpusError,
    },
    /// A file of signatures cannot be used.
    #[error("cannot use the signatures '{}': {problem}", path.display())]
    Signatures {
        /// The file.
        path: PathBuf,
        /// The problem, as a fragment without a capital.
        problem: String,
    },
    /// The run has more rows than it can number.
    #[error("more than {max} rows: deduplicate parts of the corpus, then their outputs together")]
    TooManyRows {
        /// The maximum number of rows of a run.
        max: u32,
    },
    /// The clusters of this many rows need more memory than the run has.
    #[error(
        "{rows} rows need --memory {}M, but it is {}M",
        needed_bytes.div_ceil(1 << 20),
        memory >> 20
    )]
    Memory {
        /// Number of rows.
        rows: u64,
        /// Bytes that they need.
        needed_bytes: u64,
        /// Bytes of the memory limit.
        memory: u64,
    },
    /// No run can be planned from the inputs.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The folder cannot be used, or a file in it cannot be written or read back.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl DedupError {
    pub(crate) fn cannot_resume(reason: impl Into<String>) -> DedupError {
        RunError::CannotResume { reason: reason.into() }.into()
    }

    pub(crate) fn input_error(path: &Path) -> impl FnOnce(io::Error) -> DedupError {
        let path = path.to_owned();
        move |source| DedupError::Input { path, source }
    }

    pub(crate) fn output_error(
        action: &'static str,
        path: &Path,
    ) -> impl FnOnce(io::Error) -> DedupError {
        let path = path.to_owned();
        move |source| RunError::Output { action, path, source }.into()
    }

    pub(crate) fn unusable_signatures(path: &Path, problem: impl Into<String>) -> DedupError {
        DedupError::Signatures { path: path.to_owned(), problem: problem.into() }
    }

    pub(crate) fn bad_format(path: &Path) -> impl FnOnce(FormatError) -> DedupError {
        let path = path.to_owned();
        move |error| DedupError::Signatures { path, problem: error.to_string() }
    }
}
