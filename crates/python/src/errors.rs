//! Creates Python exceptions. Their classes are defined in Python (`huller/errors.py`), where a
//! class can have two parents.

use huller_archive::{ArchiveError, Fault};
use huller_pipeline::RunError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use std::error::Error;
use std::io::ErrorKind;
use std::path::Path;

/// Returns a class of the module `huller.errors`.
fn error_class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyType>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module = MODULE.get_or_try_init(py, || py.import("huller.errors").map(Bound::unbind))?;
    Ok(module.bind(py).getattr(name)?.cast_into()?)
}

/// Returns the exception for an input that cannot be read.
pub(crate) fn archive_error(py: Python<'_>, file: &str, error: &ArchiveError) -> PyErr {
    let (name, offset) = match error {
        ArchiveError::Io { source, .. } if source.kind() == ErrorKind::NotFound => {
            ("ArchiveNotFoundError", 0)
        }
        ArchiveError::Io { offset, .. } => ("ArchiveError", *offset),
        _ => ("ArchiveError", 0),
    };
    error_class(py, name).map_or_else(
        |error| error,
        |class| PyErr::from_type(class, (error.to_string(), file.to_owned(), offset)),
    )
}

/// Returns the exception for a corpus that cannot be read, or whose signatures cannot be used.
pub(crate) fn corpus_error(py: Python<'_>, message: String, path: &Path, kind: ErrorKind) -> PyErr {
    let is_missing = kind == ErrorKind::NotFound;
    let name = if is_missing { "ArchiveNotFoundError" } else { "ArchiveError" };
    error_class(py, name).map_or_else(
        |error| error,
        |class| PyErr::from_type(class, (message, path.display().to_string(), 0)),
    )
}

/// Returns the exception for an output that cannot be written, or that exists already.
pub(crate) fn output_error(py: Python<'_>, message: String, path: Option<&Path>) -> PyErr {
    let path = path.map(|path| path.display().to_string());
    error_class(py, "OutputError")
        .map_or_else(|error| error, |class| PyErr::from_type(class, (message, path)))
}

/// Returns the exception for a damaged record.
pub(crate) fn damaged_record_error(
    py: Python<'_>,
    file: &str,
    fault: &Fault,
    reason: &str,
) -> PyErr {
    let offset = fault.position.member.map(|(offset, _)| offset).or(fault.position.stream_offset);
    let message = format!("'{file}': {}", fault.detail);
    error_class(py, "DamagedRecordError").map_or_else(
        |error| error,
        |class| PyErr::from_type(class, (message, file.to_owned(), offset, reason.to_owned())),
    )
}

/// Returns the exception for any other error of huller.
pub(crate) fn huller_error(py: Python<'_>, message: String) -> PyErr {
    error_class(py, "HullerError")
        .map_or_else(|error| error, |class| PyErr::from_type(class, (message,)))
}

/// Returns the exception for an invalid argument.
pub(crate) fn value_error(message: String) -> PyErr {
    PyValueError::new_err(message)
}

/// Converts an error of a run to an exception, and adds the remedy in Python's terms.
pub(crate) fn run_error(py: Python<'_>, error: &RunError, message: String) -> PyErr {
    match error {
        RunError::OutputExists { path } | RunError::EarlierRun { path } => {
            let remedy = "resume=True continues the run, overwrite=True replaces it";
            output_error(py, format!("{message}: {remedy}"), Some(path))
        }
        RunError::CannotResume { .. } | RunError::EarlierVersion { .. } => {
            let remedy =
                "use the options and corpora of that run, or overwrite=True to start again";
            output_error(py, format!("{message}: {remedy}"), None)
        }
        RunError::Locked { path } => {
            let remedy = "wait for it to end, or choose another output";
            output_error(py, format!("{message}: {remedy}"), Some(path))
        }
        RunError::Output { path, .. } => {
            let remedy =
                "finished outputs are safe; use resume=True when the output can be written";
            output_error(py, format!("{message}; {remedy}"), Some(path))
        }
        RunError::Changed { path }
        | RunError::NoRunOfOurs { path }
        | RunError::RemovesInput { path }
        | RunError::Link { path } => output_error(py, message, Some(path)),
        _ => huller_error(py, message),
    }
}

/// Returns the message of an error, followed by those of its causes.
pub(crate) fn with_causes(error: &dyn Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        let source_message = source.to_string();
        // An error that only wraps another one has its message.
        if source_message != message {
            message = format!("{message}: {source_message}");
        }
        cause = source.source();
    }
    message
}
