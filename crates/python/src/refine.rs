//! `huller.refine`: applies stages to existing rows, on all cores.

use crate::errors::{huller_error, value_error};
use crate::interrupts::run_interruptibly;
use crate::options;
use crate::pool::pool;
use crate::sources::Sources;
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch};
use arrow_pyarrow::ToPyArrow;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use huller_pipeline::{Html, Perplexity, RefinedRow, Refiner, RowInMemory, RowLanguage, Settings};
use huller_refine::RowFields;
use huller_row::{
    Extras, FieldContent, FieldType, MemberContent, TextColumn, find_field, member_content,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Consecutive stages of a call, with their settings and models.
#[pyclass(module = "huller", frozen)]
pub(crate) struct RowStages {
    settings: Settings,
    /// Whether a stage may change other strings besides the text.
    #[pyo3(get)]
    has_rewrites: bool,
    /// Free workers, each with buffers of its own.
    workers: Mutex<Vec<Refiner>>,
}

#[pymethods]
impl RowStages {
    /// Takes the stages from `first` up to `end` of the list that the options name.
    #[new]
    #[pyo3(signature = (first=0, end=usize::MAX, **options))]
    fn new(first: usize, end: usize, options: Option<&Bound<'_, PyDict>>) -> PyResult<RowStages> {
        let settings = options::refine_settings(options, first..end)?;
        let worker = Refiner::new(settings.clone());
        let has_rewrites = worker.has_rewrites();
        Ok(RowStages { settings, has_rewrites, workers: Mutex::new(vec![worker]) })
    }

    /// Returns whether the rows get the figures behind the decisions.
    #[getter]
    fn signals(&self) -> bool {
        self.settings.signals
    }

    /// Applies the stages to rows, which are given as columns. The columns of the result are
    /// `text`, `language`, `language_script`, `language_score`, `signals`, and `reason`, which is
    /// null for rows that are kept. The stage `fasttext` adds `classes`, and the stage `perplexity`
    /// adds `perplexity` and `bucket`. The stage `tokens` adds `tokens`. The stage `rights` adds
    /// statements to those in `rights`. The `forms` follow in their order as `form0`, `form1`, …;
    /// `names` are their names in the rows.
    #[pyo3(signature = (texts, *, urls=None, page_types=None, has_article=None, scores=None, languages=None, scripts=None,
                        language_scores=None, rights=None, forms=Vec::new(), names=Vec::new(), threads=0))]
    fn apply<'py>(
        &self,
        py: Python<'py>,
        texts: &Bound<'py, PyAny>,
        urls: Option<&Bound<'py, PyAny>>,
        page_types: Option<&Bound<'py, PyAny>>,
        has_article: Option<Vec<Option<bool>>>,
        scores: Option<Vec<Option<f64>>>,
        languages: Option<&Bound<'py, PyAny>>,
        scripts: Option<&Bound<'py, PyAny>>,
        language_scores: Option<Vec<Option<f64>>>,
        rights: Option<&Bound<'py, PyAny>>,
        forms: Vec<Bound<'py, PyAny>>,
        names: Vec<String>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sources =
            |column: Option<&Bound<'py, PyAny>>| column.map(Sources::from_object).transpose();
        let columns = RowColumns {
            texts: Sources::from_object(texts)?,
            urls: sources(urls)?,
            page_types: sources(page_types)?,
            has_article: has_article.unwrap_or_default(),
            scores: scores.unwrap_or_default(),
            languages: sources(languages)?,
            scripts: sources(scripts)?,
            language_scores: language_scores.unwrap_or_default(),
            rights: sources(rights)?,
            forms: forms.iter().map(Sources::from_object).collect::<PyResult<_>>()?,
            contents: names.iter().map(|name| content(name)).collect(),
        };
        // One thread needs no pool.
        let pool = if threads == 1 { None } else { Some(pool(threads)?) };
        let batch = run_interruptibly(py, |stop| columns.refine(self, pool.as_deref(), stop))?;
        let batch = batch.map_err(|error| match error {
            ArrowError::OffsetOverflowError(_) => value_error(
                "more than 2 GiB of text in one batch: refine fewer rows at a time".to_owned(),
            ),
            other => huller_error(py, other.to_string()),
        })?;
        batch.to_pyarrow(py)
    }
}

impl RowStages {
    /// Lends a worker to `work`.
    fn with_worker(&self, work: impl FnOnce(&mut Refiner)) {
        let free = || self.workers.lock().unwrap_or_else(PoisonError::into_inner);
        let worker = free().pop();
        let mut worker = worker.unwrap_or_else(|| Refiner::new(self.settings.clone()));
        work(&mut worker);
        free().push(worker);
    }
}

/// Returns the content that stages see in a column of this name:
///
/// * `page`: stages change its texts as they change the text of the row.
/// * `parts`: it holds parts of that text.
/// * `own`: stages only mask it.
/// * `None`: stages do not change it.
#[pyfunction]
pub(crate) fn column_content(name: &str) -> Option<&'static str> {
    let parts = find_field(name)
        .is_some_and(|field| matches!(field.value_type, FieldType::Texts | FieldType::Json(_)));
    match content(name) {
        FieldContent::MainText | FieldContent::PageText if parts => Some("parts"),
        FieldContent::MainText | FieldContent::PageText => Some("page"),
        FieldContent::Own => Some("own"),
        FieldContent::Reference | FieldContent::Figure => None,
    }
}

/// Returns the content of a column of this name. The table of fields and the schemas decide; a
/// column with another name is the user's own.
fn content(name: &str) -> FieldContent {
    member_content(name).map_or(FieldContent::Own, MemberContent::content)
}

/// The columns of rows. Unknown columns are `None` or empty.
struct RowColumns {
    texts: Sources,
    urls: Option<Sources>,
    page_types: Option<Sources>,
    has_article: Vec<Option<bool>>,
    scores: Vec<Option<f64>>,
    languages: Option<Sources>,
    scripts: Option<Sources>,
    language_scores: Vec<Option<f64>>,
    rights: Option<Sources>,
    forms: Vec<Sources>,
    /// The content of each form.
    contents: Vec<FieldContent>,
}

/// The statements of rights of a row, for the stage that reads them.
struct RightsField<'a>(Option<&'a str>);

impl RowFields for RightsField<'_> {
    fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        self.0.filter(|_| name == "rights").map(Cow::Borrowed)
    }
}

/// Results of stages besides the text and its language.
#[derive(Clone, Copy, Default)]
struct StageValues<'a> {
    signals: Option<&'a str>,
    classes: Option<&'a str>,
    rights: Option<&'a str>,
    perplexity: Option<Perplexity>,
    tokens: Option<u64>,
}

/// The results for consecutive rows.
#[derive(Default)]
struct RowResults {
    text: TextColumn,
    language: TextColumn,
    script: TextColumn,
    score: Vec<Option<f64>>,
    signals: TextColumn,
    classes: TextColumn,
    rights: TextColumn,
    perplexity: Vec<Option<f64>>,
    bucket: TextColumn,
    tokens: Vec<Option<i64>>,
    reason: TextColumn,
    forms: Vec<TextColumn>,
}

impl RowColumns {
    /// Refines all rows in pieces, which free threads take, and joins the pieces in order. Once
    /// `stop` is set, the result lacks rows.
    fn refine(
        &self,
        stages: &RowStages,
        pool: Option<&rayon::ThreadPool>,
        stop: &AtomicBool,
    ) -> Result<RecordBatch, ArrowError> {
        let len = self.texts.len();
        let threads = pool.map_or(1, rayon::ThreadPool::current_num_threads);
        let piece_rows = (len / (threads * 8)).clamp(1, 1024);
        let next_index = AtomicUsize::new(0);
        let pieces = Mutex::new(Vec::new());
        let take_pieces = || {
            stages.with_worker(|refiner| {
                loop {
                    let start = next_index.fetch_add(piece_rows, Ordering::Relaxed);
                    if start >= len || stop.load(Ordering::Relaxed) {
                        return;
                    }
                    let piece = self.piece(refiner, start..len.min(start + piece_rows), stop);
                    let mut pieces = pieces.lock().unwrap_or_else(PoisonError::into_inner);
                    pieces.push((start, piece));
                }
            });
        };
        match pool {
            None => take_pieces(),
            Some(pool) => {
                pool.broadcast(|_| take_pieces());
            }
        }
        if stop.load(Ordering::Relaxed) {
            return self.empty().finish(stages.settings.extras());
        }
        let mut pieces = pieces.into_inner().unwrap_or_else(PoisonError::into_inner);
        pieces.sort_unstable_by_key(|(start, _)| *start);
        let mut pieces = pieces.into_iter().map(|(_, piece)| piece);
        let mut merged = pieces.next().unwrap_or_else(|| self.empty());
        for piece in pieces {
            merged.append(&piece);
        }
        merged.finish(stages.settings.extras())
    }

    fn empty(&self) -> RowResults {
        let forms = self.forms.iter().map(|_| TextColumn::default()).collect();
        RowResults { forms, ..RowResults::default() }
    }

    fn piece(&self, refiner: &mut Refiner, indexes: Range<usize>, stop: &AtomicBool) -> RowResults {
        let mut piece = self.empty();
        for index in indexes {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            self.push(refiner, index, &mut piece);
        }
        piece
    }

    fn push(&self, refiner: &mut Refiner, index: usize, piece: &mut RowResults) {
        let known = self.language(index);
        let given_rights = text_at(self.rights.as_ref(), index);
        let unchanged = StageValues { rights: given_rights, ..StageValues::default() };
        let Some(text) = self.texts.get(index).and_then(text) else {
            piece.push_row(None, known, unchanged, Some("no_text"));
            for (form, column) in self.forms.iter().zip(&mut piece.forms) {
                column.push(form.get(index).and_then(self::text));
            }
            return;
        };
        let row = RowInMemory {
            text,
            url: text_at(self.urls.as_ref(), index),
            page_type: text_at(self.page_types.as_ref(), index),
            has_article: self.has_article.get(index).copied().flatten(),
            score: self.scores.get(index).copied().flatten(),
            language: known,
        };
        let is_kept = match refiner.refine_with(&row, Some(&RightsField(given_rights))) {
            Ok(kept) => {
                let RefinedRow { signals, classes, perplexity, tokens, .. } = kept;
                let rights = kept.rights.or(given_rights);
                let values = StageValues { signals, classes, rights, perplexity, tokens };
                piece.push_row(Some(kept.text), kept.language, values, None);
                true
            }
            Err(reason) => {
                piece.push_row(Some(text), known, unchanged, Some(reason.name()));
                false
            }
        };
        let forms = self.forms.iter().zip(&self.contents);
        for ((form, content), column) in forms.zip(&mut piece.forms) {
            let form = form.get(index).and_then(self::text);
            let kept = form.filter(|_| is_kept);
            column.push(kept.and_then(|form| refiner.rewrite(form, *content)).or(form));
        }
    }

    /// Returns the language that the row states.
    fn language(&self, index: usize) -> Option<RowLanguage> {
        let code = text_at(self.languages.as_ref(), index)?.as_bytes().try_into().ok()?;
        let script =
            text_at(self.scripts.as_ref(), index).and_then(|text| text.as_bytes().try_into().ok());
        let score = self.language_scores.get(index).copied().flatten().unwrap_or_default();
        Some(RowLanguage { code, script: script.unwrap_or(*b"Zyyy"), score })
    }
}

impl RowResults {
    fn push_row(
        &mut self,
        text: Option<&str>,
        language: Option<RowLanguage>,
        StageValues { signals, classes, rights, perplexity, tokens }: StageValues<'_>,
        reason: Option<&str>,
    ) {
        self.text.push(text);
        self.language.push(language.as_ref().map(RowLanguage::code));
        self.script.push(language.as_ref().map(RowLanguage::script));
        self.score.push(language.map(|language| language.score));
        self.signals.push(signals);
        self.classes.push(classes);
        self.rights.push(rights);
        self.perplexity.push(perplexity.and_then(|perplexity| perplexity.value));
        self.bucket.push(perplexity.map(|perplexity| perplexity.bucket.name()));
        self.tokens.push(tokens.and_then(|tokens| tokens.try_into().ok()));
        self.reason.push(reason);
    }

    fn append(&mut self, other: &RowResults) {
        self.text.append(&other.text);
        self.language.append(&other.language);
        self.script.append(&other.script);
        self.score.extend_from_slice(&other.score);
        self.signals.append(&other.signals);
        self.classes.append(&other.classes);
        self.rights.append(&other.rights);
        self.perplexity.extend_from_slice(&other.perplexity);
        self.bucket.append(&other.bucket);
        self.tokens.extend_from_slice(&other.tokens);
        self.reason.append(&other.reason);
        for (column, more) in self.forms.iter_mut().zip(&other.forms) {
            column.append(more);
        }
    }

    fn finish(self, extras: Extras) -> Result<RecordBatch, ArrowError> {
        let score: ArrayRef = Arc::new(Float64Array::from(self.score));
        let mut columns = vec![
            ("text".to_owned(), self.text.finish()?),
            ("language".to_owned(), self.language.finish()?),
            ("language_script".to_owned(), self.script.finish()?),
            ("language_score".to_owned(), score),
            ("signals".to_owned(), self.signals.finish()?),
            ("reason".to_owned(), self.reason.finish()?),
        ];
        if extras.classes {
            columns.push(("classes".to_owned(), self.classes.finish()?));
        }
        if extras.perplexity {
            let perplexity: ArrayRef = Arc::new(Float64Array::from(self.perplexity));
            columns.push(("perplexity".to_owned(), perplexity));
            columns.push(("bucket".to_owned(), self.bucket.finish()?));
        }
        if extras.tokens {
            columns.push(("tokens".to_owned(), Arc::new(Int64Array::from(self.tokens))));
        }
        if extras.rights {
            columns.push(("rights".to_owned(), self.rights.finish()?));
        }
        for (number, form) in self.forms.into_iter().enumerate() {
            columns.push((format!("form{number}"), form.finish()?));
        }
        let field = |(name, array): &(String, ArrayRef)| {
            let kind = array.data_type().clone();
            debug_assert!(matches!(kind, DataType::Utf8 | DataType::Float64 | DataType::Int64));
            Field::new(name, kind, true)
        };
        let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
        RecordBatch::try_new(
            Arc::new(schema),
            columns.into_iter().map(|(_, array)| array).collect(),
        )
    }
}

/// Returns a text, if it is UTF-8.
fn text(source: Html<'_>) -> Option<&str> {
    match source {
        Html::Text(text) => Some(text),
        Html::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
    }
}

/// Returns the text of a column in a row, if both exist.
fn text_at(column: Option<&Sources>, index: usize) -> Option<&str> {
    column?.get(index).and_then(text)
}
