//! The worker of an extractor.

use crate::derivation::Derivations;
use crate::page_segmentation::PageSegmentation;
use crate::run_figures::RunFigures;
use crate::selection::Selection;
use crate::verdict::Verdict;
use huller_page::Page;

/// Finds the main content of one page after another.
///
/// A worker owns its scratch buffers. Results do not depend on earlier pages: a page has the same
/// selection and the same verdict in any order and on any thread. The running time is O(n), or O(n
/// log n), in the size of the page. A worker allocates only while its buffers grow to the largest
/// page.
pub trait Extractor: Send {
    /// Selects the main content of a page. Clears `out` first. A selection without roots means that
    /// the extractor found no main content.
    fn extract(&mut self, page: &Page<'_>, out: &mut Selection) -> Verdict;

    /// Fills in the extractor's figures for the parts of `page`, which must be the page of the last
    /// [`Extractor::extract`]. Leaves `out` unchanged if the extractor does not score parts; `out`
    /// must be clear. The cost is at most that of the extraction.
    fn figures(&self, page: &Page<'_>, out: &mut RunFigures) {
        let _ = (page, out);
    }

    /// Returns the blocks of the page of the last [`Extractor::extract`]. `None` if the extractor
    /// does not divide pages into blocks.
    fn segmentation(&self) -> Option<&dyn PageSegmentation> {
        None
    }

    /// Splits the scores of some runs into terms. The runs must ascend and have a score by
    /// [`Extractor::figures`]; `page` is as there.
    ///
    /// This is for people who inspect a page: it may allocate and may take several times as long as
    /// the extraction. Its cost is at most O(n log n), plus O(depth) for each run.
    fn derive(&mut self, page: &Page<'_>, runs: &[u32]) -> Derivations {
        let _ = (page, runs);
        Derivations::default()
    }
}
