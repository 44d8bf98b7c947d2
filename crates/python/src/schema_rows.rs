//! Rows with the columns of another tool: the option `schema` of `stream`.

use crate::errors::huller_error;
use arrow_array::RecordBatch;
use arrow_pyarrow::{FromPyArrow, ToPyArrow};
use arrow_schema::{ArrowError, SchemaRef};
use huller_pipeline::Settings;
use huller_row::SchemaColumns;
use pyo3::prelude::*;

/// The columns of a schema, for rows that Python stages have already processed.
#[pyclass(module = "huller", frozen)]
pub(crate) struct SchemaRows {
    columns: SchemaColumns,
}

impl SchemaRows {
    /// Returns the columns that the settings ask for. `fields` are the columns of the rows. `None`
    /// if the settings have no schema.
    pub(crate) fn new(settings: &Settings, fields: &SchemaRef) -> Option<SchemaRows> {
        let columns = SchemaColumns::new(settings.schema?, fields, &settings.index)?;
        Some(SchemaRows { columns })
    }

    /// Returns the schema of the rows.
    pub(crate) fn arrow_schema(&self) -> &SchemaRef {
        self.columns.schema()
    }

    /// Converts rows with the usual columns to the columns of the schema.
    pub(crate) fn convert(&self, rows: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        self.columns.batch(rows)
    }
}

#[pymethods]
impl SchemaRows {
    #[getter]
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.arrow_schema().to_pyarrow(py)
    }

    fn batch<'py>(&self, py: Python<'py>, rows: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let rows = RecordBatch::from_pyarrow_bound(rows)?;
        let converted = py.detach(|| self.convert(&rows));
        converted.map_err(|error| huller_error(py, error.to_string()))?.to_pyarrow(py)
    }
}
