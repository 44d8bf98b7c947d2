//! Errors that end a run or keep it from starting.

use crate::run_files::side_tables::SideTable;
use std::io;
use std::path::PathBuf;

/// The reason why a run could not begin, or had to end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The output exists already.
    #[error("'{}' exists", path.display())]
    OutputExists {
        /// The file.
        path: PathBuf,
    },
    /// The folder holds an earlier run.
    #[error("'{}' contains an earlier run", path.display())]
    EarlierRun {
        /// The folder.
        path: PathBuf,
    },
    /// The run to be resumed had other settings.
    #[error("cannot resume: {reason}")]
    CannotResume {
        /// The differences.
        reason: String,
    },
    /// The run to be resumed left no record of its settings.
    #[error("cannot resume: the run in '{}' was made by an earlier version of huller, which did \
    not record its settings", path.display())]
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
    /// No run left files there.
    #[error("'{}' contains no run", path.display())]
    NoRun {
        /// The folder or file.
        path: PathBuf,
    },
    /// The run in the folder has not reached its end, so its outputs cannot be replaced.
    #[error("'{}' contains an unfinished run", path.display())]
    Unfinished {
        /// The folder.
        path: PathBuf,
    },
    /// A run file is damaged.
    #[error("'{}' is damaged: {reason}", path.display())]
    DamagedRun {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The folder of a side table lies in another folder of the run, or around it.
    #[error("'{}' and another folder of the run lie in one another: write {} to a folder of their \
    own beside that of the rows", path.display(), table.rows())]
    NestedFolders {
        /// The folder of the side table.
        path: PathBuf,
        /// The side table.
        table: SideTable,
    },
    /// The rows do not go to a local folder, so a side table has no place beside them.
    #[error("{} are written only beside rows in a local folder: give one with -o", table.rows())]
    SideTableWithoutFolder {
        /// The side table.
        table: SideTable,
    },
    /// A file of the output, or a folder above it, is a symbolic link.
    #[error("'{}' is a symbolic link; outputs are not written through links", path.display())]
    Link {
        /// The link.
        path: PathBuf,
    },
    /// An input would be overwritten.
    #[error("--overwrite would remove the input '{}', which is an output of the run in the folder", path.display())]
    RemovesInput {
        /// The input.
        path: PathBuf,
    },
    /// A file to be overwritten has changed since the earlier run wrote it.
    #[error("--overwrite would remove '{}', which was changed after the run in the folder wrote it", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The folder to be overwritten holds files, and huller did not make it.
    #[error("'{}' contains files but no run of huller", path.display())]
    NoRunOfOurs {
        /// The folder.
        path: PathBuf,
    },
    /// The file for rejects or dropped rows exists and holds something else.
    #[error("'{}' contains other data than {lines} and is not overwritten", path.display())]
    NotLog {
        /// The file.
        path: PathBuf,
        /// The lines that it should hold.
        lines: &'static str,
        /// The option that names the file.
        option: &'static str,
    },
    /// The file system treats the names of several outputs as equal.
    #[error(
        "the file system ignores upper and lower case, so these inputs have the same output: \
         {inputs}"
    )]
    OnlyCaseDiffers {
        /// Names of the inputs, in quotes.
        inputs: String,
    },
    /// A file of the output could not be written or read back.
    #[error("cannot {action} '{}': {source}", path.display())]
    Output {
        /// The attempted action.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A run that the command only reads cannot be read.
    #[error("cannot read '{}': {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The error of the system.
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
    /// Returns a function that makes an error of the system a [`RunError::Output`] with the path.
    ///
    /// `action` follows "cannot" in the message, such as `write` or `rename to`.
    pub fn output(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> RunError {
        let path = path.into();
        move |source| RunError::Output { action, path, source }
    }

    /// Converts an output error for a file that this command reads as input.
    pub(crate) fn into_input_error(self) -> RunError {
        match self {
            RunError::Output { path, source, .. } => RunError::Unreadable { path, source },
            error => error,
        }
    }
}
