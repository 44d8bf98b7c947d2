//! CEDS (paper 004): leaves of text grow together to blocks; blocks with much text, few links and little depth are the content.
//!
//! **Leaves** are the runs of text and the images, in document order. The *real node* of a leaf is the highest element that
//! holds nothing else, and the leaf's level is that node's. **Fusion** (Algorithm 1): where two neighbouring leaves have real
//! nodes with the same parent, and that is not the body, the parent is a block. A leaf in no block is one itself.
//! **Importance** (1) of a block, where x is 1 for text outside links and 0 for other leaves:
//!
//! ```text
//! ContentImportance = sum of x / ( max(1, text links + image links) * typical level )
//! ```
//!
//! with the typical level the most frequent one among the leaves. **Threshold** (2)-(5): see `threshold.rs`. **De-noising:** where
//! the levels of two neighbouring leaves of a content block differ by more than 4, and the element that holds both is not
//! the block's root, the one without the typical level is noise.
//!
//! What the paper leaves open, and what we chose (specification section 5): same level, same parent and parent not the root
//! are one test, since siblings share their level (E-1); the root is the body (E-2); a block is the whole subtree of the
//! outermost marked element (E-3); a leaf outside all blocks is a block (E-4); x is read from the garbled fraction as
//! "outside links" (E-5); a block without links counts as one with one link (E-6); of equally frequent levels the larger is
//! typical (E-7); the noise goes on, away from the partner, while levels are more than 4 from the typical one (E-9). Images
//! have x = 0. Where no threshold divides the blocks, all are content.
//!
//! The `paper` profile removes scripts, styles, the head, `noscript`, `iframe` and `template`. The `tuned` profile removes the set TUNED of
//! the specification (0.6), lets x be the number of characters (E-5), weighs classes by their size (E-8), and falls back to the P
//! value where no text would be selected.
//! Beside that set it removes small forms (`removal.rs`).
//!
//! Cost: a fixed number of sweeps over nodes, leaves and blocks.
//!
//! Known failures: short menus without links weigh as much as paragraphs (`paper`); comments that hang directly below the
//! block's root are never noise; a page whose article stands directly in the body has one block for each of its leaves.

mod leaves;
pub mod threshold;

use crate::events::{around, body};
use crate::extractor::{Citation, Extractor, Verdict};
use crate::methods::pvalue;
use crate::profile::Profile;
use crate::removal::Removal;
use crate::selection::Selection;
use crate::tags::Tags;
use huller_page::{Page, Tag};
use leaves::{Leaf, Leaves, NONE};
use std::ops::Range;
use threshold::{Threshold, Variance};

pub(crate) const CITATION: Citation = Citation { paper: Some("004"), subject: "CEDS" };

pub(crate) static PAPER: Ceds = Ceds {
    removal: Removal::of(Tags::CORE.and(&[Tag::NOSCRIPT, Tag::IFRAME, Tag::TEMPLATE])),
    weight: Weight::Leaves,
    variance: Variance::ClassMeans,
    fall_back: false,
};

pub(crate) static TUNED: Ceds = Ceds {
    removal: Removal::of(Tags::TUNED).and_small_forms(),
    weight: Weight::Chars,
    variance: Variance::Otsu,
    fall_back: true,
};

/// Levels that differ by more than this are far apart.
const FAR: u16 = 4;

/// What a leaf of unlinked text adds to its block's importance (E-5).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Weight {
    /// One.
    Leaves,
    /// Its characters.
    Chars,
}

pub(crate) struct Ceds {
    removal: Removal,
    weight: Weight,
    variance: Variance,
    /// Select by P value where no text would be selected.
    fall_back: bool,
}

/// What a block stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// An element.
    Node(u32),
    /// A run of text that has siblings, none of which is its neighbour.
    Run(u32),
}

/// A block, with the quantities of equation (1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// What it stands in.
    pub root: Root,
    /// First leaf, as an index among the page's leaves.
    pub first: u32,
    /// How many leaves it has.
    pub leaves: u32,
    /// Sum of x.
    pub unlinked: u32,
    /// Links with text in the block.
    pub text_links: u32,
    /// Images in links.
    pub image_links: u32,
    /// The most frequent level.
    pub typical_level: u16,
    /// `ContentImportance`.
    pub importance: f64,
}

impl Block {
    fn range(&self) -> Range<usize> {
        self.first as usize..(self.first + self.leaves) as usize
    }
}

/// Leaves and blocks of one page.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    leaves: Leaves,
    blocks: Vec<Block>,
    importances: Vec<f64>,
    /// Leaves on a level.
    on_level: Vec<u32>,
    /// For each link the number of the block that counted it last.
    counted: Vec<u32>,
    is_noise: Vec<bool>,
}

impl Ceds {
    /// Finds leaves and blocks; what is removed is appended to `removed`.
    fn sweep(&self, page: &Page<'_>, scratch: &mut Scratch, removed: &mut Vec<u32>) {
        scratch.leaves.fill(page, body(page), &self.removal, removed);
        let leaves = &scratch.leaves.all;
        scratch.counted.clear();
        scratch.counted.resize(scratch.leaves.links as usize, 0);
        scratch.blocks.clear();
        scratch.importances.clear();
        // Leaves of a block stand together, since it is a subtree.
        for (index, leaf) in leaves.iter().enumerate() {
            let root = leaf.block;
            if scratch.blocks.last().is_none_or(|block| block.root != root) {
                scratch.blocks.push(Block {
                    root,
                    first: index as u32,
                    leaves: 0,
                    unlinked: 0,
                    text_links: 0,
                    image_links: 0,
                    typical_level: 0,
                    importance: 0.0,
                });
            }
            let number = scratch.blocks.len() as u32;
            if let Some(block) = scratch.blocks.last_mut() {
                block.leaves += 1;
                self.add(page, leaf, block, number, &mut scratch.counted);
            }
        }
        for block in &mut scratch.blocks {
            block.typical_level = typical(&leaves[block.range()], &mut scratch.on_level);
            let links = (block.text_links + block.image_links).max(1);
            block.importance = f64::from(block.unlinked)
                / (f64::from(links) * f64::from(block.typical_level.max(1)));
            debug_assert!(block.importance.is_finite());
            scratch.importances.push(block.importance);
        }
    }

    /// Adds a leaf to the sums of its block, the `number`th of the page.
    fn add(
        &self,
        page: &Page<'_>,
        leaf: &Leaf,
        block: &mut Block,
        number: u32,
        counted: &mut [u32],
    ) {
        let Some(run) = leaf.run() else {
            block.image_links += u32::from(leaf.link != NONE);
            return;
        };
        if leaf.link == NONE {
            block.unlinked += match self.weight {
                Weight::Leaves => 1,
                Weight::Chars => page.runs()[run as usize].counts.chars,
            };
        } else if std::mem::replace(&mut counted[leaf.link as usize], number) != number {
            block.text_links += 1;
        }
    }

    fn select(
        page: &Page<'_>,
        scratch: &mut Scratch,
        threshold: Option<Threshold>,
        out: &mut Selection,
    ) {
        let leaves = &scratch.leaves.all;
        let is_content =
            |block: &&Block| threshold.is_none_or(|threshold| block.importance > threshold.tau);
        scratch.is_noise.clear();
        scratch.is_noise.resize(leaves.len(), false);
        for block in scratch.blocks.iter().filter(is_content) {
            mark_noise(page, block, &leaves[block.range()], &mut scratch.is_noise[block.range()]);
            match block.root {
                Root::Node(node) => out.roots.push(node),
                Root::Run(_) => out.is_partial = true,
            }
        }
        out.is_partial |= scratch.is_noise.contains(&true);
        if !out.is_partial {
            return;
        }
        for block in scratch.blocks.iter().filter(is_content) {
            for at in block.range().filter(|at| !scratch.is_noise[*at]) {
                if let Some(run) = leaves[at].run() {
                    out.push_run(page, run);
                }
            }
        }
        out.roots.clear();
        if let (Some(first), Some(last)) = (out.stretches.first(), out.stretches.last()) {
            out.roots.push(around(page, first.run, last.run));
        }
    }
}

/// The most frequent level, the larger of equally frequent ones. Leaves `on_level` all zero.
fn typical(leaves: &[Leaf], on_level: &mut Vec<u32>) -> u16 {
    let (mut most, mut typical) = (0, 0);
    for leaf in leaves {
        let level = usize::from(leaf.level);
        if on_level.len() <= level {
            on_level.resize(level + 1, 0);
        }
        on_level[level] += 1;
        if (on_level[level], leaf.level) > (most, typical) {
            (most, typical) = (on_level[level], leaf.level);
        }
    }
    for leaf in leaves {
        on_level[usize::from(leaf.level)] = 0;
    }
    typical
}

/// Marks the noise among the leaves of a content block: from where the level jumps on, away from the jump, as far as levels
/// stay far from the typical one. One sweep each way.
fn mark_noise(page: &Page<'_>, block: &Block, leaves: &[Leaf], is_noise: &mut [bool]) {
    let Root::Node(root) = block.root else { return };
    let root_level = page.nodes()[root as usize].level;
    let is_typical = |leaf: &Leaf| leaf.level == block.typical_level;
    let is_far = |leaf: &Leaf| leaf.level.abs_diff(block.typical_level) > FAR;
    let jump = |left: &Leaf, right: &Leaf| {
        left.level.abs_diff(right.level) > FAR && left.common_level(page, right) > root_level
    };
    let mut goes_on = false;
    for at in 1..leaves.len() {
        let (left, right) = (&leaves[at - 1], &leaves[at]);
        goes_on = (goes_on && is_far(right)) || (jump(left, right) && !is_typical(right));
        is_noise[at] |= goes_on;
    }
    goes_on = false;
    for at in (1..leaves.len()).rev() {
        let (left, right) = (&leaves[at - 1], &leaves[at]);
        goes_on = (goes_on && is_far(left)) || (jump(left, right) && !is_typical(left));
        is_noise[at - 1] |= goes_on;
    }
}

/// The blocks of a page in document order, for those who want to look inside.
pub fn blocks(page: &Page<'_>, profile: Profile) -> Vec<Block> {
    let method = match profile {
        Profile::Paper => &PAPER,
        Profile::Tuned => &TUNED,
    };
    let mut scratch = Scratch::default();
    method.sweep(page, &mut scratch, &mut Vec::new());
    scratch.blocks
}

impl Extractor for Ceds {
    fn extract(
        &self,
        page: &Page<'_>,
        scratch: &mut crate::Scratch,
        out: &mut Selection,
    ) -> Verdict {
        out.clear();
        let ceds = &mut scratch.ceds;
        self.sweep(page, ceds, &mut out.removed);
        let threshold = threshold::find(&ceds.importances, self.variance);
        Ceds::select(page, ceds, threshold, out);
        if self.fall_back && !holds_text(page, out) {
            pvalue::TUNED.extract(page, scratch, out);
        }
        let score = threshold.map_or(0.0, |threshold| threshold.variance);
        debug_assert!(score.is_finite());
        Verdict { score: Some(score), ..Verdict::default() }
    }
}

/// Whether a selection that these methods make holds any text.
fn holds_text(page: &Page<'_>, selection: &Selection) -> bool {
    if selection.is_partial {
        return !selection.stretches.is_empty();
    }
    selection.nodes(page).any(|node| node.run_start < node.run_end)
}

#[cfg(test)]
mod tests;
