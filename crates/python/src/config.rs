//! `huller.Config`: a run that a file describes, for the functions that take its options.

use crate::errors::argument;
use huller_pipeline::ConfigFile;
use pyo3::exceptions::{PyFileNotFoundError, PyOSError};
use pyo3::prelude::*;
use std::io::ErrorKind;
use std::path::PathBuf;

/// What a file such as `huller.toml` says. A function that is given it takes the options that are
/// its own, below those that are said to the function itself.
#[pyclass(name = "Config", module = "huller", frozen)]
pub(crate) struct PyConfig {
    pub(crate) file: ConfigFile,
    text: String,
}

#[pymethods]
impl PyConfig {
    #[new]
    fn new(path: PathBuf) -> PyResult<PyConfig> {
        let shown = path.display();
        let text = std::fs::read_to_string(&path).map_err(|error| {
            let message = format!("cannot read '{shown}': {error}");
            match error.kind() {
                ErrorKind::NotFound => PyFileNotFoundError::new_err(message),
                _ => PyOSError::new_err(message),
            }
        })?;
        PyConfig::of(text).map_err(|problem| argument(format!("'{shown}': {problem}")))
    }

    /// The configuration of a file's text.
    #[staticmethod]
    fn parse(text: String) -> PyResult<PyConfig> {
        PyConfig::of(text).map_err(argument)
    }

    /// The files, folders and lists that the file names.
    #[getter]
    fn inputs(&self) -> Vec<PathBuf> {
        self.file.inputs.clone()
    }

    /// The folder for the output, if the file names one.
    #[getter]
    fn output(&self) -> Option<PathBuf> {
        self.file.output.clone()
    }

    /// The names of the stages, in their order, those of the preset too.
    #[getter]
    fn stages(&self) -> PyResult<Vec<&'static str>> {
        let settings = self.file.config.clone().settings();
        let settings = settings.map_err(|error| argument(error.to_string()))?;
        Ok(settings.stages.names())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((slf.get_type().getattr("parse")?, (slf.get().text.clone(),)))
    }

    fn __repr__(&self) -> String {
        format!("huller.Config.parse({:?})", self.text)
    }
}

impl PyConfig {
    fn of(text: String) -> Result<PyConfig, String> {
        let file = ConfigFile::parse(&text).map_err(|error| error.to_string())?;
        Ok(PyConfig { file, text })
    }
}
