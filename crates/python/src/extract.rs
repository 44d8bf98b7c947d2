//! `huller.extract`: extracts one page.

use crate::errors::huller_error;
use crate::options;
use crate::page::{Extracted, Page};
use crate::sources::Source;
use huller_pipeline::{Config, Pages};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::cell::RefCell;

thread_local! {
    /// The scratch buffers of a page, kept from call to call, and the options they were made for. A
    /// call with other options replaces them.
    static PAGES: RefCell<Option<(Config, Pages)>> = const { RefCell::new(None) };
}

/// Calls `work` with the scratch buffers of this thread for pages with these options.
fn with_pages<T>(config: Config, work: impl FnOnce(&mut Pages) -> T) -> PyResult<T> {
    PAGES.with_borrow_mut(|cached_pages| {
        // Compared in place: the value has kilobytes of buffer headers, which a move would copy.
        if cached_pages.as_ref().is_some_and(|(cached_config, _)| *cached_config != config) {
            *cached_pages = None;
        }
        let (_, pages) = if let Some(cached_pages) = cached_pages {
            cached_pages
        } else {
            let pages = Pages::new(options::settings(config.clone())?);
            cached_pages.insert((config, pages))
        };
        Ok(work(pages))
    })
}

/// Extracts the main content and the metadata of one page, `bytes` or `str`. Returns a `Page`.
///
/// `bytes` are decoded as in browsers: by the byte order mark, then `charset` (from the HTTP
/// header), then `<meta>`, then the bytes themselves. `url` helps to find metadata, and encodings
/// that the page does not state. `output` is an additional form of the text: `"markdown"`, `"html"`
/// (clean), `"source_html"` or `"blocks"`.
///
/// The other options are `extractor`, `profile`, `include`, `text_without`, `markdown_without` and
/// `max_page_bytes`, as in the program, and `config`, a `huller.Config`.
#[pyfunction]
#[pyo3(signature = (html, *, url=None, charset=None, output="text", **options))]
pub(crate) fn extract(
    py: Python<'_>,
    html: &Bound<'_, PyAny>,
    url: Option<&str>,
    charset: Option<&str>,
    output: &str,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Page> {
    let config = options::extract_config(options, output)?;
    options::check_charset(charset)?;
    let source = Source::from_object(html)?;
    let extracted = py.detach(|| {
        with_pages(config, |pages| {
            let mut extracted = Extracted::default();
            pages.read(source.html(), url, charset, &mut extracted).map(|()| extracted)
        })
    });
    match extracted? {
        Ok(extracted) => Ok(Page::new(py, extracted)),
        Err(reason) => {
            Err(huller_error(py, format!("the page could not be extracted: {}", reason.name())))
        }
    }
}
