//! Returns the program's names of inputs, for engines that open the files themselves.

use crate::errors::value_error;
use huller_archive::Stores;
use huller_pipeline::{Plan, name_of};
use pyo3::prelude::*;
use std::path::PathBuf;

/// Returns the names of files that are given directly.
#[pyfunction]
pub(crate) fn input_names(paths: Vec<PathBuf>) -> Vec<String> {
    Plan::names_of_given(&paths)
}

/// Returns the name and the path of each file of a list. The path is unchanged.
#[pyfunction]
pub(crate) fn read_list(py: Python<'_>, path: PathBuf) -> PyResult<Vec<(String, PathBuf)>> {
    let lines = py.detach(|| Plan::manifest(&path, &Stores::default()));
    let lines = lines.map_err(|error| value_error(error.to_string()))?;
    Ok(lines.into_iter().map(|line| (name_of(&line), line)).collect())
}
