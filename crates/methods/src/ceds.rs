//! CEDS (paper 004 in docs/papers.md): fuses leaves of text into blocks, and selects the blocks
//! with much text, few links and little depth.
//!
//! **Leaves** are the text runs and the images, in document order. The *real node* of a leaf is the
//! highest element that contains only that leaf. The leaf's level is the level of its real node.
//! **Fusion** (Algorithm 1): if two neighbouring leaves have real nodes with the same parent, and
//! that parent is not the body, the parent is a block. A leaf outside all blocks is a block itself.
//! **Importance** (1) of a block, where x is the number of visible scalars of text outside links,
//! and 0 for other leaves:
//!
//! ```text
//! ContentImportance = sum of x / ( max(1, text links + image links) * typical level )
//! ```
//!
//! where the typical level is the most frequent one among the block's leaves. **Threshold**
//! (2)-(5): see `threshold.rs`. **De-noising** applies to two neighbouring leaves of a content
//! block whose levels differ by more than 4. If the innermost element around both is not the
//! block's root, the leaf whose level is not the typical one is noise.
//!
//! Our choices where the paper is open (specification section 5):
//!
//! - "Same level", "same parent" and "parent is not the root" are one test, because siblings share
//!   their level (E-1).
//! - The root is the body (E-2).
//! - A block is the whole subtree of the outermost marked element. A setting takes the innermost
//!   (E-3).
//! - A leaf outside all blocks is a block (E-4).
//! - The printed fraction of x is garbled. It is read as the scalars outside links; a setting
//!   counts leaves outside links (E-5).
//! - A block without links counts as one with one link (E-6).
//! - Of equally frequent levels the larger is typical (E-7).
//! - The variance weighs the classes by their size (E-8).
//! - `paper` takes the leaf beside a level jump for noise, as printed. In `tuned` the leaves after
//!   it, on the side away from the jump, are noise too (E-9). This ends at the first leaf whose
//!   level differs from the typical one by at most 4.
//!
//! Images have x = 0. If no threshold divides the blocks, all are content.
//!
//! The `paper` profile removes scripts, styles, the head, `noscript`, `iframe` and `template`. The
//! `tuned` profile removes the set TUNED and small forms (specification 0.6, `removal.rs`).
//!
//! Cost: a fixed number of sweeps over nodes, leaves and blocks.
//!
//! Known failures: `paper` leaves all but one leaf of deep comments. Comments that are children of
//! the block's root are never noise. If the text of an article is directly in the body, each leaf
//! is a block of its own.

mod leaves;
mod options;
pub(crate) mod threshold;

pub(crate) use leaves::BlockRoot;

use crate::removal::Removal;
use crate::settings::{AdjustableExtractor, Settable};
use crate::terms::terms_by_part;
use huller_page::{Page, Tag};
use huller_select::{
    Algorithm, Citation, Derivations, ExtractorCard, ExtractorFactory, Profiles, Rule, RunFigures,
    Selection, Term, Verdict, element_around, no_content,
};
use leaves::{Leaf, Leaves, NONE};
use options::{Nesting, Noise, Options, Weight};
use std::ops::Range;
use threshold::Threshold;

/// The extractor.
pub static EXTRACTOR: &dyn ExtractorFactory = &ADJUSTABLE;

static ADJUSTABLE: AdjustableExtractor<Ceds> = AdjustableExtractor(Profiles {
    card: ExtractorCard {
        name: "ceds",
        summary: "groups neighbouring leaves into blocks, keeps blocks above a threshold, and \
            removes blocks that are far too deep",
        score: "variance between content blocks and the others; 0 if no threshold separates them",
        citation: Citation { paper: Some("004"), subject: "CEDS" },
        source: "CEDS ([paper 004](papers.md#004-ceds))",
        selects: "elements or runs",
        cost: "O(n)",
        tuned: "forms; all deep leaves beside a jump of levels are noise",
        failures: "articles directly in the body; comments directly below the block's root",
    },
    paper: PAPER,
    tuned: TUNED,
});

const PAPER: Ceds = Ceds {
    removal: Removal::from_tags(no_content::CORE.with(&[
        Tag::NOSCRIPT,
        Tag::IFRAME,
        Tag::TEMPLATE,
    ])),
    options: Options::PAPER,
};

const TUNED: Ceds = Ceds {
    removal: Removal::from_tags(no_content::TUNED).and_small_forms(),
    options: Options::TUNED,
};

/// Levels that differ by more than this are far apart.
const MAX_NEAR_LEVELS: u16 = 4;

#[derive(Clone)]
pub(crate) struct Ceds {
    removal: Removal,
    options: Options,
}

impl Settable for Ceds {
    type Options = Options;

    const FORMAT: &'static str = "huller-ceds";

    const SHIPPED: &'static str = include_str!("../models/ceds.json");

    fn options(&self) -> Options {
        self.options
    }

    fn with_options(&self, options: Options) -> Result<Ceds, String> {
        Ok(Ceds { options, ..self.clone() })
    }
}

/// A block, with the quantities of equation (1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FusedBlock {
    /// The element or run that it covers.
    pub root: BlockRoot,
    /// Index of its first leaf among the page's leaves.
    pub first: u32,
    /// Number of its leaves.
    pub leaves: u32,
    /// Sum of x over its leaves.
    pub unlinked: u32,
    /// Number of links with text in the block.
    pub text_links: u32,
    /// Number of images in links.
    pub image_links: u32,
    /// The most frequent level.
    pub typical_level: u16,
    /// `ContentImportance`.
    pub importance: f64,
}

impl FusedBlock {
    fn range(&self) -> Range<usize> {
        self.first as usize..(self.first + self.leaves) as usize
    }
}

/// Leaves and blocks of one page.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    leaves: Leaves,
    blocks: Vec<FusedBlock>,
    /// Importance of each block.
    importances: Vec<f64>,
    /// For each level, the number of a block's leaves on it.
    on_level: Vec<u32>,
    /// For each link, the number of the last block that counted it.
    counted: Vec<u32>,
    is_noise: Vec<bool>,
    /// The selected runs, if the innermost blocks count.
    chosen: Vec<u32>,
}

impl Ceds {
    /// Finds leaves and blocks, and appends the removed nodes to `removed`.
    fn find_blocks(&self, page: &Page<'_>, scratch: &mut Scratch, removed: &mut Vec<u32>) {
        let nesting = self.options.nesting;
        scratch.leaves.fill(page, page.body(), &self.removal, nesting, removed);
        let leaves = &scratch.leaves.all;
        scratch.counted.clear();
        scratch.counted.resize(scratch.leaves.links as usize, 0);
        scratch.blocks.clear();
        scratch.importances.clear();
        // The leaves of a block are adjacent: the block is a subtree, or `fuse_innermost` sorted
        // its leaves together.
        for (index, leaf) in leaves.iter().enumerate() {
            let root = leaf.block;
            if scratch.blocks.last().is_none_or(|block| block.root != root) {
                scratch.blocks.push(FusedBlock {
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
            block.typical_level =
                most_frequent_level(&leaves[block.range()], &mut scratch.on_level);
            let links = (block.text_links + block.image_links).max(1);
            block.importance = f64::from(block.unlinked)
                / (f64::from(links) * f64::from(block.typical_level.max(1)));
            debug_assert!(block.importance.is_finite());
            scratch.importances.push(block.importance);
        }
    }

    /// Adds a leaf to the sums of its block. `number` is the block's number on the page, from 1.
    fn add(
        &self,
        page: &Page<'_>,
        leaf: &Leaf,
        block: &mut FusedBlock,
        number: u32,
        counted: &mut [u32],
    ) {
        let Some(run) = leaf.run() else {
            block.image_links += u32::from(leaf.link != NONE);
            return;
        };
        if leaf.link == NONE {
            block.unlinked += match self.options.weight {
                Weight::Leaves => 1,
                Weight::Chars => page.runs()[run as usize].counts.chars,
            };
        } else if std::mem::replace(&mut counted[leaf.link as usize], number) != number {
            block.text_links += 1;
        }
    }

    fn select_blocks(
        &self,
        page: &Page<'_>,
        scratch: &mut Scratch,
        threshold: Option<Threshold>,
        out: &mut Selection,
    ) {
        let leaves = &scratch.leaves.all;
        let is_content = |block: &&FusedBlock| {
            threshold.is_none_or(|threshold| block.importance > threshold.tau)
        };
        scratch.is_noise.clear();
        scratch.is_noise.resize(leaves.len(), false);
        for block in scratch.blocks.iter().filter(is_content) {
            let is_noise = &mut scratch.is_noise[block.range()];
            mark_noise(page, block, &leaves[block.range()], self.options.noise, is_noise);
            match block.root {
                BlockRoot::Node(node) => out.roots.push(node),
                BlockRoot::Run(_) => out.is_partial = true,
            }
        }
        // An innermost block is rarely a whole element.
        let is_innermost = self.options.nesting == Nesting::Innermost;
        out.is_partial |= is_innermost || scratch.is_noise.contains(&true);
        if !out.is_partial {
            return;
        }
        scratch.chosen.clear();
        for block in scratch.blocks.iter().filter(is_content) {
            for leaf_index in block.range().filter(|leaf_index| !scratch.is_noise[*leaf_index]) {
                scratch.chosen.extend(leaves[leaf_index].run());
            }
        }
        if is_innermost {
            scratch.chosen.sort_unstable();
        }
        scratch.chosen.iter().for_each(|run| out.push_run(page, *run));
        out.roots.clear();
        if let (Some(first), Some(last)) = (out.ranges.first(), out.ranges.last()) {
            out.roots.push(element_around(page, first.run, last.run));
        }
    }
}

/// Returns the most frequent level; of equally frequent ones, the largest. `on_level` is a scratch
/// buffer, zero before and after the call.
fn most_frequent_level(leaves: &[Leaf], on_level: &mut Vec<u32>) -> u16 {
    let (mut max_count, mut typical) = (0, 0);
    for leaf in leaves {
        let level = usize::from(leaf.level);
        if on_level.len() <= level {
            on_level.resize(level + 1, 0);
        }
        on_level[level] += 1;
        if (on_level[level], leaf.level) > (max_count, typical) {
            (max_count, typical) = (on_level[level], leaf.level);
        }
    }
    for leaf in leaves {
        on_level[usize::from(leaf.level)] = 0;
    }
    typical
}

/// Marks the noise among the leaves of a content block: the leaf beside a level jump. If the
/// setting asks for it, leaves after it in the direction away from the jump are noise too. Marking
/// ends at the first leaf whose level is not far from the typical one. One sweep in each direction.
fn mark_noise(
    page: &Page<'_>,
    block: &FusedBlock,
    leaves: &[Leaf],
    noise: Noise,
    is_noise: &mut [bool],
) {
    let BlockRoot::Node(root) = block.root else { return };
    if noise == Noise::Off {
        return;
    }
    let spreads = noise == Noise::Stretch;
    let root_level = page.nodes()[root as usize].level;
    let is_typical = |leaf: &Leaf| leaf.level == block.typical_level;
    let is_far = |leaf: &Leaf| leaf.level.abs_diff(block.typical_level) > MAX_NEAR_LEVELS;
    let jump = |left: &Leaf, right: &Leaf| {
        left.level.abs_diff(right.level) > MAX_NEAR_LEVELS
            && left.common_level(page, right) > root_level
    };
    let mut goes_on = false;
    for leaf_index in 1..leaves.len() {
        let (left, right) = (&leaves[leaf_index - 1], &leaves[leaf_index]);
        goes_on =
            (goes_on && spreads && is_far(right)) || (jump(left, right) && !is_typical(right));
        is_noise[leaf_index] |= goes_on;
    }
    goes_on = false;
    for leaf_index in (1..leaves.len()).rev() {
        let (left, right) = (&leaves[leaf_index - 1], &leaves[leaf_index]);
        goes_on = (goes_on && spreads && is_far(left)) || (jump(left, right) && !is_typical(left));
        is_noise[leaf_index - 1] |= goes_on;
    }
}

impl Algorithm for Ceds {
    type Scratch = Scratch;

    fn extract(&self, page: &Page<'_>, scratch: &mut Scratch, out: &mut Selection) -> Verdict {
        out.clear();
        self.find_blocks(page, scratch, &mut out.removed);
        let threshold = threshold::find_threshold(&scratch.importances, self.options.variance);
        self.select_blocks(page, scratch, threshold, out);
        if !holds_text(page, out) {
            out.clear();
        }
        let score = threshold.map_or(0.0, |threshold| threshold.variance);
        debug_assert!(score.is_finite());
        Verdict { score: Some(score), ..Verdict::default() }
    }

    /// Gives each run the importance of its block, equation (1).
    fn figures(&self, _: &Page<'_>, scratch: &Scratch, out: &mut RunFigures) {
        for block in &scratch.blocks {
            let runs = scratch.leaves.all[block.range()].iter().filter_map(Leaf::run);
            runs.for_each(|run| out.set_score(run..run + 1, block.importance));
        }
    }

    /// Returns the factors of equation (1).
    fn derive(&self, page: &Page<'_>, scratch: &mut Scratch, runs: &[u32]) -> Derivations {
        let Scratch { blocks, leaves, .. } = scratch;
        let parts =
            blocks.iter().map(|block| leaves.all[block.range()].iter().filter_map(Leaf::run));
        let weight_name = match self.options.weight {
            Weight::Leaves => "pieces of text outside links",
            Weight::Chars => "characters outside links",
        };
        let terms = |block: usize| {
            let FusedBlock { unlinked, text_links, image_links, typical_level, leaves, .. } =
                blocks[block];
            let links = (text_links + image_links).max(1);
            vec![
                Term::new("sum of x", f64::from(unlinked), format!("{unlinked} {weight_name}")),
                Term::new(
                    "1 / links",
                    1.0 / f64::from(links),
                    format!("1 / max(1, {text_links} of text + {image_links} of images)"),
                ),
                Term::new(
                    "1 / typical level",
                    1.0 / f64::from(typical_level.max(1)),
                    format!("level {typical_level}, the most frequent of {leaves} leaves"),
                ),
            ]
        };
        Derivations {
            equation: "ContentImportance = sum of x / ( max(1, text links + image links) * typical level )   (1)",
            rule: Rule::Product,
            terms: terms_by_part(page, runs, parts, terms),
        }
    }
}

/// Returns whether a selection made by CEDS holds any text.
fn holds_text(page: &Page<'_>, selection: &Selection) -> bool {
    if selection.is_partial {
        return !selection.ranges.is_empty();
    }
    selection.nodes(page).any(|node| node.run_start < node.run_end)
}

#[cfg(test)]
pub(crate) mod inspect {
    //! Intermediate results of CEDS, for the worked examples.

    use super::*;

    /// Returns CEDS with these settings: those of an example, or of the specification's executable
    /// reference program if the example has none.
    pub(crate) fn with_params(params: &serde_json::Value) -> Ceds {
        let mut options = serde_json::to_value(Options::reference_settings()).unwrap();
        for (name, value) in params.as_object().unwrap() {
            assert!(options.get(name).is_some(), "{name} is no setting");
            options[name] = value.clone();
        }
        Ceds { options: serde_json::from_value(options).unwrap(), ..PAPER }
    }

    impl Ceds {
        /// Returns the variance that the threshold maximises.
        pub(crate) fn variance(&self) -> threshold::Variance {
            self.options.variance
        }
    }

    /// Returns the blocks of a page by one extractor, in the order of their first leaves.
    pub(crate) fn blocks_by(page: &Page<'_>, extractor: &Ceds) -> Vec<FusedBlock> {
        let mut scratch = Scratch::default();
        extractor.find_blocks(page, &mut scratch, &mut Vec::new());
        scratch.blocks
    }
}
#[cfg(test)]
mod tests;
