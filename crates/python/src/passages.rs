//! `huller.passages`: cuts rows into passages, on all cores.

use crate::errors::{huller_error, value_error};
use crate::interrupts::run_interruptibly;
use crate::pool::pool;
use crate::sources::Sources;
use arrow_array::RecordBatch;
use arrow_pyarrow::ToPyArrow;
use arrow_schema::ArrowError;
use huller_pipeline::{PassageCutter, PassageSettings, Row};
use huller_row::{ColumnLayout, Columns, PASSAGE_FIELDS};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// The rows whose passages are one batch.
const ROWS_PER_BATCH: usize = 256;

/// The columns of rows. Columns that the rows lack are `None`.
struct RowColumns {
    ids: Sources,
    texts: Option<Sources>,
    markdown: Option<Sources>,
    urls: Option<Sources>,
    titles: Option<Sources>,
    languages: Option<Sources>,
}

impl RowColumns {
    /// Cuts all rows. Once `stop` is set, passages are missing.
    fn cut(
        &self,
        cutter: &PassageCutter,
        stop: &AtomicBool,
    ) -> Result<Vec<RecordBatch>, ArrowError> {
        let starts: Vec<_> = (0..self.ids.len()).step_by(ROWS_PER_BATCH).collect();
        let batches = starts.into_par_iter().map_with(cutter.clone(), |cutter, start| {
            let mut passages = Columns::new(layout());
            for index in start..self.ids.len().min(start + ROWS_PER_BATCH) {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                if let Some(row) = self.row(index) {
                    cutter.cut(&row, &mut passages);
                }
            }
            passages.finish()
        });
        batches.collect()
    }

    /// Returns a row. `None` if it has neither a text nor Markdown.
    fn row(&self, index: usize) -> Option<Row<'_>> {
        let (text, markdown) =
            (filled(self.texts.as_ref(), index), filled(self.markdown.as_ref(), index));
        Some(Row {
            id: self.ids.text(index).unwrap_or_default(),
            text: text.or(markdown)?,
            markdown,
            url: filled(self.urls.as_ref(), index),
            title: filled(self.titles.as_ref(), index),
            language: filled(self.languages.as_ref(), index),
            ..Row::default()
        })
    }
}

/// Returns the text of a column that the rows may lack, if it is not empty.
fn filled(column: Option<&Sources>, index: usize) -> Option<&str> {
    column?.text(index).filter(|text| !text.is_empty())
}

fn layout() -> ColumnLayout {
    ColumnLayout::nullable(PASSAGE_FIELDS.iter(), &[])
}

/// Returns the schema of passages.
#[pyfunction]
pub(crate) fn passage_schema(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    layout().schema().to_pyarrow(py)
}

/// Cuts rows, which are given as columns, into passages. `settings` is JSON with the fields of
/// [`PassageSettings`]. Returns batches of passages.
#[pyfunction]
#[pyo3(signature = (
    ids, settings, *, texts=None, markdown=None, urls=None, titles=None, languages=None, threads=0
))]
pub(crate) fn passage_batches<'py>(
    py: Python<'py>,
    ids: &Bound<'py, PyAny>,
    settings: &str,
    texts: Option<&Bound<'py, PyAny>>,
    markdown: Option<&Bound<'py, PyAny>>,
    urls: Option<&Bound<'py, PyAny>>,
    titles: Option<&Bound<'py, PyAny>>,
    languages: Option<&Bound<'py, PyAny>>,
    threads: usize,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let settings: PassageSettings = serde_json::from_str(settings)
        .map_err(|error| PyTypeError::new_err(format!("settings of passages: {error}")))?;
    let cutter = PassageCutter::new(&settings).map_err(|error| value_error(error.to_string()))?;
    let column = |column: Option<&Bound<'py, PyAny>>| column.map(Sources::from_object).transpose();
    let rows = RowColumns {
        ids: Sources::from_object(ids)?,
        texts: column(texts)?,
        markdown: column(markdown)?,
        urls: column(urls)?,
        titles: column(titles)?,
        languages: column(languages)?,
    };
    let pool = pool(threads)?;
    let batches = run_interruptibly(py, |stop| pool.install(|| rows.cut(&cutter, stop)))?;
    let batches = batches.map_err(|error| huller_error(py, error.to_string()))?;
    batches.iter().filter(|batch| batch.num_rows() > 0).map(|batch| batch.to_pyarrow(py)).collect()
}
