//! `huller.extract`: one page.

use crate::errors::failed;
use crate::options;
use crate::page::{Extracted, Page};
use crate::sources::Source;
use huller_pipeline::{Config, Pages};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::cell::RefCell;

thread_local! {
    /// Memory for a page, kept from call to call, and the options that it was made for. A call with
    /// other options makes it anew.
    static PAGES: RefCell<Option<(Config, Pages)>> = const { RefCell::new(None) };
}

/// Calls `work` with the memory of this thread for pages with these options.
fn with_pages<T>(config: Config, work: impl FnOnce(&mut Pages) -> T) -> PyResult<T> {
    PAGES.with_borrow_mut(|kept| {
        // Looked at where it lies: it is kilobytes of buffers' heads, which a move would copy.
        if kept.as_ref().is_some_and(|(kept, _)| *kept != config) {
            *kept = None;
        }
        let (_, pages) = if let Some(kept) = kept {
            kept
        } else {
            let pages = Pages::new(options::settings(config.clone())?);
            kept.insert((config, pages))
        };
        Ok(work(pages))
    })
}

/// Extracts the main content of one page, `bytes` or `str`, and what the page says of itself: a
/// `Page`.
///
/// `bytes` are decoded as browsers do: byte order mark, then `charset` (the HTTP header's), then
/// `<meta>`, then what the bytes look like. `url` helps with metadata, and with encodings that
/// nothing states. `output` is what the page has besides its text: `"markdown"`, `"html"` (clean),
/// `"source_html"` or `"blocks"`.
///
/// The other options are `extractor`, `profile`, `include`, `text_without`, `markdown_without` and
/// `max_page_bytes`, as of the program.
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
    let config = options::of_a_page(options, output)?;
    options::check_charset(charset)?;
    let source = Source::of(html)?;
    let extracted = py.detach(|| {
        with_pages(config, |pages| {
            let mut extracted = Extracted::default();
            pages.read(source.html(), url, charset, &mut extracted).map(|()| extracted)
        })
    });
    match extracted? {
        Ok(extracted) => Ok(Page::new(py, extracted)),
        Err(reason) => {
            Err(failed(py, format!("the page could not be extracted: {}", reason.name())))
        }
    }
}
