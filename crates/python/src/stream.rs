//! `huller.stream`: returns the rows of one archive as record batches.

use crate::counters::PyCounters;
use crate::errors::{archive_error, huller_error, value_error};
use crate::file::FileOrPath;
use crate::indexes::{Entries, OneOrSeveral, Paths};
use crate::options;
use crate::row_batcher::RowBatcher;
use crate::schema_rows::SchemaRows;
use arrow_array::RecordBatch;
use arrow_pyarrow::ToPyArrow;
use arrow_schema::{ArrowError, SchemaRef};
use huller_archive::ArchiveError;
use huller_pipeline::{Rows, Settings};
use huller_row::ColumnLayout;
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ffi::CString;
use std::sync::{Mutex, PoisonError};

/// An iterator over record batches. `huller.stream` makes an Arrow reader of it. Python looks for
/// signals after each batch of records.
#[pyclass(module = "huller")]
pub(crate) struct Stream {
    file: String,
    /// The lock never waits, since Python lends the object to one thread at a time. It makes the
    /// reader `Sync`.
    archive: Mutex<Archive>,
    /// The columns of the fields.
    fields: SchemaRef,
    schema_rows: Option<Py<SchemaRows>>,
    /// Whether the caller makes the columns of a schema, after stages in Python.
    is_first_part: bool,
    counters: Py<PyCounters>,
}

/// An archive that is being read.
struct Archive {
    rows: Rows,
    batches: RowBatcher,
}

/// The result of some reading.
enum Step {
    Batch(RecordBatch),
    /// Records were read, and there may be a full batch now.
    More,
    End,
}

/// The reason why there is no next batch.
enum Failure {
    /// The archive cannot be read.
    Archive(ArchiveError),
    /// The columns cannot be built.
    Arrow(ArrowError),
}

#[pymethods]
impl Stream {
    #[new]
    #[pyo3(signature = (path, *, name=None, counters=None, batch_rows=256, batch_bytes=8_388_608, records_from=None, entry_url=None,
        entry_host=None, entry_mime=None, entry_status=None, entry_language=None, first_stages=None, **options))]
    fn new(
        py: Python<'_>,
        path: &Bound<'_, PyAny>,
        name: Option<String>,
        counters: Option<Py<PyCounters>>,
        batch_rows: usize,
        batch_bytes: usize,
        records_from: Option<Paths>,
        entry_url: Option<OneOrSeveral>,
        entry_host: Option<OneOrSeveral>,
        entry_mime: Option<OneOrSeveral>,
        entry_status: Option<OneOrSeveral>,
        entry_language: Option<OneOrSeveral>,
        first_stages: Option<usize>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Stream> {
        let mut settings = options::stream_settings(options)?;
        let entries = Entries {
            records_from,
            url: entry_url,
            host: entry_host,
            mime: entry_mime,
            status: entry_status,
            language: entry_language,
        };
        let indexes = entries.options()?;
        if batch_rows == 0 {
            return Err(value_error("a batch has at least one row".to_owned()));
        }
        let layout = column_layout(&settings);
        let schema_rows = SchemaRows::new(&settings, layout.schema());
        // The caller passes the rows through the other stages. They have columns of all stages.
        if let Some(first) = first_stages {
            settings.stages = settings.stages.slice(0..first);
        }
        let source = FileOrPath::from_object(path)?;
        let file = source.name(py);
        let records = match (&source, indexes) {
            (_, None) => None,
            (FileOrPath::File(_), Some(_)) => {
                let message = "records_from needs the path of the archive, not a file object";
                return Err(value_error(message.to_owned()));
            }
            (FileOrPath::Path(path), Some(indexes)) => {
                let records_of_indexes = py.detach(|| indexes.records_of(path));
                let (records, problems) =
                    records_of_indexes.map_err(|error| value_error(error.to_string()))?;
                for problem in problems {
                    let problem = CString::new(problem.replace('\0', " "))?;
                    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &problem, 1)?;
                }
                Some(records)
            }
        };
        let opened = py.detach(|| match (source, records) {
            (FileOrPath::Path(path), Some(records)) => {
                Rows::planned(&path, name.as_deref(), records, settings)
            }
            (FileOrPath::Path(path), None) => Rows::open(&path, name.as_deref(), settings),
            (FileOrPath::File(reader), _) => {
                let name = name.as_deref().unwrap_or(&file);
                Rows::from_reader(Box::new(reader), name, settings)
            }
        });
        let counters = counters.map_or_else(|| Py::new(py, PyCounters::default()), Ok)?;
        Ok(Stream {
            fields: layout.schema().clone(),
            schema_rows: schema_rows.map(|rows| Py::new(py, rows)).transpose()?,
            is_first_part: first_stages.is_some(),
            archive: Mutex::new(Archive {
                rows: opened.map_err(|error| archive_error(py, &file, &error))?,
                batches: RowBatcher::new(layout, batch_rows, batch_bytes),
            }),
            file,
            counters,
        })
    }

    #[getter]
    fn counters(&self, py: Python<'_>) -> Py<PyCounters> {
        self.counters.clone_ref(py)
    }

    #[getter]
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.schema_rows {
            Some(rows) if !self.is_first_part => rows.get().arrow_schema().to_pyarrow(py),
            _ => self.fields.to_pyarrow(py),
        }
    }

    #[getter]
    fn schema_rows(&self, py: Python<'_>) -> Option<Py<SchemaRows>> {
        self.schema_rows.as_ref().map(|rows| rows.clone_ref(py))
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let opened = self.archive.get_mut().unwrap_or_else(PoisonError::into_inner);
        let schema_rows = self.schema_rows.as_ref().filter(|_| !self.is_first_part);
        let schema_rows = schema_rows.map(Py::get);
        loop {
            let step = py.detach(|| opened.advance(schema_rows));
            let counters = opened.rows.take_counters();
            self.counters.borrow_mut(py).counts += &counters;
            match step {
                Ok(Step::Batch(batch)) => return batch.to_pyarrow(py).map(Some),
                Ok(Step::End) => return Ok(None),
                // An exception here loses no row: the next call continues after this batch.
                Ok(Step::More) => py.check_signals()?,
                Err(Failure::Archive(error)) => return Err(archive_error(py, &self.file, &error)),
                Err(Failure::Arrow(error)) => return Err(huller_error(py, error.to_string())),
            }
        }
    }
}

/// Returns the columns of all fields that the settings ask for.
fn column_layout(settings: &Settings) -> ColumnLayout {
    let layout = settings.layout(String::new());
    ColumnLayout::nullable(layout.fields(), &layout.extractors)
}

/// Returns the schema of the batches of `stream`.
#[pyfunction]
#[pyo3(signature = (**options))]
pub(crate) fn stream_schema<'py>(
    py: Python<'py>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let settings = options::stream_schema_settings(options)?;
    let fields = column_layout(&settings);
    match SchemaRows::new(&settings, fields.schema()) {
        Some(rows) => rows.arrow_schema().to_pyarrow(py),
        None => fields.schema().to_pyarrow(py),
    }
}

impl Archive {
    /// Returns the next full batch, or reads another batch of records. `schema_rows` makes the
    /// columns of a schema.
    fn advance(&mut self, schema_rows: Option<&SchemaRows>) -> Result<Step, Failure> {
        let schema_batch = |batch: Result<RecordBatch, ArrowError>| {
            let batch = match schema_rows {
                Some(rows) => batch.and_then(|batch| rows.convert(&batch)),
                None => batch,
            };
            batch.map(Step::Batch).map_err(Failure::Arrow)
        };
        if let Some(batch) = self.batches.pop() {
            return schema_batch(batch);
        }
        if self.rows.next(&mut self.batches).map_err(Failure::Archive)? {
            return Ok(Step::More);
        }
        self.batches.flush();
        self.batches.pop().map_or(Ok(Step::End), schema_batch)
    }
}
