//! Naive Bayes over blocks (paper 000): every block of the page is theme or noise, whichever is more likely for how much
//! of its text stands outside links, how much in links, how it is punctuated and how many paragraphs it holds.
//!
//! Block tags are `table`, `tr`, `td` and `div`. Text belongs to its nearest ancestor among them, or to the body; all text
//! of one such element is a block. Each of four features falls into a bin ([`features`]), and with `P_f` the share of
//! training blocks of class `c` in that bin, smoothed, and `P(c)` the share of class `c` among all training blocks:
//!
//! ```text
//! s_c = sum over f of ln P_f(bin | c)  [+ ln P(c)]          theme iff s_theme >= s_noise        (14), (15)
//! ```
//!
//! What the paper leaves open, and what we chose (specification section 1): blocks partition the text, an outer block
//! does not hold the text of an inner one again (A-1); consecutive blocks that are siblings merge in profile `paper`, as
//! its step 3 says, though that chains a page's columns into one block, and not in `tuned` (A-2); where (4) and (5) print
//! the linked text the unlinked is meant (A-3); for the unlinked text and the punctuation the probability is that of all
//! bins up to the block's (A-4); (6), (7), (10), (11) mean the probability of the bin a value falls into (A-5); `tuned`
//! takes the prior, which (14) and (15) drop as if it were the same for both classes (A-6); every bin is smoothed by
//! one (A-7); punctuation without links is the last bin, none at all the first (A-8).
//!
//! The `tuned` profile removes the set TUNED of the specification (0.6) besides, and falls back: where no block is theme
//! to the blocks nearest to it, where there is no block to the P value.
//! Beside that set it removes small forms (`removal.rs`).
//!
//! The baseline `nb-table`, with which the paper compares, knows `table` alone as a block tag.
//!
//! Cost: one sweep over the nodes, two over the runs, constant time a block.
//!
//! Known failures: a short paragraph in a block of its own is noise; text of which no part stands in a block element of
//! its own (`article`, `section` and `main` are none) is one block with what surrounds it; in profile `paper`, pages made
//! of sibling blocks are selected as a whole or not at all.

pub mod blocks;
pub mod features;
pub mod model;

use crate::extractor::{Citation, Extractor, Verdict};
use crate::methods::pvalue;
use crate::selection::Selection;
use blocks::{BlockTags, Merge, Options, Removal};
use huller_page::Page;
use model::{Classifier, Counts, Definition, Model, ModelError};
use std::sync::LazyLock;

pub(crate) const CITATION: Citation =
    Citation { paper: Some("000"), subject: "naive Bayes over blocks" };

pub(crate) static PAPER: LazyLock<NaiveBayes> =
    LazyLock::new(|| NaiveBayes::shipped(Definition::Paper));
pub(crate) static TUNED: LazyLock<NaiveBayes> =
    LazyLock::new(|| NaiveBayes::shipped(Definition::Tuned));

/// What profile `paper` is.
pub(crate) const PAPER_OPTIONS: Options = Options {
    tags: BlockTags::Parts,
    merge: Merge::Siblings,
    removal: Removal::Core,
    plain_bins: false,
    prior: false,
    fall_back: false,
};

/// What profile `tuned` is.
pub(crate) const TUNED_OPTIONS: Options = Options {
    tags: BlockTags::Parts,
    merge: Merge::None,
    removal: Removal::Tuned,
    plain_bins: false,
    prior: true,
    fall_back: true,
};

/// Naive Bayes with some options and a model.
#[derive(Debug)]
pub struct NaiveBayes {
    options: Options,
    classifier: Classifier,
}

impl NaiveBayes {
    /// The method with any options and counts.
    ///
    /// # Errors
    ///
    /// The counts know no block of one of the classes.
    pub fn new(options: Options, counts: &Counts) -> Result<NaiveBayes, ModelError> {
        Ok(NaiveBayes { classifier: Classifier::new(counts, &options)?, options })
    }

    /// One of the four that ship, with another model.
    ///
    /// # Errors
    ///
    /// As [`NaiveBayes::new`].
    pub fn with_model(definition: Definition, model: &Model) -> Result<NaiveBayes, ModelError> {
        NaiveBayes::new(definition.options(), model.counts(definition))
    }

    pub(crate) fn shipped(definition: Definition) -> NaiveBayes {
        NaiveBayes::with_model(definition, Model::shipped())
            .expect("a test reads the model that ships")
    }
}

/// Blocks of one page and what they were judged to be.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    blocks: blocks::Columns,
    log_odds: Vec<f64>,
}

impl Extractor for NaiveBayes {
    fn extract(
        &self,
        page: &Page<'_>,
        scratch: &mut crate::Scratch,
        out: &mut Selection,
    ) -> Verdict {
        out.clear();
        let Scratch { blocks, log_odds } = &mut scratch.nb;
        blocks.fill(page, self.options, &mut out.removed);
        log_odds.clear();
        log_odds
            .extend(blocks.counts().iter().map(|counts| self.classifier.log_odds(counts.bins())));
        let best = log_odds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if log_odds.is_empty() {
            if self.options.fall_back {
                pvalue::TUNED.extract(page, scratch, out);
            }
            return Verdict::default();
        }
        debug_assert!(best.is_finite());
        let least = if self.options.fall_back { best.min(0.0) } else { 0.0 };
        blocks.select(page, |block| log_odds[block as usize] >= least, out);
        Verdict { score: Some(best), ..Verdict::default() }
    }
}

#[cfg(test)]
mod tests;
