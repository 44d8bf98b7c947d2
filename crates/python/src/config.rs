//! `huller.Config`: the options of a run from a file, for the functions that take them.

use crate::errors::value_error;
use huller_pipeline::ConfigFile;
use pyo3::exceptions::{PyFileNotFoundError, PyOSError};
use pyo3::prelude::*;
use std::io::ErrorKind;
use std::path::PathBuf;

/// The contents of a file such as `huller.toml`. A function that takes it uses the options that
/// apply to the function. Keyword arguments of the function have precedence.
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
        PyConfig::from_text(text).map_err(|problem| value_error(format!("'{shown}': {problem}")))
    }

    /// Reads a configuration from the text of a file.
    #[staticmethod]
    fn parse(text: String) -> PyResult<PyConfig> {
        PyConfig::from_text(text).map_err(value_error)
    }

    /// Returns the files, folders and lists that the file names.
    #[getter]
    fn inputs(&self) -> Vec<PathBuf> {
        self.file.inputs.clone()
    }

    /// Returns the folder for the output, if the file names one.
    #[getter]
    fn output(&self) -> Option<PathBuf> {
        self.file.output.clone()
    }

    /// Returns the names of the stages in their order, with those of the preset.
    #[getter]
    fn stages(&self) -> PyResult<Vec<&'static str>> {
        let settings = self.file.config.clone().settings();
        let settings = settings.map_err(|error| value_error(error.to_string()))?;
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
    fn from_text(text: String) -> Result<PyConfig, String> {
        let file = ConfigFile::parse(&text).map_err(|error| error.to_string())?;
        Ok(PyConfig { file, text })
    }
}
