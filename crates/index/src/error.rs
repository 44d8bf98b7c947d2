//! Errors that end the building of an index, or a search.

use crate::syntax::SyntaxError;
use huller_run::error::RunError;
use huller_run::plan::PlanError;
use std::io;
use std::path::{Path, PathBuf};
use tantivy::TantivyError;
use tantivy::directory::error::{LockError, OpenDirectoryError, OpenReadError, OpenWriteError};

/// The reason why an index could not be built or searched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The options cannot be used.
    #[error("{0}")]
    Usage(String),
    /// The corpora give no plan.
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
        /// The error of the system.
        source: io::Error,
    },
    /// The index exists already.
    #[error("'{}' exists", path.display())]
    Exists {
        /// The folder.
        path: PathBuf,
    },
    /// The folder does not hold an index of huller.
    #[error("'{}' is not an index: {problem}", path.display())]
    NoIndex {
        /// The folder.
        path: PathBuf,
        /// The problem, as a lower-case fragment.
        problem: String,
    },
    /// The index cannot be resumed.
    #[error("cannot resume: {0}")]
    CannotResume(String),
    /// The index is not whole, so rows cannot be removed from it.
    #[error("'{}' is an unfinished index", path.display())]
    Unfinished {
        /// The folder.
        path: PathBuf,
    },
    /// Another process writes the index.
    #[error("'{}' is locked by another run", path.display())]
    Locked {
        /// The folder.
        path: PathBuf,
    },
    /// The index cannot be written.
    #[error("cannot {action} '{}'", path.display())]
    Output {
        /// The attempted action.
        action: &'static str,
        /// The folder or file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The output of a join cannot be written. Joins cannot be resumed.
    #[error("cannot {action} '{}'", path.display())]
    JoinOutput {
        /// The attempted action.
        action: &'static str,
        /// The folder or file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The caller set the flag that stops the call.
    #[error("interrupted")]
    Interrupted,
    /// A query cannot be understood.
    #[error("{0}")]
    Syntax(#[from] SyntaxError),
    /// The index cannot be read: a file is missing or damaged.
    #[error("cannot read the index '{}': {problem}", path.display())]
    Damaged {
        /// The folder.
        path: PathBuf,
        /// The problem.
        problem: String,
    },
}

impl IndexError {
    /// Returns the error of a folder that holds no index.
    pub(crate) fn no_meta(path: &Path) -> IndexError {
        let problem = "it has no meta.json; `huller index CORPUS -o INDEX` creates an index";
        IndexError::NoIndex { path: path.to_owned(), problem: problem.to_owned() }
    }

    pub(crate) fn output(
        action: &'static str,
        path: &Path,
    ) -> impl FnOnce(io::Error) -> IndexError {
        let path = path.to_owned();
        move |source| IndexError::Output { action, path, source }
    }

    /// Converts errors of calls that write to this folder.
    pub(crate) fn writing(folder: &Path) -> impl Fn(TantivyError) -> IndexError {
        let folder = folder.to_owned();
        move |error| {
            if let TantivyError::LockFailure(LockError::LockBusy, _) = error {
                return IndexError::Locked { path: folder.clone() };
            }
            let (path, source) = match system_error(&error) {
                Some((source, file)) => (folder.join(file), source),
                None => (folder.clone(), io::Error::other(error)),
            };
            IndexError::Output { action: "write", path, source }
        }
    }

    /// Converts an error of reading the index folder during a run that writes to it. An I/O error
    /// becomes [`IndexError::Output`].
    pub(crate) fn reading_back(folder: &Path) -> impl Fn(TantivyError) -> IndexError {
        let folder = folder.to_owned();
        move |error| match system_error(&error) {
            Some((source, file)) => {
                IndexError::Output { action: "read", path: folder.join(file), source }
            }
            None => IndexError::reading(&folder)(error),
        }
    }

    /// Converts errors of calls that read this folder.
    pub(crate) fn reading(folder: &Path) -> impl Fn(TantivyError) -> IndexError {
        let path = folder.to_owned();
        move |error| {
            let problem = match (system_error(&error), &error) {
                (Some((source, file)), _) if file.as_os_str().is_empty() => source.to_string(),
                (Some((source, file)), _) => format!("'{}': {source}", file.display()),
                (None, TantivyError::OpenReadError(OpenReadError::FileDoesNotExist(file))) => {
                    format!("'{}' is not there", file.display())
                }
                (None, error) => error.to_string(),
            };
            IndexError::Damaged { path: path.clone(), problem }
        }
    }
}

/// Returns the system's error within an error of the library, and the file of the index concerned.
/// The path is empty if the library gives no path.
fn system_error(error: &TantivyError) -> Option<(io::Error, &Path)> {
    let (source, file) = match error {
        TantivyError::IoError(source)
        | TantivyError::LockFailure(LockError::IoError(source), _)
        | TantivyError::OpenDirectoryError(OpenDirectoryError::FailedToCreateTempDir(source)) => {
            (source, Path::new(""))
        }
        TantivyError::OpenDirectoryError(OpenDirectoryError::IoError { io_error, .. }) => {
            (io_error, Path::new(""))
        }
        TantivyError::OpenReadError(OpenReadError::IoError { io_error, filepath })
        | TantivyError::OpenWriteError(OpenWriteError::IoError { io_error, filepath }) => {
            (io_error, &**filepath)
        }
        _ => return None,
    };
    Some((io::Error::new(source.kind(), source.to_string()), file))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn errors_of_the_system_are_said_as_the_system_says_them() {
        let full = || Arc::new(io::Error::from(io::ErrorKind::StorageFull));
        let (folder, said) = (Path::new("out"), full().to_string());
        let filepath = PathBuf::from("meta.json");
        let lock = TantivyError::LockFailure(LockError::IoError(full()), None);
        let opened = OpenReadError::IoError { io_error: full(), filepath: filepath.clone() };
        let created = OpenWriteError::IoError { io_error: full(), filepath: filepath.clone() };
        for (error, name) in [
            (TantivyError::IoError(full()), "out"),
            (lock, "out"),
            (created.into(), "out/meta.json"),
            (TantivyError::from(opened.clone()), "out/meta.json"),
        ] {
            let IndexError::Output { path, source, .. } = IndexError::writing(folder)(error) else {
                panic!("it is no error of the output");
            };
            assert_eq!((path.as_path(), source.kind()), (Path::new(name), full().kind()));
            assert_eq!(source.to_string(), said);
        }
        let back = IndexError::reading_back(folder)(opened.clone().into());
        assert_eq!(back.to_string(), "cannot read 'out/meta.json'");
        let read = IndexError::reading(folder)(opened.into()).to_string();
        assert_eq!(read, format!("cannot read the index 'out': 'meta.json': {said}"));
        let gone =
            IndexError::reading_back(folder)(OpenReadError::FileDoesNotExist(filepath).into());
        assert_eq!(gone.to_string(), "cannot read the index 'out': 'meta.json' is not there");
    }
}
