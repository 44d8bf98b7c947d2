//! One extracted page.

use huller_pipeline::{Row, RowSink};
use pyo3::prelude::*;
use pyo3::types::PyString;

/// What the row of a page says, in memory of its own.
#[derive(Default)]
pub(crate) struct Extracted {
    pub(crate) text: String,
    title: Option<String>,
    author: Option<String>,
    published: Option<String>,
    site_name: Option<String>,
    description: Option<String>,
    extractor: String,
    score: Option<f64>,
    charset: String,
    charset_source: String,
    truncated: bool,
    page_type: Option<String>,
    comments: Option<String>,
    html: Option<String>,
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
            truncated: row.truncated,
            page_type: owned(row.page_type),
            comments: owned(row.comments),
            html: owned(row.html),
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
    /// Made once: it is what everybody asks for.
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
}

#[pymethods]
impl Page {
    #[getter]
    fn html(&self) -> Option<&str> {
        self.extracted.html.as_deref()
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
    fn truncated(&self) -> bool {
        self.extracted.truncated
    }

    #[getter]
    fn page_type(&self) -> Option<&str> {
        self.extracted.page_type.as_deref()
    }

    #[getter]
    fn comments(&self) -> Option<&str> {
        self.extracted.comments.as_deref()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let characters = self.text.bind(py).len()?;
        let Extracted { title, extractor, .. } = &self.extracted;
        Ok(format!("Page(title={title:?}, {characters} characters, extractor={extractor:?})"))
    }
}
