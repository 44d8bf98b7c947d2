//! The texts of several extractors for one page, parsed once, and what each of them costs.

use huller_extract::{Extractor, Renderer, Scratch, Selection, Verdict};
use huller_page::{Page, PageBuf};
use rustix::time::{ClockId, clock_gettime};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Memory for extracting, reused from page to page.
#[derive(Default)]
pub(crate) struct Extraction {
    columns: PageBuf,
    after: AfterParsing,
}

#[derive(Default)]
struct AfterParsing {
    scratch: Scratch,
    selection: Selection,
    renderer: Renderer,
    text: String,
}

/// What one extractor made of a page; they come in the order of the extractors.
pub(crate) struct Extracted<'a> {
    /// The page; `None` if the parser panicked.
    pub(crate) page: Option<&'a Page<'a>>,
    pub(crate) text: &'a str,
    pub(crate) selection: &'a Selection,
    pub(crate) verdict: Verdict,
    /// CPU seconds for parsing, extracting and rendering.
    pub(crate) seconds: f64,
    /// Whether the extractor, or the parser, panicked. The text is empty then.
    pub(crate) panicked: bool,
}

impl Extraction {
    /// Runs all extractors over a page, one after another.
    pub(crate) fn run(
        &mut self,
        html: &str,
        extractors: &[&dyn Extractor],
        mut take: impl FnMut(Extracted<'_>),
    ) {
        let Extraction { columns, after } = self;
        let start = thread_seconds();
        let parse = move || {
            // Moved in, so that the page may outlive the closure.
            let columns = columns;
            columns.fill(html)
        };
        let page = catch_unwind(AssertUnwindSafe(parse)).ok();
        let parsing = thread_seconds() - start;
        for extractor in extractors {
            let start = thread_seconds();
            let done = catch_unwind(AssertUnwindSafe(|| {
                page.as_ref().map(|page| after.extract(page, *extractor))
            }));
            let seconds = parsing + thread_seconds() - start;
            let verdict = done.ok().flatten();
            let panicked = verdict.is_none();
            if panicked {
                // Whatever state it was left in must not meet the next one.
                *after = AfterParsing::default();
            }
            take(Extracted {
                page: page.as_ref(),
                text: &after.text,
                selection: &after.selection,
                verdict: verdict.unwrap_or_default(),
                seconds,
                panicked,
            });
        }
        if page.is_none() {
            self.columns = PageBuf::new();
        }
    }
}

impl AfterParsing {
    fn extract(&mut self, page: &Page<'_>, extractor: &dyn Extractor) -> Verdict {
        let AfterParsing { scratch, selection, renderer, text } = self;
        let verdict = extractor.extract(page, scratch, selection);
        text.clear();
        renderer.text(page, selection, text);
        verdict
    }
}

/// CPU seconds that this thread has used.
fn thread_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
