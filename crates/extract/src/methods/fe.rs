//! `FeatureExtractor` and its k-means form (Debnath, Mitra and Giles 2005): the block in which text outweighs every other
//! feature, and the blocks like it. **Reconstructed from abstracts, not verified**: the paper could not be had.
//!
//! ```text
//! share(f, b) = amount of feature f in block b / amount of f on the page
//! candidates  = blocks whose share of text exceeds their share of each other feature
//! content     = candidates in the k-means cluster (k = 3, on the share of text) of the one with the largest share
//! ```
//!
//! Features: text in visible scalars, and the numbers of links, images, list items and form controls. Blocks are cut at the
//! tags of table, tr, td, hr, ul, ol, p and div. What we chose (specification section 6): blocks don't nest; an element
//! counts in the block in which it opens; form controls are input, select, textarea and button; a feature that the page
//! doesn't have has no share anywhere; the centres of k-means begin at the least, the mean and the largest share, a
//! share at equal distance goes to the lower centre, 50 rounds at most; the first of the largest wins.
//!
//! `tuned` removes the set TUNED of the specification (0.6). Beside that set it keeps headers of articles (`removal.rs`).
//!
//! Cost: O(nodes + runs), and O(blocks) a round. Known failures: short paragraphs, headings and lists of an article are
//! lost beside its long ones.

use crate::blocks::{Blocks, Item};
use crate::chosen::settle;
use crate::extractor::{Citation, Extractor, Verdict};
use crate::removal::Removal;
use crate::selection::Selection;
use crate::tags::Tags;
use huller_page::{Page, Tag};

pub(crate) const CITATION: Citation =
    Citation { paper: None, subject: "FeatureExtractor, k-means form (reconstructed)" };

static CUTS: Tags =
    Tags::NONE.and(&[Tag::TABLE, Tag::TR, Tag::TD, Tag::HR, Tag::UL, Tag::OL, Tag::P, Tag::DIV]);

pub(crate) static PAPER: Features = Features {
    removal: Removal::of(Tags::CORE.and(&[
        Tag::NOSCRIPT,
        Tag::IFRAME,
        Tag::TEMPLATE,
        Tag::NOEMBED,
        Tag::NOFRAMES,
    ])),
    fall_back: false,
};

pub(crate) static TUNED: Features = Features {
    removal: Removal::of(Tags::TUNED.and(&[Tag::TITLE, Tag::NOEMBED, Tag::NOFRAMES]))
        .but_article_headers(),
    fall_back: true,
};

pub(crate) struct Features {
    removal: Removal,
    /// Select what the P value selects where no block is a candidate.
    fall_back: bool,
}

/// How many features there are; text is the first.
const FEATURES: usize = 5;
const TEXT: usize = 0;

/// Most rounds of k-means.
const ROUNDS: u32 = 50;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Block {
    amounts: [u32; FEATURES],
    /// Index after the last of its runs in the list of all that are kept.
    run_end: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Scratch {
    blocks: Vec<Block>,
    runs: Vec<u32>,
    /// Share of text of each block; negative where the block is no candidate.
    shares: Vec<f64>,
}

/// The feature that an element is of.
fn feature(tag: Tag) -> Option<usize> {
    match tag {
        Tag::A => Some(1),
        Tag::IMG => Some(2),
        Tag::LI => Some(3),
        Tag::INPUT | Tag::SELECT | Tag::TEXTAREA | Tag::BUTTON => Some(4),
        _ => None,
    }
}

impl Features {
    /// Makes the blocks of a page that hold any feature; gives the amounts of the page.
    fn sweep(
        &self,
        page: &Page<'_>,
        memory: &mut Blocks,
        scratch: &mut Scratch,
        removed: &mut Vec<u32>,
    ) -> [u32; FEATURES] {
        let Scratch { blocks, runs, .. } = scratch;
        blocks.clear();
        runs.clear();
        let mut totals = [0; FEATURES];
        let mut is_cut = true;
        memory.walk(page, &self.removal, &CUTS, removed, |item, begins| {
            is_cut |= begins;
            let (feature, amount) = match item {
                Item::Run(index) => (TEXT, page.runs()[index as usize].counts.chars),
                Item::Element(index) => match feature(page.nodes()[index as usize].tag) {
                    Some(feature) => (feature, 1),
                    None => return,
                },
            };
            if std::mem::take(&mut is_cut) {
                blocks.push(Block { run_end: runs.len() as u32, ..Block::default() });
            }
            let Some(block) = blocks.last_mut() else { return };
            block.amounts[feature] += amount;
            totals[feature] += amount;
            if let Item::Run(index) = item {
                runs.push(index);
                block.run_end = runs.len() as u32;
            }
        });
        totals
    }
}

/// Whether text outweighs all else in a block, and if so, its share.
fn candidate_share(block: &Block, totals: &[u32; FEATURES]) -> Option<f64> {
    let share =
        |feature: usize| f64::from(block.amounts[feature]) / f64::from(totals[feature].max(1));
    let text = share(TEXT);
    (TEXT + 1..FEATURES).all(|other| text > share(other)).then_some(text)
}

/// The smallest share in the cluster of the largest. Negative ones don't count.
fn cluster_floor(shares: &[f64]) -> f64 {
    let counted = || shares.iter().copied().filter(|share| *share >= 0.0);
    let count = counted().count().max(1) as f64;
    let (least, largest) = counted().fold((f64::MAX, 0.0_f64), |(least, largest), share| {
        (least.min(share), largest.max(share))
    });
    let mut centres = [least, counted().sum::<f64>() / count, largest];
    let mut floor = largest;
    let mut previous = [u32::MAX; 3];
    for _ in 0..ROUNDS {
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
        // Clusters of numbers are intervals: as many in each as before means the same in each.
        if counts == previous {
            break;
        }
        previous = counts;
    }
    floor
}

impl Extractor for Features {
    fn extract(
        &self,
        page: &Page<'_>,
        scratch: &mut crate::Scratch,
        out: &mut Selection,
    ) -> Verdict {
        out.clear();
        let own = &mut scratch.fe;
        let totals = self.sweep(page, &mut scratch.blocks, own, &mut out.removed);
        own.shares.clear();
        let shares = own.blocks.iter().map(|block| candidate_share(block, &totals).unwrap_or(-1.0));
        own.shares.extend(shares);
        let largest = own.shares.iter().copied().fold(0.0, f64::max);
        debug_assert!(largest.is_finite());
        let floor = cluster_floor(&own.shares);
        let mut run_start = 0;
        for (block, share) in own.blocks.iter().zip(&own.shares) {
            if largest > 0.0 && *share >= floor {
                for run in &own.runs[run_start..block.run_end as usize] {
                    out.push_run(page, *run);
                }
            }
            run_start = block.run_end as usize;
        }
        settle(page, self.fall_back, scratch, out);
        Verdict { score: Some(largest), ..Verdict::default() }
    }
}

#[cfg(test)]
mod tests;
