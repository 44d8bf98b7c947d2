//! `FeatureExtractor` in its k-means form: selects the blocks in which text outweighs every other
//! feature.
//!
//! Sandip Debnath, Prasenjit Mitra, C. Lee Giles: *Identifying Content Blocks from Web
//! Documents*, 2005. **Reconstructed from abstracts, not verified**: the full text was not at hand.
//!
//! ```text
//! share(f, b) = amount of feature f in block b / amount of f on the page
//! candidates  = blocks whose share of text exceeds their share of each other feature
//! content     = candidates in the k-means cluster (k = 3, on the share of text) of the one with the largest share
//! ```
//!
//! Features: text in visible scalars, and the numbers of links, images, list items and form
//! controls. Tags of `table`, `tr`, `td`, `hr`, `ul`, `ol`, `p` and `div` end a block. Our choices
//! (specification section 6):
//!
//! - Blocks don't nest. An element counts in the block in which it opens.
//! - Form controls are `input`, `select`, `textarea` and `button`.
//! - The share of a feature that does not occur on the page is 0.
//! - The centres of k-means begin at the smallest, the mean and the largest share. A share at equal
//!   distance goes to the lower centre. There are at most 50 rounds.
//! - Of equal shares the first is the largest.
//!
//! `tuned` removes the set TUNED, `title`, `noembed` and `noframes`, but keeps headers of articles
//! (specification 0.6, `removal.rs`).
//!
//! Cost: O(nodes + runs), and O(blocks) per round. Known failures: it loses short paragraphs,
//! headings and lists of an article, because its long paragraphs are in another cluster.

use crate::removal::Removal;
use crate::sweep::blocks::{BlockItem, BlockWalk};
use huller_page::TagTable;
use huller_page::{Page, Tag};
use huller_select::{
    Algorithm, Citation, ExtractorCard, ExtractorFactory, Profiles, Selection, Verdict, no_content,
};

static CUTS: TagTable = TagTable::NONE.with(&[
    Tag::TABLE,
    Tag::TR,
    Tag::TD,
    Tag::HR,
    Tag::UL,
    Tag::OL,
    Tag::P,
    Tag::DIV,
]);

/// The extractor.
pub static EXTRACTOR: &dyn ExtractorFactory = &Profiles {
    card: ExtractorCard {
        name: "fe",
        summary: "selects blocks with more text than links, images, list items and form controls \
            (reconstructed from abstracts, not verified)",
        score: "fraction of the page's text in the largest selected block, 0 to 1; 0 if no block \
            is selected",
        citation: Citation {
            paper: None,
            subject: "FeatureExtractor, k-means form (reconstructed)",
        },
        source: "Debnath, Mitra and Giles 2005; reconstructed from abstracts, not verified",
        selects: "runs",
        cost: "O(n)",
        tuned: "headers",
        failures: "short paragraphs, headings and lists",
    },
    paper: PAPER,
    tuned: TUNED,
};

const PAPER: FeatureExtractor = FeatureExtractor {
    removal: Removal::from_tags(no_content::CORE.with(&[
        Tag::NOSCRIPT,
        Tag::IFRAME,
        Tag::TEMPLATE,
        Tag::NOEMBED,
        Tag::NOFRAMES,
    ])),
};

const TUNED: FeatureExtractor = FeatureExtractor {
    removal: Removal::from_tags(no_content::TUNED.with(&[Tag::TITLE, Tag::NOEMBED, Tag::NOFRAMES]))
        .but_article_headers(),
};

#[derive(Clone)]
pub(crate) struct FeatureExtractor {
    removal: Removal,
}

/// Number of features; text is the first.
const FEATURE_COUNT: usize = 5;
const TEXT_FEATURE: usize = 0;

/// Largest number of rounds of k-means.
const MAX_ROUNDS: u32 = 50;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct FeatureBlock {
    /// For each feature, its amount in the block.
    amounts: [u32; FEATURE_COUNT],
    /// One more than the index of its last run in the list of kept runs.
    run_end: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Scratch {
    walk: BlockWalk,
    blocks: Vec<FeatureBlock>,
    /// Indices of the kept runs.
    runs: Vec<u32>,
    /// Each block's share of the page's text; negative if the block is not a candidate.
    shares: Vec<f64>,
}

/// Returns the feature that elements with a tag count for, if any.
fn feature_of_tag(tag: Tag) -> Option<usize> {
    match tag {
        Tag::A => Some(1),
        Tag::IMG => Some(2),
        Tag::LI => Some(3),
        Tag::INPUT | Tag::SELECT | Tag::TEXTAREA | Tag::BUTTON => Some(4),
        _ => None,
    }
}

impl FeatureExtractor {
    /// Fills in the blocks that have any feature. Returns the amount of each feature on the page.
    fn fill_blocks(
        &self,
        page: &Page<'_>,
        scratch: &mut Scratch,
        removed: &mut Vec<u32>,
    ) -> [u32; FEATURE_COUNT] {
        let Scratch { walk, blocks, runs, .. } = scratch;
        blocks.clear();
        runs.clear();
        let mut totals = [0; FEATURE_COUNT];
        let mut is_cut = true;
        walk.walk(page, &self.removal, &CUTS, removed, |item, begins| {
            is_cut |= begins;
            let (feature, amount) = match item {
                BlockItem::Run(index) => (TEXT_FEATURE, page.runs()[index as usize].counts.chars),
                BlockItem::Element(index) => match feature_of_tag(page.nodes()[index as usize].tag)
                {
                    Some(feature) => (feature, 1),
                    None => return,
                },
            };
            if std::mem::take(&mut is_cut) {
                blocks.push(FeatureBlock { run_end: runs.len() as u32, ..FeatureBlock::default() });
            }
            let Some(block) = blocks.last_mut() else { return };
            block.amounts[feature] += amount;
            totals[feature] += amount;
            if let BlockItem::Run(index) = item {
                runs.push(index);
                block.run_end = runs.len() as u32;
            }
        });
        totals
    }
}

/// Returns a block's share of the page's text, if it exceeds the block's share of each other
/// feature.
fn candidate_share(block: &FeatureBlock, totals: &[u32; FEATURE_COUNT]) -> Option<f64> {
    let share =
        |feature: usize| f64::from(block.amounts[feature]) / f64::from(totals[feature].max(1));
    let text = share(TEXT_FEATURE);
    (TEXT_FEATURE + 1..FEATURE_COUNT).all(|other| text > share(other)).then_some(text)
}

/// Returns the smallest share in the cluster with the largest centre. Negative shares are ignored.
fn cluster_floor(shares: &[f64]) -> f64 {
    let counted = || shares.iter().copied().filter(|share| *share >= 0.0);
    let count = counted().count().max(1) as f64;
    let (least, largest) = counted().fold((f64::MAX, 0.0_f64), |(least, largest), share| {
        (least.min(share), largest.max(share))
    });
    let mut centres = [least, counted().sum::<f64>() / count, largest];
    let mut floor = largest;
    let mut previous = [u32::MAX; 3];
    for _ in 0..MAX_ROUNDS {
        let mut sums = [0.0; 3];
        let mut counts = [0_u32; 3];
        let mut new_floor = largest;
        for share in counted() {
            let mut nearest = 0;
            for centre in 1..3 {
                if (share - centres[centre]).abs() < (share - centres[nearest]).abs() {
                    nearest = centre;
                }
            }
            sums[nearest] += share;
            counts[nearest] += 1;
            if nearest == 2 {
                new_floor = new_floor.min(share);
            }
        }
        for centre in 0..3 {
            if counts[centre] > 0 {
                centres[centre] = sums[centre] / f64::from(counts[centre]);
            }
        }
        floor = new_floor;
        // Clusters of numbers are intervals, so clusters of unchanged sizes are unchanged.
        if counts == previous {
            break;
        }
        previous = counts;
    }
    floor
}

impl Algorithm for FeatureExtractor {
    type Scratch = Scratch;

    fn extract(&self, page: &Page<'_>, scratch: &mut Scratch, out: &mut Selection) -> Verdict {
        out.clear();
        let totals = self.fill_blocks(page, scratch, &mut out.removed);
        let Scratch { blocks, runs, shares, .. } = scratch;
        shares.clear();
        let all = blocks.iter().map(|block| candidate_share(block, &totals).unwrap_or(-1.0));
        shares.extend(all);
        let largest = shares.iter().copied().fold(0.0, f64::max);
        debug_assert!(largest.is_finite());
        let floor = cluster_floor(shares);
        let mut run_start = 0;
        for (block, share) in blocks.iter().zip(&*shares) {
            if largest > 0.0 && *share >= floor {
                for run in &runs[run_start..block.run_end as usize] {
                    out.push_run(page, *run);
                }
            }
            run_start = block.run_end as usize;
        }
        out.finish_ranges(page);
        Verdict { score: Some(largest), ..Verdict::default() }
    }
}

#[cfg(test)]
mod tests;
