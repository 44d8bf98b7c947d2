//! Inputs from Python: a path, or a file object.

use crate::errors::value_error;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::io::{self, Read};
use std::path::PathBuf;

/// An input as Python gives it.
pub(crate) enum FileOrPath {
    /// The path of a file.
    Path(PathBuf),
    /// An object of Python that can be read.
    File(PyFile),
}

impl FileOrPath {
    pub(crate) fn from_object(object: &Bound<'_, PyAny>) -> PyResult<FileOrPath> {
        if object.hasattr("read")? {
            return Ok(FileOrPath::File(PyFile::new(object.clone().unbind())));
        }
        object.extract().map(FileOrPath::Path).map_err(|_| {
            let kind = object.get_type();
            value_error(format!("expected a path or a binary file object, not {kind}"))
        })
    }

    /// Returns its name for errors, and for rows unless the caller sets another name.
    pub(crate) fn name(&self, py: Python<'_>) -> String {
        match self {
            FileOrPath::Path(path) => path.display().to_string(),
            FileOrPath::File(file) => {
                let name = file.file.bind(py).getattr("name");
                name.and_then(|name| name.extract()).unwrap_or_else(|_| "stream".to_owned())
            }
        }
    }
}

/// A file object. Each read takes the interpreter's lock.
pub(crate) struct PyFile {
    file: Py<PyAny>,
    /// Bytes that the last call returned beyond the requested number, as HTTP responses do that are
    /// decompressed while they are read.
    surplus: Vec<u8>,
    /// Number of bytes of the surplus that were returned.
    taken: usize,
}

impl PyFile {
    fn new(file: Py<PyAny>) -> PyFile {
        PyFile { file, surplus: Vec::new(), taken: 0 }
    }
}

impl Read for PyFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.taken < self.surplus.len() {
            let surplus = &self.surplus[self.taken..];
            let len = surplus.len().min(buffer.len());
            buffer[..len].copy_from_slice(&surplus[..len]);
            self.taken += len;
            return Ok(len);
        }
        self.surplus.clear();
        self.taken = 0;
        Python::attach(|py| {
            let read = self.file.bind(py).call_method1("read", (buffer.len(),))?;
            let bytes = read.cast::<PyBytes>().map_err(PyErr::from)?.as_bytes();
            let len = bytes.len().min(buffer.len());
            buffer[..len].copy_from_slice(&bytes[..len]);
            self.surplus.extend_from_slice(&bytes[len..]);
            Ok(len)
        })
    }
}
