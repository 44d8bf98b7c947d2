//! Naive Bayes over blocks (paper 000): classifies every block of the page as theme or noise. Its
//! four features are text outside links, share of linked text, punctuation, and paragraphs.
//!
//! Wang Jinbo, Wang Lianzhi, Gao Wanlin, Yu Jian, Cui Yuntao: *Chinese Web Content Extraction Based
//! on Naïve Bayes Model*, 2013.
//!
//! Block tags are `table`, `tr`, `td` and `div`. Text belongs to its nearest ancestor with a block
//! tag, or to the body; all text of one such element is a block. Each feature falls into a bin
//! ([`features`]). With `P_f` the smoothed share of the training blocks of class `c` that are in
//! that bin, and `P(c)` the share of class `c` among all training blocks:
//!
//! ```text
//! s_c = sum over f of ln P_f(bin | c)  [+ ln P(c)]          theme iff s_theme >= s_noise        (14), (15)
//! ```
//!
//! Our choices where the paper is open (specification section 1):
//!
//! - Blocks partition the text, so an outer block does not include the text of an inner one (A-1).
//!   A model that was trained on blocks with their whole subtrees changes this. A model that was
//!   trained with more block tags cuts pages by these (A-11).
//! - In profile `paper`, consecutive blocks that are siblings merge, as its step 3 says, although
//!   that chains the columns of a page into one block. In `tuned` they don't (A-2).
//! - (4) and (5) print the linked text but mean the unlinked (A-3).
//! - For unlinked text and punctuation, the probability is that of all bins up to the block's bin
//!   (A-4). (6), (7), (10) and (11) mean the probability of the bin that a value falls into (A-5).
//! - `tuned` uses the prior, which (14) and (15) drop as if it were the same for both classes
//!   (A-6).
//! - One block is added to every bin's count (A-7).
//! - Punctuation without linked text falls into the last bin, no punctuation into the first (A-8).
//!
//! The `tuned` profile removes the set TUNED and small forms (specification 0.6, `removal.rs`). If
//! no block is theme, it selects the blocks with the largest log-odds.
//!
//! The paper compares its own extractor with the baseline `nb-table`, whose only block tag is
//! `table`.
//!
//! Cost: one sweep over the nodes, two over the runs, constant time per block.
//!
//! Known failures: a short paragraph in a block of its own is noise. `article`, `section` and
//! `main` are not block tags, so text directly in them shares a block with the text around them. In
//! profile `paper`, a page made of sibling blocks is selected entirely or not at all.

pub mod blocks;
mod definition;
pub mod features;
pub mod model;
mod options;

pub use definition::Definition;
pub use options::{BlockKind, BlockTags, Merge, Options, RemovedTags};

use features::BlockCounts;
use huller_page::Page;
use huller_select::{
    Algorithm, Citation, Derivations, Extractor, ExtractorCard, ExtractorFactory, ModelExtractor,
    Profile, Rule, RunFigures, Selection, Term, UserModelResult, Verdict, Worker,
};
use model::{Classifier, Counts, Model, ModelError};
use std::sync::Arc;

/// The extractor.
pub static EXTRACTOR: &dyn ExtractorFactory = &BuiltInClassifier {
    card: ExtractorCard {
        name: "nb",
        summary: "classifies blocks of table cells and divs with a trained model, by text, links, \
            punctuation and paragraphs",
        score: "log-odds of content against noise for the most likely block; 0 or more means \
            content",
        citation: Citation { paper: Some("000"), subject: "naive Bayes over blocks" },
        source: "naive Bayes over blocks ([paper 000](papers.md#000-blocks-and-naive-bayes); Wang Jinbo et al. 2013)",
        selects: "runs",
        cost: "O(n)",
        tuned: "forms; siblings are not merged; a prior; the most likely block if no block is \
            content",
        failures: "short paragraphs in blocks of their own",
    },
    paper: Definition::Paper,
    tuned: Definition::Tuned,
};

/// An extractor with the built-in model, and one [`Definition`] per profile.
pub(crate) struct BuiltInClassifier {
    pub(crate) card: ExtractorCard,
    pub(crate) paper: Definition,
    pub(crate) tuned: Definition,
}

impl BuiltInClassifier {
    fn definition(&self, profile: Profile) -> Definition {
        match profile {
            Profile::Paper => self.paper,
            Profile::Tuned => self.tuned,
        }
    }
}

impl ExtractorFactory for BuiltInClassifier {
    fn card(&self) -> &ExtractorCard {
        &self.card
    }

    fn worker(&self, profile: Profile) -> Box<dyn Extractor> {
        let shipped = NaiveBayes::with_model(self.definition(profile), Model::shipped());
        Box::new(Worker::new(shipped.expect("a test reads the model that ships")))
    }

    fn model(&self) -> Option<&'static [u8]> {
        Some(model::SHIPPED)
    }

    fn with_model(&self, model: &[u8], profile: Profile) -> Option<UserModelResult> {
        let algorithm = Model::from_bytes(model)
            .and_then(|model| NaiveBayes::with_model(self.definition(profile), &model))
            .map_err(Into::into);
        let to_extractor = |algorithm| ModelExtractor { card: self.card, algorithm };
        Some(algorithm.map(|algorithm| Arc::new(to_extractor(Arc::new(algorithm))) as _))
    }
}

/// Naive Bayes with given options and a trained classifier.
#[derive(Debug)]
pub struct NaiveBayes {
    options: Options,
    classifier: Classifier,
}

impl NaiveBayes {
    /// Builds a naive Bayes extractor from options and trained block counts.
    ///
    /// # Errors
    ///
    /// The counts have no block of one of the classes.
    pub fn new(options: Options, counts: &Counts) -> Result<NaiveBayes, ModelError> {
        Ok(NaiveBayes { classifier: Classifier::new(counts, &options)?, options })
    }

    /// Returns naive Bayes with the options of `definition` and the counts that `model` has for it.
    ///
    /// # Errors
    ///
    /// The same as those of [`NaiveBayes::new`].
    pub fn with_model(definition: Definition, model: &Model) -> Result<NaiveBayes, ModelError> {
        let options = definition.options().with_blocks(model.blocks());
        NaiveBayes::new(options, model.counts(definition))
    }
}

/// The blocks of one page and their log-odds.
#[derive(Debug, Default)]
pub struct Scratch {
    blocks: blocks::Columns,
    /// Log-odds of each block.
    log_odds: Vec<f64>,
    /// If blocks overlap, for each owner of text the largest log-odds of the blocks around it.
    of_owners: Vec<f64>,
}

impl Scratch {
    /// Returns the log-odds of each run that belongs to a block. If blocks overlap, these are the
    /// largest of the run's blocks.
    fn log_odds_of_runs(&self, page: &Page<'_>) -> impl Iterator<Item = (u32, f64)> {
        let Scratch { blocks, log_odds, of_owners } = self;
        blocks.block_of_runs().map(|(run, block)| {
            let of_owner = of_owners.get(blocks.owner_of_run(page, run) as usize);
            (run, of_owner.copied().unwrap_or(log_odds[block as usize]))
        })
    }
}

impl Algorithm for NaiveBayes {
    type Scratch = Scratch;

    fn extract(&self, page: &Page<'_>, scratch: &mut Scratch, out: &mut Selection) -> Verdict {
        out.clear();
        let Scratch { blocks, log_odds, of_owners } = scratch;
        blocks.fill(page, self.options, &mut out.removed);
        log_odds.clear();
        log_odds
            .extend(blocks.counts().iter().map(|counts| self.classifier.log_odds(counts.bins())));
        let max_log_odds = log_odds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if log_odds.is_empty() {
            return Verdict::default();
        }
        debug_assert!(max_log_odds.is_finite());
        let min_log_odds = if self.options.take_nearest { max_log_odds.min(0.0) } else { 0.0 };
        of_owners.clear();
        if self.options.overlap {
            blocks.spread(log_odds, of_owners);
            blocks.select_overlapping(page, |owner| of_owners[owner as usize] >= min_log_odds, out);
        } else {
            blocks.select(page, |block| log_odds[block as usize] >= min_log_odds, out);
        }
        Verdict { score: Some(max_log_odds), ..Verdict::default() }
    }

    /// Gives each run the log-odds that its block is theme text, and the corresponding probability.
    fn figures(&self, page: &Page<'_>, scratch: &Scratch, out: &mut RunFigures) {
        for (run, log_odds) in scratch.log_odds_of_runs(page) {
            out.set_score(run..run + 1, log_odds);
            out.set_probability(run, probability(log_odds));
        }
    }

    /// Lists the log-odds of (14) and (15), feature by feature. If blocks overlap, a run has the
    /// log-odds of several blocks, and the list is empty.
    fn derive(&self, page: &Page<'_>, scratch: &mut Scratch, runs: &[u32]) -> Derivations {
        if self.options.overlap {
            return Derivations::default();
        }
        let mut block_of_run = vec![None; page.runs().len()];
        for (run, block) in scratch.blocks.block_of_runs() {
            block_of_run[run as usize] = Some(block);
        }
        let counts = scratch.blocks.counts();
        let terms = |run: &u32| {
            let block: u32 = block_of_run[*run as usize]?;
            Some(self.terms(counts[block as usize]))
        };
        Derivations {
            equation: "log-odds = sum over features f of ln( P_f(bin | theme) / P_f(bin | noise) ) + ln( P(theme) / P(noise) )   (14), (15); content from 0 on",
            rule: Rule::Sum,
            terms: runs.iter().map(terms).collect(),
        }
    }
}

impl NaiveBayes {
    /// Returns the terms of a block's log-odds.
    fn terms(&self, counts: BlockCounts) -> Vec<Term> {
        let bins = counts.bins();
        let BlockCounts { unlinked, linked, punctuation, paragraphs } = counts;
        let [text, links, marks, elements, prior] = self.classifier.terms(bins);
        vec![
            Term::new(
                "text outside links",
                text,
                format!("{unlinked} characters, bin {} of 6", bins.unlinked + 1),
            ),
            Term::new(
                "share of linked text",
                links,
                format!("{linked} of {}, bin {} of 4", linked + unlinked, bins.links + 1),
            ),
            Term::new(
                "punctuation to linked text",
                marks,
                format!("{punctuation} to {linked}, bin {} of 3", bins.punctuation + 1),
            ),
            Term::new(
                "paragraphs",
                elements,
                format!("{paragraphs}, bin {} of 3", bins.paragraphs + 1),
            ),
            Term::new("prior", prior, if self.options.prior { "" } else { "not used" }),
        ]
    }
}

/// Converts log-odds to a probability, 0 to 1.
fn probability(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}

#[cfg(test)]
mod tests;
