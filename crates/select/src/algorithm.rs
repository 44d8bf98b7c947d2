//! Makes extractors from settings, and workers from settings and scratch buffers.

use crate::card::ExtractorCard;
use crate::derivation::Derivations;
use crate::extractor::Extractor;
use crate::extractor_factory::ExtractorFactory;
use crate::page_segmentation::PageSegmentation;
use crate::profile::Profile;
use crate::run_figures::RunFigures;
use crate::selection::Selection;
use crate::verdict::Verdict;
use huller_page::Page;
use std::ops::Deref;
use std::sync::Arc;

/// An extractor in one setting. It has no state; every call gets its scratch buffers.
pub trait Algorithm: Send + Sync {
    /// Buffers that a worker reuses from page to page.
    type Scratch: Default + Send;

    /// Extracts as [`Extractor::extract`] does. `scratch` may have been used for other pages; it
    /// must not influence the result.
    fn extract(&self, page: &Page<'_>, scratch: &mut Self::Scratch, out: &mut Selection)
    -> Verdict;

    /// Fills in figures as [`Extractor::figures`] does. `scratch` is as the last extraction left
    /// it.
    fn figures(&self, page: &Page<'_>, scratch: &Self::Scratch, out: &mut RunFigures) {
        let _ = (page, scratch, out);
    }

    /// Returns blocks as [`Extractor::segmentation`] does. `scratch` is as the last extraction left
    /// it.
    fn segmentation<'m>(&self, scratch: &'m Self::Scratch) -> Option<&'m dyn PageSegmentation> {
        let _ = scratch;
        None
    }

    /// Derives as [`Extractor::derive`] does. `scratch` is as the last extraction left it. The call
    /// must leave it usable for [`Algorithm::figures`].
    fn derive(&self, page: &Page<'_>, scratch: &mut Self::Scratch, runs: &[u32]) -> Derivations {
        let _ = (page, scratch, runs);
        Derivations::default()
    }
}

/// A worker made of an algorithm and its scratch buffers.
#[derive(Debug)]
pub struct Worker<A: Algorithm> {
    algorithm: A,
    scratch: A::Scratch,
}

impl<A: Algorithm> Worker<A> {
    /// Returns a worker with empty scratch buffers.
    pub fn new(algorithm: A) -> Worker<A> {
        Worker { algorithm, scratch: A::Scratch::default() }
    }
}

impl<A: Algorithm> Extractor for Worker<A> {
    fn extract(&mut self, page: &Page<'_>, out: &mut Selection) -> Verdict {
        self.algorithm.extract(page, &mut self.scratch, out)
    }

    fn figures(&self, page: &Page<'_>, out: &mut RunFigures) {
        self.algorithm.figures(page, &self.scratch, out);
    }

    fn segmentation(&self) -> Option<&dyn PageSegmentation> {
        self.algorithm.segmentation(&self.scratch)
    }

    fn derive(&mut self, page: &Page<'_>, runs: &[u32]) -> Derivations {
        self.algorithm.derive(page, &mut self.scratch, runs)
    }
}

/// An extractor that is one algorithm in two settings. Each worker gets a clone of the algorithm.
#[derive(Debug)]
pub struct Profiles<A> {
    /// Describes the extractor to users.
    pub card: ExtractorCard,
    /// The setting of [`Profile::Paper`].
    pub paper: A,
    /// The setting of [`Profile::Tuned`].
    pub tuned: A,
}

impl<A: Algorithm + Clone + 'static> ExtractorFactory for Profiles<A> {
    fn card(&self) -> &ExtractorCard {
        &self.card
    }

    fn worker(&self, profile: Profile) -> Box<dyn Extractor> {
        let algorithm = match profile {
            Profile::Paper => &self.paper,
            Profile::Tuned => &self.tuned,
        };
        Box::new(Worker::new(algorithm.clone()))
    }
}

/// An algorithm that all workers share, because it holds a model.
impl<T: Algorithm> Algorithm for Arc<T> {
    type Scratch = T::Scratch;

    fn extract(&self, page: &Page<'_>, scratch: &mut T::Scratch, out: &mut Selection) -> Verdict {
        self.deref().extract(page, scratch, out)
    }

    fn figures(&self, page: &Page<'_>, scratch: &T::Scratch, out: &mut RunFigures) {
        self.deref().figures(page, scratch, out);
    }

    fn segmentation<'m>(&self, scratch: &'m T::Scratch) -> Option<&'m dyn PageSegmentation> {
        self.deref().segmentation(scratch)
    }

    fn derive(&self, page: &Page<'_>, scratch: &mut T::Scratch, runs: &[u32]) -> Derivations {
        self.deref().derive(page, scratch, runs)
    }
}

/// An extractor that is one algorithm with a model, the same in both profiles.
#[derive(Debug)]
pub struct ModelExtractor<A> {
    /// Describes the extractor to users.
    pub card: ExtractorCard,
    /// The algorithm that all workers share.
    pub algorithm: Arc<A>,
}

impl<A: Algorithm + 'static> ExtractorFactory for ModelExtractor<A> {
    fn card(&self) -> &ExtractorCard {
        &self.card
    }

    fn worker(&self, _: Profile) -> Box<dyn Extractor> {
        Box::new(Worker::new(Arc::clone(&self.algorithm)))
    }
}
