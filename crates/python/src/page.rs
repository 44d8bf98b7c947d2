//! One extracted page.

use crate::errors::value_error;
use huller_pipeline::{Row, RowSink};
use pyo3::prelude::*;
use pyo3::types::PyString;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The values of a page's row, in memory of its own. The fields have the order of
/// [`Page::to_dict`].
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Extracted {
    title: Option<String>,
    pub(crate) text: String,
    author: Option<String>,
    published: Option<String>,
    site_name: Option<String>,
    description: Option<String>,
    extractor: String,
    score: Option<f64>,
    charset: String,
    charset_source: String,
    replaced: u64,
    truncated: Option<String>,
    page_type: Option<String>,
    has_article: Option<bool>,
    comments: Option<String>,
    markdown: Option<String>,
    html: Option<String>,
    source_html: Option<String>,
    blocks: Option<Box<RawValue>>,
    #[serde(skip)]
    rows: usize,
}

impl RowSink for Extracted {
    fn row(&mut self, row: &Row<'_>) {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        *self = Extracted {
            text: row.text.to_owned(),
            title: owned(row.title),
            author: owned(row.author),
            published: owned(row.published),
            site_name: owned(row.site_name),
            description: owned(row.description),
            extractor: row.extractor.to_owned(),
            score: row.score,
            charset: row.charset.to_owned(),
            charset_source: row.charset_source.to_owned(),
            replaced: row.replaced,
            truncated: owned(row.truncated),
            page_type: owned(row.page_type),
            has_article: row.has_article,
            comments: owned(row.comments),
            markdown: owned(row.markdown),
            html: owned(row.html),
            source_html: owned(row.source_html),
            blocks: row
                .blocks
                .map(|json| RawValue::from_string(json.to_owned()).expect("the row holds JSON")),
            rows: 1,
        };
    }

    fn mark(&self) -> usize {
        self.rows
    }

    fn cut(&mut self, _: usize) {
        *self = Extracted::default();
    }
}

/// An extracted page.
#[pyclass(module = "huller", frozen)]
pub(crate) struct Page {
    /// The Python string is made once, since most callers ask for it, some several times.
    #[pyo3(get)]
    text: Py<PyString>,
    extracted: Extracted,
}

impl Page {
    pub(crate) fn new(py: Python<'_>, mut extracted: Extracted) -> Page {
        let text = PyString::new(py, &extracted.text).unbind();
        extracted.text = String::new();
        Page { text, extracted }
    }

    /// Returns all fields as a JSON object.
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        let text = self.text.to_str(py)?.to_owned();
        let extracted = Extracted { text, ..self.extracted.clone() };
        serde_json::to_string(&extracted).map_err(|error| value_error(error.to_string()))
    }
}

#[pymethods]
impl Page {
    #[getter]
    fn markdown(&self) -> Option<&str> {
        self.extracted.markdown.as_deref()
    }

    #[getter]
    fn html(&self) -> Option<&str> {
        self.extracted.html.as_deref()
    }

    #[getter]
    fn source_html(&self) -> Option<&str> {
        self.extracted.source_html.as_deref()
    }

    #[getter]
    fn blocks<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let blocks = self.extracted.blocks.as_ref();
        let loads = |json: &RawValue| py.import("json")?.call_method1("loads", (json.get(),));
        blocks.map(|json| loads(json)).transpose()
    }

    #[getter]
    fn title(&self) -> Option<&str> {
        self.extracted.title.as_deref()
    }

    #[getter]
    fn author(&self) -> Option<&str> {
        self.extracted.author.as_deref()
    }

    #[getter]
    fn published(&self) -> Option<&str> {
        self.extracted.published.as_deref()
    }

    #[getter]
    fn site_name(&self) -> Option<&str> {
        self.extracted.site_name.as_deref()
    }

    #[getter]
    fn description(&self) -> Option<&str> {
        self.extracted.description.as_deref()
    }

    #[getter]
    fn extractor(&self) -> &str {
        &self.extracted.extractor
    }

    #[getter]
    fn score(&self) -> Option<f64> {
        self.extracted.score
    }

    #[getter]
    fn charset(&self) -> &str {
        &self.extracted.charset
    }

    #[getter]
    fn charset_source(&self) -> &str {
        &self.extracted.charset_source
    }

    #[getter]
    fn replaced(&self) -> u64 {
        self.extracted.replaced
    }

    #[getter]
    fn truncated(&self) -> Option<&str> {
        self.extracted.truncated.as_deref()
    }

    #[getter]
    fn page_type(&self) -> Option<&str> {
        self.extracted.page_type.as_deref()
    }

    #[getter]
    fn has_article(&self) -> Option<bool> {
        self.extracted.has_article
    }

    #[getter]
    fn comments(&self) -> Option<&str> {
        self.extracted.comments.as_deref()
    }

    /// Returns all fields by name, in the order of the program's rows.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("json")?.call_method1("loads", (self.json(py)?,))
    }

    #[staticmethod]
    fn _from_json(py: Python<'_>, text: &str) -> PyResult<Page> {
        let extracted = serde_json::from_str(text)
            .map_err(|error| value_error(format!("this is not a page: {error}")))?;
        Ok(Page::new(py, extracted))
    }

    /// Pickles the page as JSON.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let json = slf.get().json(slf.py())?;
        Ok((slf.get_type().getattr("_from_json")?, (json,)))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let characters = self.text.bind(py).len()?;
        let title = self.title().into_pyobject(py)?.repr()?;
        let extractor = self.extractor().into_pyobject(py)?.repr()?;
        Ok(format!("Page(title={title}, {characters} characters, extractor={extractor})"))
    }
}
