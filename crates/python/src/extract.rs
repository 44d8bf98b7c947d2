//! `huller.extract`: one page.

use crate::errors::failed;
use crate::options;
use crate::page::{Extracted, Page};
use crate::sources::Source;
use huller_extract::{Method, Profile};
use huller_pipeline::{Include, Pages};
use pyo3::prelude::*;
use std::cell::RefCell;

/// What decides how a page is extracted.
#[derive(Clone, Copy)]
struct Choice {
    method: &'static Method,
    profile: Profile,
    include: Include,
    html: bool,
    max_page_bytes: usize,
}

impl Choice {
    fn is_that_of(&self, pages: &Pages) -> bool {
        let settings = pages.settings();
        std::ptr::eq(settings.methods[0], self.method)
            && settings.profile == self.profile
            && settings.include == self.include
            && settings.html == self.html
            && settings.max_page_bytes == self.max_page_bytes
    }

    fn pages(&self) -> Pages {
        let mut settings = options::settings(vec![self.method], self.profile);
        settings.include = self.include;
        settings.html = self.html;
        settings.max_page_bytes = self.max_page_bytes;
        Pages::new(settings)
    }
}

thread_local! {
    /// Memory for the page at hand, kept from call to call. A thread that changes its mind all the time makes it anew.
    static PAGES: RefCell<Option<Pages>> = const { RefCell::new(None) };
}

/// Calls `work` with the thread's pages.
fn with_pages<T>(choice: &Choice, work: impl FnOnce(&mut Pages) -> T) -> T {
    PAGES.with_borrow_mut(|kept| {
        // Looked at where it lies: it is kilobytes of buffers' heads, which a move would copy.
        if kept.as_ref().is_some_and(|pages| !choice.is_that_of(pages)) {
            *kept = None;
        }
        work(kept.get_or_insert_with(|| choice.pages()))
    })
}

/// Extracts the main content of one page, `bytes` or `str`, and what the page says of itself: a `Page`.
///
/// `bytes` are decoded as browsers do: byte order mark, then `charset` (the HTTP header's), then `<meta>`, then what the bytes
/// look like. `url` helps with metadata, and with encodings that nothing states. `output="html"` gives the source of what was
/// selected besides its text.
#[pyfunction]
#[pyo3(signature = (
    html, *, url=None, charset=None, extractor=None, profile="tuned", output="text", include=Vec::new(),
    max_page_bytes=16_777_216
))]
pub(crate) fn extract(
    py: Python<'_>,
    html: &Bound<'_, PyAny>,
    url: Option<&str>,
    charset: Option<&str>,
    extractor: Option<&str>,
    profile: &str,
    output: &str,
    include: Vec<String>,
    max_page_bytes: usize,
) -> PyResult<Page> {
    let choice = Choice {
        method: options::method(extractor)?,
        profile: options::profile(profile)?,
        include: options::include(&include)?,
        html: options::output_html(output)?,
        max_page_bytes,
    };
    let source = Source::of(html)?;
    let extracted = py.detach(|| {
        with_pages(&choice, |pages| {
            let mut extracted = Extracted::default();
            pages.read(source.html(), url, charset, &mut extracted).map(|()| extracted)
        })
    });
    match extracted {
        Ok(extracted) => Ok(Page::new(py, extracted)),
        Err(reason) => {
            Err(failed(py, format!("the page could not be extracted: {}", reason.name())))
        }
    }
}
