//! The worker of a method.

use crate::derivation::Derivations;
use crate::run_figures::RunFigures;
use crate::selection::Selection;
use crate::verdict::Verdict;
use huller_page::Page;

/// Finds the main content of one page after another.
///
/// An extractor owns the memory that it works in. No result depends on earlier pages: the same page
/// gives the same selection and the same verdict, in whatever order and on whatever thread. The
/// running time is O(n), or O(n log n), in the size of the page. An extractor allocates only while
/// its buffers grow to the largest page.
pub trait Extractor: Send {
    /// Selects the main content of a page. Empties `out` first. A selection without roots means
    /// that the method found nothing.
    fn extract(&mut self, page: &Page<'_>, out: &mut Selection) -> Verdict;

    /// Fills in what the method found for the parts of `page`, which must be the page that
    /// [`Extractor::extract`] saw last. Leaves `out` as it is if the method scores no parts; `out`
    /// must be clear. Costs as much as the extraction at most.
    fn figures(&self, page: &Page<'_>, out: &mut RunFigures) {
        let _ = (page, out);
    }

    /// Takes the scores of some runs apart, which must ascend and have a score by
    /// [`Extractor::figures`]; `page` is as there. For people who look: it may take memory and
    /// several times as long as the extraction, but no more than O(n log n) and O(depth) for each
    /// run.
    fn derive(&mut self, page: &Page<'_>, runs: &[u32]) -> Derivations {
        let _ = (page, runs);
        Derivations::default()
    }
}
