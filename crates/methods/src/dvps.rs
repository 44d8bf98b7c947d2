//! `DIV_FOREST` and DVPS (paper 002 in docs/papers.md): cuts the page into visual blocks of `div`
//! subtrees. Each block has an importance by its text and links, and if the settings ask for it, by
//! its position. The block with the largest importance is the theme block.
//!
//! 1. `layout` estimates the position of each element. The paper renders pages; we do not.
//! 2. The body and every `div` with text are segments. Table 1 of the paper cuts them top-down
//!    (`dvps/rules.rs`).
//! 3. Function blocks (fewer than 200 scalars, at least two phrases of the thesaurus) are removed
//!    (`dvps/function_blocks.rs`) before they can be joined with a content block.
//! 4. Neighbouring blocks with a light separator between them are joined (`visual/separators.rs`).
//! 5. Equations (5) and (9) give each block's importance (`visual/importance.rs`).
//! 6. If the settings ask for it, blocks whose words are like those of the best block are selected
//!    too (`dvps/cosine_similarity.rs`).
//!
//! `paper` selects the block of the largest importance. `tuned` selects all blocks with at least
//! .82 of that importance. It adds those whose words have a cosine of at least .4 with the best
//! block's. It removes the set TUNED and small forms, and keeps headers of articles (specification
//! 0.6, `removal.rs`). A user can change weights and thresholds by a file in place of a model
//! (`dvps/options.rs`, `models/dvps.json`).
//!
//! Our choices where the paper is open (specification section 3):
//!
//! - A rule instead of the paper's tag lists says which elements are content [C-1].
//! - Stretches of content between child segments are blocks of their own [C-2].
//! - The conditions and the order of the rules are ours [C-3..C-5], and so are the weights of
//!   separators [C-6, C-13].
//! - (5) is taken as printed [C-7, C-8].
//! - A page without text selects nothing [C-9].
//! - (9) alone decides [C-10]. `huller explain` shows (5) and (7) besides, and settings give them a
//!   part.
//! - Blocks with different properties are unlike [C-16], a joined block is no more coherent than
//!   its parts [C-17], and an `hr` divides wherever it is in a block [C-18].
//! - [C-12] says what a cut table gives, [C-14] the two senses of (8), [C-15] the use of TF-IDF
//!   within a page.
//! - The paper does not say whether a function block can be content; here it is never selected.
//!
//! Cost: O(nodes + runs), besides that of `layout`. Known failures: pages whose article is cut into
//! many `div`s (`tuned` helps), pages without `div` (one block), comments that outweigh a short
//! article.

mod cosine_similarity;
mod function_blocks;
mod options;
mod rules;

use crate::removal::Removal;
use crate::settings::{AdjustableExtractor, Settable};
use crate::visual::importance::ImportanceTerm;
use crate::visual::segment::SegmentRules;
use crate::visual::separators::{BlockGroup, SeparatorSettings};
use crate::visual::{self, CutSettings};
use cosine_similarity::CosineSimilarity;
use function_blocks::FunctionBlockScratch;
pub use function_blocks::{Thesaurus, ThesaurusError, mentions_rights};
use huller_page::{Page, Tag};
use huller_select::{
    Algorithm, Citation, Derivations, ExtractorCard, ExtractorFactory, Profiles, Rule, RunFigures,
    Selection, Term, Verdict, no_content,
};
use options::Options;

/// The extractor.
pub static EXTRACTOR: &dyn ExtractorFactory = &ADJUSTABLE;

static ADJUSTABLE: AdjustableExtractor<Dvps> = AdjustableExtractor(Profiles {
    card: ExtractorCard {
        name: "dvps",
        summary: "builds visual blocks from div subtrees, without a browser; selects the most \
            important block by text and links",
        score: "importance of the most important block, equation (9) of the paper, 0 to 1",
        citation: Citation { paper: Some("002"), subject: "DIV_FOREST and DVPS" },
        source: "DIV_FOREST and DVPS ([paper 002](papers.md#002-div_forest-and-dvps))",
        selects: "elements or runs",
        cost: "O(n)",
        tuned: "forms, headers; links weigh more; all blocks of at least .82 of the largest importance, and those with the words of the best one",
        failures: "articles cut into many divs; pages without div",
    },
    paper: PAPER,
    tuned: TUNED,
});

const PAPER: Dvps = Dvps {
    removal: Removal::from_tags(no_content::CORE.with(&[
        Tag::NOSCRIPT,
        Tag::IFRAME,
        Tag::TEMPLATE,
    ])),
    options: Options::PAPER,
    thesaurus: None,
};

const TUNED: Dvps = Dvps {
    removal: Removal::from_tags(no_content::TUNED).but_article_headers().and_small_forms(),
    options: Options::TUNED,
    thesaurus: None,
};

/// Buffers that a worker reuses from page to page.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    visual: visual::Scratch,
    phrases: FunctionBlockScratch,
    likeness: CosineSimilarity,
    /// For each group, whether it is selected.
    is_chosen: Vec<bool>,
}

#[derive(Clone)]
pub(crate) struct Dvps {
    removal: Removal,
    options: Options,
    /// The phrases that mark function blocks; `None` for the shipped phrases.
    thesaurus: Option<Thesaurus>,
}

impl Dvps {
    fn cutting<'a, R: SegmentRules>(&'a self, rules: &'a R) -> CutSettings<'a, R> {
        let Dvps { removal, options, .. } = self;
        CutSettings {
            removal,
            segments: options.segments.segments(),
            rules,
            inner_rules: options.inner_rules,
            cut_tables: options.cut_tables,
            separating: SeparatorSettings {
                permitted_coherence: options.permitted_coherence,
                gaps_and_fonts: options.gaps_and_fonts,
                properties: options.differing_properties,
            },
            weights: options.shares(),
        }
    }

    /// Marks the groups to select in `is_chosen`. Returns the largest importance; `None` if there
    /// are no groups.
    fn choose_groups(
        &self,
        page: &Page<'_>,
        scratch: &mut Scratch,
        removed: &[u32],
    ) -> Option<f64> {
        let Scratch { visual, likeness, is_chosen, .. } = scratch;
        let groups = &visual.groups;
        let choice =
            GroupChoice::best_groups(groups, self.options.chosen, |group| group.importance)?;
        is_chosen.clear();
        is_chosen.extend(groups.iter().map(|group| choice.selects(group, group.importance)));
        if let Some(least) = self.options.pull_in
            && is_chosen.contains(&false)
        {
            likeness.fill(page, removed, &visual.segmenter.blocks, groups);
            let best = groups.iter().position(|group| group.blocks() == choice.best.blocks());
            let cosines = likeness.cosines(best.unwrap_or_default());
            for (is_chosen, cosine) in is_chosen.iter_mut().zip(cosines) {
                *is_chosen |= *cosine >= least;
            }
        }
        Some(choice.largest)
    }
}

impl Settable for Dvps {
    type Options = Options;

    const FORMAT: &'static str = "huller-dvps";

    const SHIPPED: &'static str = include_str!("../models/dvps.json");

    fn options(&self) -> Options {
        self.options.clone()
    }

    fn with_options(&self, options: Options) -> Result<Dvps, String> {
        options.check()?;
        let phrases = Some(options.phrases.join("\n")).filter(|phrases| !phrases.is_empty());
        let thesaurus = phrases.map(|phrases| Thesaurus::with_phrases(&phrases)).transpose();
        let thesaurus = thesaurus.map_err(|error| format!("`phrases`: {error}"))?;
        Ok(Dvps { options, thesaurus, ..self.clone() })
    }
}

impl Algorithm for Dvps {
    type Scratch = Scratch;

    fn extract(&self, page: &Page<'_>, scratch: &mut Scratch, out: &mut Selection) -> Verdict {
        out.clear();
        let Scratch { visual, phrases, .. } = scratch;
        if let Some(thesaurus) = &self.thesaurus {
            phrases.thesaurus = thesaurus.clone();
        }
        visual.cut(page, &self.cutting(&rules::DvpsRules), &mut out.removed, phrases);
        let Some(largest) = self.choose_groups(page, scratch, &out.removed) else {
            return Verdict { score: Some(0.0), ..Verdict::default() };
        };
        let Scratch { visual, is_chosen, .. } = scratch;
        visual.select(page, |group, _| is_chosen[group], out);
        Verdict { score: Some(largest), ..Verdict::default() }
    }

    /// Gives each run the importance and the rectangle of its visual block. Runs of function blocks
    /// get neither.
    fn figures(&self, _: &Page<'_>, scratch: &Scratch, out: &mut RunFigures) {
        scratch.visual.figures(|group| group.importance, out);
    }

    /// Lists the terms of equation (9), then those of (7) and (5), which are 0 unless a setting
    /// uses them.
    fn derive(&self, page: &Page<'_>, scratch: &mut Scratch, runs: &[u32]) -> Derivations {
        let weights = self.options.shares();
        let terms = scratch.visual.derive(page, runs, &weights, |group, weighed, terms| {
            let lambda = weighed.lambda;
            if lambda > 0.0 {
                for term in terms.iter_mut() {
                    term.value *= 1.0 - lambda;
                    term.given = format!("(1 - {lambda:.4}) * {}", term.given);
                }
            }
            if weights.third != ImportanceTerm::TopicTags {
                let given = format!("0 * {} / {} topic tags", group.topics, weighed.topics);
                terms.push(Term::new("RTopicTag (7)", 0.0, given));
            }
            let given = format!("{lambda:.4} * {:.4}", group.spatial);
            terms.push(Term::new("lambda Imp_s (5)", lambda * group.spatial, given));
        });
        Derivations {
            equation: "Imp = (1 - lambda) Imp_y + lambda Imp_s, with Imp_y = w4 U / U_page + w5 (1 - L / U) + w6 (1 - tags / tags_page)   (9); lambda is 0 unless set",
            rule: Rule::Sum,
            terms,
        }
    }
}

/// Decides which groups of a page are selected.
pub(crate) struct GroupChoice {
    /// The largest value of a group.
    pub(crate) largest: f64,
    /// The smallest value of a selected group; `None` if only the best group is selected.
    least: Option<f64>,
    best: BlockGroup,
}

impl GroupChoice {
    /// Selects the groups whose value is at least `part` of the largest; with a `part` of 1, only
    /// the first group with the largest value. `None` if there is no group.
    pub(crate) fn best_groups(
        groups: &[BlockGroup],
        part: f64,
        value: impl Fn(&BlockGroup) -> f64,
    ) -> Option<GroupChoice> {
        let mut best_group: Option<(BlockGroup, f64)> = None;
        for group in groups {
            let value = value(group);
            if best_group.is_none_or(|(_, largest)| value > largest) {
                best_group = Some((*group, value));
            }
        }
        let (best_group, largest) = best_group?;
        let least = (part < 1.0).then(|| largest - (1.0 - part) * largest.abs());
        Some(GroupChoice { largest, least, best: best_group })
    }

    /// Returns whether a group with this value is selected.
    pub(crate) fn selects(&self, group: &BlockGroup, value: f64) -> bool {
        self.least.map_or(group.blocks() == self.best.blocks(), |least| value >= least)
    }
}

#[cfg(test)]
pub(crate) mod inspect;
#[cfg(test)]
mod tests;
