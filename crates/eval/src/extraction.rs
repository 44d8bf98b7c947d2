//! Runs several extractors on one page, parsed once, and measures the CPU time of each.

use huller_extract::{
    Extractor, ExtractorFactory, Profile, Renderer, Selection, TextStyle, Verdict,
};
use huller_page::{Page, PageBuf};
use rustix::time::{ClockId, clock_gettime};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Extractors, each in one of its profiles.
pub(crate) type ExtractorVariants = [(&'static dyn ExtractorFactory, Profile)];

/// A worker for each extractor, and other buffers, reused from page to page.
pub(crate) struct Extraction {
    columns: PageBuf,
    systems: Vec<System>,
    rendering: Rendering,
}

struct System {
    extractor: &'static dyn ExtractorFactory,
    profile: Profile,
    worker: Box<dyn Extractor>,
}

#[derive(Default)]
struct Rendering {
    selection: Selection,
    renderer: Renderer,
    text: String,
}

/// The result of one extractor on a page.
pub(crate) struct Extracted<'a> {
    /// The page; `None` if the parser panicked.
    pub(crate) page: Option<&'a Page<'a>>,
    pub(crate) text: &'a str,
    pub(crate) selection: &'a Selection,
    pub(crate) verdict: Verdict,
    /// CPU seconds for parsing, extracting and rendering.
    pub(crate) seconds: f64,
    /// Whether the extractor or the parser panicked. The text is then empty.
    pub(crate) panicked: bool,
}

impl Extraction {
    /// Creates a worker for each of these extractors.
    pub(crate) fn new(extractors: &ExtractorVariants) -> Extraction {
        let system = |(extractor, profile): &(&'static dyn ExtractorFactory, Profile)| System {
            extractor: *extractor,
            profile: *profile,
            worker: extractor.worker(*profile),
        };
        Extraction {
            columns: PageBuf::new(),
            systems: extractors.iter().map(system).collect(),
            rendering: Rendering::default(),
        }
    }

    /// Runs all extractors on a page, one after another, and calls `take` with each result in the
    /// order of the extractors.
    pub(crate) fn run(&mut self, html: &str, mut take: impl FnMut(Extracted<'_>)) {
        let Extraction { columns, systems, rendering } = self;
        let start = thread_seconds();
        let parse = move || {
            // Moved into the closure, so that the page can outlive it.
            let columns = columns;
            columns.fill(html)
        };
        let page = catch_unwind(AssertUnwindSafe(parse)).ok();
        let parsing = thread_seconds() - start;
        for System { extractor, profile, worker } in systems {
            let start = thread_seconds();
            let extracted_page = catch_unwind(AssertUnwindSafe(|| {
                page.as_ref().map(|page| {
                    rendering.extract(page, &mut **worker, TextStyle::for_profile(*profile))
                })
            }));
            let seconds = parsing + thread_seconds() - start;
            let verdict = extracted_page.ok().flatten();
            let panicked = verdict.is_none();
            if panicked {
                // The panic may have left a broken state; the next page gets a new worker.
                *worker = extractor.worker(*profile);
                *rendering = Rendering::default();
            }
            take(Extracted {
                page: page.as_ref(),
                text: &rendering.text,
                selection: &rendering.selection,
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

impl Rendering {
    fn extract(
        &mut self,
        page: &Page<'_>,
        worker: &mut dyn Extractor,
        style: TextStyle,
    ) -> Verdict {
        let Rendering { selection, renderer, text } = self;
        let verdict = worker.extract(page, selection);
        text.clear();
        renderer.set_style(style);
        renderer.text(page, selection, text);
        // An extractor that does not judge has no verdicts to score.
        match verdict.has_article {
            Some(_) => verdict.with_selection(page, selection, text),
            None => verdict,
        }
    }
}

/// Returns the CPU time of this thread, in seconds.
fn thread_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
