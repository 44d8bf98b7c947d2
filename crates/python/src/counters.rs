//! Statistics of records, for Python.

use crate::errors::value_error;
use huller_pipeline::{
    Counters, InputSummary, Reason, RejectionKind, Summary, UnusableInput, stats_json,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;

/// Returns the contents of `run.account` for inputs (name, bytes, statistics as JSON), and for
/// inputs that could not be read to their end (name, error).
#[pyfunction]
pub(crate) fn run_stats(
    inputs: Vec<(String, u64, String)>,
    unusable: Vec<(String, String)>,
) -> PyResult<String> {
    let mut summary = Summary::default();
    for (name, bytes, counters) in inputs {
        let counters = PyCounters::from_json(&counters)?.counts;
        summary.total += &counters;
        summary.inputs.push(InputSummary { name, bytes, counters });
    }
    let unusable = unusable.into_iter();
    summary.unusable = unusable.map(|(input, error)| UnusableInput { input, error }).collect();
    summary.add_unusable(false, false);
    String::from_utf8(stats_json(&summary)).map_err(|error| value_error(error.to_string()))
}

/// Counts of records by outcome and reason.
#[pyclass(name = "Counters", module = "huller", eq, skip_from_py_object)]
#[derive(Clone, Default, PartialEq)]
pub(crate) struct PyCounters {
    pub(crate) counts: Counters,
}

impl PyCounters {
    fn reasons<'py>(&self, py: Python<'py>, kind: RejectionKind) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (reason, count) in self.counts.reasons(kind) {
            dict.set_item(reason.name(), count)?;
        }
        Ok(dict)
    }
}

#[pymethods]
impl PyCounters {
    #[new]
    fn new() -> PyCounters {
        PyCounters::default()
    }

    #[getter]
    fn records(&self) -> u64 {
        self.counts.records
    }

    #[getter]
    fn written(&self) -> u64 {
        self.counts.written
    }

    #[getter]
    fn skipped<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.reasons(py, RejectionKind::Skipped)
    }

    #[getter]
    fn failed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.reasons(py, RejectionKind::Failed)
    }

    #[getter]
    fn repaired<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, count) in self.counts.repairs() {
            dict.set_item(name, count)?;
        }
        Ok(dict)
    }

    #[getter]
    fn is_balanced(&self) -> bool {
        self.counts.is_balanced()
    }

    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.counts)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    #[staticmethod]
    fn from_json(text: &str) -> PyResult<PyCounters> {
        let counts = serde_json::from_str(text)
            .map_err(|error| PyValueError::new_err(format!("these are not statistics: {error}")))?;
        Ok(PyCounters { counts })
    }

    /// Counts rows that stages decided about in Python. Each row in `dropped` was counted as
    /// written before if `were_written`; else it is a new record, as are the `written` ones.
    #[pyo3(signature = (written, dropped, *, were_written))]
    fn _count_rows(
        &mut self,
        written: u64,
        dropped: BTreeMap<String, u64>,
        were_written: bool,
    ) -> PyResult<()> {
        let total: u64 = dropped.values().sum();
        if were_written {
            self.counts.written = self.counts.written.saturating_sub(total);
        } else {
            self.counts.records += written + total;
            self.counts.written += written;
        }
        for (name, count) in dropped {
            let reason = Reason::named(&name, RejectionKind::Skipped).ok_or_else(|| {
                value_error(format!("too many different reasons such as '{name}': use a few words"))
            })?;
            for _ in 0..count {
                self.counts.reject(reason);
            }
        }
        Ok(())
    }

    fn __iadd__(&mut self, other: &PyCounters) {
        self.counts += &other.counts;
    }

    /// Lets `sum` add counters up. It begins with 0.
    fn __radd__(&self, other: &Bound<'_, PyAny>) -> PyResult<PyCounters> {
        if other.extract::<u64>().is_ok_and(|number| number == 0) {
            return Ok(self.clone());
        }
        let kind = other.get_type();
        Err(PyTypeError::new_err(format!("counters cannot be added to {}", kind.name()?)))
    }

    fn __add__(&self, other: &PyCounters) -> PyCounters {
        let mut sum = self.clone();
        sum.counts += &other.counts;
        sum
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("Counters({})", self.to_json()?))
    }

    /// Pickles the value as the JSON of run.account.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let json = slf.borrow().to_json()?;
        Ok((slf.get_type().getattr("from_json")?, (json,)))
    }
}
