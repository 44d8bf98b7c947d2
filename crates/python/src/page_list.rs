//! `huller.extract_many`: extracts many pages into a record batch, on all cores.

use crate::errors::{huller_error, value_error};
use crate::interrupts::run_interruptibly;
use crate::options;
use crate::pool::pool;
use crate::sources::Sources;
use arrow_array::RecordBatch;
use arrow_pyarrow::ToPyArrow;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use huller_pipeline::{Html, Pages, Settings};
use huller_row::{ColumnLayout, Columns, FIELDS, TextColumn};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Implements `huller.extract_many`. Only the first `first_stages` stages run.
#[pyfunction]
#[pyo3(signature = (
    pages, *, urls=None, charset=None, output="text", threads=0, first_stages=None, **options
))]
pub(crate) fn extract_many<'py>(
    py: Python<'py>,
    pages: &Bound<'py, PyAny>,
    urls: Option<&Bound<'py, PyAny>>,
    charset: Option<String>,
    output: &str,
    threads: usize,
    first_stages: Option<usize>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut settings = options::extract_many_settings(options, output)?;
    options::check_charset(charset.as_deref())?;
    let sources = Sources::from_object(pages)?;
    let urls = urls.map(Sources::from_object).transpose()?;
    if let Some(urls) = &urls
        && urls.len() != sources.len()
    {
        let (pages, urls) = (sources.len(), urls.len());
        return Err(value_error(format!("{pages} pages, but {urls} URLs")));
    }
    let layout = layout(&settings);
    // The caller passes the rows through the other stages. They have columns of all stages.
    if let Some(first) = first_stages {
        settings.stages = settings.stages.slice(0..first);
    }
    let many = PageList { sources, urls, charset, settings, layout };
    let pool = pool(threads)?;
    let batch =
        run_interruptibly(py, |stop| many.extract(&pool, stop))?.map_err(|error| match error {
            ArrowError::OffsetOverflowError(_) => value_error(
                "more than 2 GiB of text in one batch: extract fewer pages at a time".to_owned(),
            ),
            other => huller_error(py, other.to_string()),
        })?;
    batch.to_pyarrow(py)
}

/// Returns the schema of the batches of `extract_many`.
#[pyfunction]
#[pyo3(signature = (*, output="text", **options))]
pub(crate) fn many_schema<'py>(
    py: Python<'py>,
    output: &str,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let settings = options::many_schema_settings(options, output)?;
    with_reason(layout(&settings).schema()).to_pyarrow(py)
}

/// Returns the columns that the settings ask for and a page in memory can have.
fn layout(settings: &Settings) -> ColumnLayout {
    let extractors: Vec<_> = settings.extractors.iter().map(|extractor| extractor.name()).collect();
    let extras = settings.extras();
    let fields =
        FIELDS.iter().filter(|field| field.presence.is_in(extras) && field.source.is_in_memory());
    ColumnLayout::nullable(fields, &extractors)
}

/// Returns the columns of a page, and a column with the reason of a missing row.
fn with_reason(schema: &SchemaRef) -> Schema {
    let reason = Arc::new(Field::new("reason", DataType::Utf8, true));
    Schema::new(schema.fields().iter().cloned().chain([reason]).collect::<Vec<_>>())
}

struct PageList {
    sources: Sources,
    urls: Option<Sources>,
    charset: Option<String>,
    settings: Settings,
    layout: ColumnLayout,
}

/// Rows of consecutive pages, column by column.
struct PageRows {
    columns: Columns,
    reasons: TextColumn,
}

impl PageList {
    fn piece(&self) -> PageRows {
        PageRows { columns: Columns::new(self.layout.clone()), reasons: TextColumn::default() }
    }

    /// Extracts all pages in pieces, which free threads take, and joins the pieces in order.
    /// Once `stop` is set, the result lacks pages.
    fn extract(
        &self,
        pool: &rayon::ThreadPool,
        stop: &AtomicBool,
    ) -> Result<RecordBatch, ArrowError> {
        let len = self.sources.len();
        // Several pieces a thread, since pages differ in size, but few enough that joining them
        // takes little time.
        let piece_rows = (len / (pool.current_num_threads() * 8)).clamp(1, 256);
        let next_index = AtomicUsize::new(0);
        let pieces = Mutex::new(Vec::new());
        pool.broadcast(|_| {
            let mut pages = Pages::new(self.settings.clone());
            loop {
                let start = next_index.fetch_add(piece_rows, Ordering::Relaxed);
                if start >= len || stop.load(Ordering::Relaxed) {
                    return;
                }
                let mut piece = self.piece();
                self.fill(&mut piece, start..len.min(start + piece_rows), &mut pages, stop);
                let mut pieces = pieces.lock().unwrap_or_else(PoisonError::into_inner);
                pieces.push((start, piece));
            }
        });
        let mut pieces = pieces.into_inner().unwrap_or_else(PoisonError::into_inner);
        if stop.load(Ordering::Relaxed) {
            pieces.clear();
        }
        pieces.sort_unstable_by_key(|(start, _)| *start);
        let mut pieces = pieces.into_iter().map(|(_, piece)| piece);
        let mut merged = pieces.next().unwrap_or_else(|| self.piece());
        for piece in pieces {
            merged.columns.append(piece.columns);
            merged.reasons.append(&piece.reasons);
        }
        let columns = merged.columns.finish()?;
        let arrays = columns.columns().iter().cloned().chain([merged.reasons.finish()?]);
        RecordBatch::try_new(Arc::new(with_reason(columns.schema_ref())), arrays.collect())
    }

    fn fill(
        &self,
        piece: &mut PageRows,
        indexes: Range<usize>,
        pages: &mut Pages,
        stop: &AtomicBool,
    ) {
        for index in indexes {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let url = self.urls.as_ref().and_then(|urls| urls.get(index)).and_then(text);
            let Some(html) = self.sources.get(index) else {
                piece.columns.push_missing();
                piece.reasons.push(Some("null"));
                continue;
            };
            match pages.read(html, url, self.charset.as_deref(), &mut piece.columns) {
                Ok(()) => piece.reasons.push(None),
                Err(reason) => {
                    piece.columns.push_missing();
                    piece.reasons.push(Some(reason.name()));
                }
            }
        }
    }
}

/// Returns a URL, if it is UTF-8.
fn text(source: Html<'_>) -> Option<&str> {
    match source {
        Html::Text(text) => Some(text),
        Html::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
    }
}
