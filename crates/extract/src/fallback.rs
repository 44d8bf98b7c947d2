//! An extractor with a fall-back: a second extractor reads the page if the first one selects
//! nothing.

use huller_page::Page;
use huller_select::{
    Derivations, Extractor, ExtractorCard, ExtractorFactory, Profile, RunFigures, Selection,
    UserModelResult, Verdict,
};
use std::ops::Deref;
use std::sync::Arc;

/// In profile `tuned`, `second` extracts each page on which `first` selects nothing. Profile
/// `paper` uses only `first`.
pub(crate) struct FallbackExtractor<M> {
    pub(crate) first: M,
    pub(crate) second: &'static dyn ExtractorFactory,
}

impl<M: Deref<Target = dyn ExtractorFactory> + Send + Sync> ExtractorFactory
    for FallbackExtractor<M>
{
    fn card(&self) -> &ExtractorCard {
        self.first.card()
    }

    fn worker(&self, profile: Profile) -> Box<dyn Extractor> {
        let first = self.first.worker(profile);
        match profile {
            Profile::Paper => first,
            Profile::Tuned => {
                Box::new(FallbackWorker { first, second: self.second.worker(profile) })
            }
        }
    }

    fn model(&self) -> Option<&'static [u8]> {
        self.first.model()
    }

    fn with_model(&self, model: &[u8], profile: Profile) -> Option<UserModelResult> {
        let first = self.first.with_model(model, profile)?;
        Some(first.map(|first| Arc::new(FallbackExtractor { first, second: self.second }) as _))
    }
}

struct FallbackWorker {
    first: Box<dyn Extractor>,
    second: Box<dyn Extractor>,
}

impl Extractor for FallbackWorker {
    /// Returns the verdict of the first extractor, even if the second one selects.
    fn extract(&mut self, page: &Page<'_>, out: &mut Selection) -> Verdict {
        let verdict = self.first.extract(page, out);
        if out.roots.is_empty() {
            self.second.extract(page, out);
        }
        verdict
    }

    /// Fills in the figures of the first extractor, to match the verdict.
    fn figures(&self, page: &Page<'_>, out: &mut RunFigures) {
        self.first.figures(page, out);
    }

    fn derive(&mut self, page: &Page<'_>, runs: &[u32]) -> Derivations {
        self.first.derive(page, runs)
    }
}
