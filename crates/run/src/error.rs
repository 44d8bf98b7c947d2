//! What ends a run.

use std::io;
use std::path::PathBuf;

/// Why a run could not begin, or had to end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// An output is there already.
    #[error("'{}' exists", path.display())]
    OutputExists {
        /// The file.
        path: PathBuf,
    },
    /// The folder holds an earlier run.
    #[error("'{}' holds an earlier run", path.display())]
    EarlierRun {
        /// The folder.
        path: PathBuf,
    },
    /// The run to be resumed had other settings.
    #[error("cannot resume: {reason}")]
    CannotResume {
        /// What differs.
        reason: String,
    },
    /// The run to be resumed left no account of its settings.
    #[error("cannot resume: the run in '{}' was made by an earlier version of huller, which noted no settings", path.display())]
    EarlierVersion {
        /// The folder.
        path: PathBuf,
    },
    /// Another run works in the folder.
    #[error("'{}' is locked by another run", path.display())]
    Locked {
        /// The folder.
        path: PathBuf,
    },
    /// There is nothing that a run left.
    #[error("'{}' holds no run", path.display())]
    NoRun {
        /// The folder or file.
        path: PathBuf,
    },
    /// What a run left cannot be understood.
    #[error("'{}' is damaged: {reason}", path.display())]
    DamagedRun {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A file of the output, or a folder above it, is a symbolic link.
    #[error("'{}' is a symbolic link, and nothing is written through one", path.display())]
    Link {
        /// The link.
        path: PathBuf,
    },
    /// What is to be overwritten is an input.
    #[error("--overwrite would remove the input '{}', which is an output of the run in the folder", path.display())]
    RemovesInput {
        /// The input.
        path: PathBuf,
    },
    /// What is to be overwritten is not what a run left there.
    #[error("--overwrite would remove '{}', which is not as the run in the folder left it", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The folder that is to be overwritten holds files, and no run made it.
    #[error("'{}' holds files, and no run of huller made it", path.display())]
    NoRunOfOurs {
        /// The folder.
        path: PathBuf,
    },
    /// The file that is to list rejects or dropped rows is there and is something else.
    #[error("'{}' holds something else than {lines}, and is not overwritten", path.display())]
    NotLog {
        /// The file.
        path: PathBuf,
        /// What it was to hold.
        lines: &'static str,
        /// The option that names it.
        option: &'static str,
    },
    /// Outputs have names that the file system takes for one.
    #[error(
        "the file system does not tell upper from lower case, so these inputs have one output: {inputs}"
    )]
    OnlyCaseDiffers {
        /// Their names, in quotes.
        inputs: String,
    },
    /// A file of the output could not be written or read back.
    #[error("cannot {action} '{}': {source}", path.display())]
    Output {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A run that the command only reads, which is no output of it, cannot be read.
    #[error("cannot read '{}': {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Standard output could not be written.
    #[error("cannot write to standard output: {0}")]
    Stdout(#[source] io::Error),
    /// The threads could not be started.
    #[error("cannot start the workers: {0}")]
    Threads(String),
    /// A thread of the run failed; a bug to report.
    #[error("a worker failed: {0}")]
    Worker(String),
}

impl RunError {
    /// Makes an error of the system into a [`RunError::Output`] with the path.
    ///
    /// `action` follows "cannot" in the message, such as `write` or `rename to`.
    pub fn output(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> RunError {
        let path = path.into();
        move |source| RunError::Output { action, path, source }
    }

    /// The error of a file that is an input of the command at hand, and an output elsewhere.
    pub(crate) fn of_input(self) -> RunError {
        match self {
            RunError::Output { path, source, .. } => RunError::Unreadable { path, source },
            error => error,
        }
    }
}
