//! Weighs the separators between neighbouring blocks, and joins blocks with light ones between them
//! (specification 3.4).
//!
//! ```text
//! weight = 2
//!        + 2 an `hr` stands between     + 2 both backgrounds known and different     + 2 different parent elements
//!        + 3 link shares more than .3 apart, else - 2 same parent, tag and class
//!        + one for 10 pixels between them, 4 at most       + 2 their elements have different font sizes          (a setting)
//! ```
//!
//! By another setting the - 2 is for blocks without differing properties only: neither the
//! backgrounds nor the font sizes differ [C-16].
//!
//! Blocks are joined over the lightest separator first. A joined block has the degree of coherence
//! 9 - weight, and never a larger one than one of its parts [C-17]. Joining stops before that
//! degree falls below the permitted one. This joins exactly the neighbours for which neither
//! 9 - weight nor their own degrees are below the permitted one, so one scan is enough. The paper
//! gives no weights; these are steps of about 2 per property, as in other programs [C-6]. Gaps and
//! fonts are known only if the page itself declares them [C-13].

use super::PageView;
use super::segment::VisualBlock;
use crate::layout::Rect;
use huller_page::{AttributeName, Node};
use std::ops::Range;

/// Permitted degree of coherence: segments kept as one block must have a higher degree.
pub(crate) const PERMITTED_COHERENCE: f64 = 5.5;

/// The largest degree of coherence that the rules give a block of several parts.
const MAX_COHERENCE: f64 = 9.0;

/// Gap in pixels that adds one to the weight, and the largest weight of a gap.
const GAP_PX_PER_WEIGHT: f64 = 10.0;
const MAX_GAP: f64 = 4.0;

/// The way in which separators are weighed, and the limit above which they divide two blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SeparatorSettings {
    /// Permitted degree of coherence.
    pub(crate) permitted_coherence: f64,
    /// Whether the gap between two blocks and their fonts count.
    pub(crate) gaps_and_fonts: bool,
    /// Whether blocks with a differing property are unlike, even if their tag and class are equal.
    pub(crate) properties: bool,
}

impl SeparatorSettings {
    /// The settings of the specification, without gaps and fonts.
    pub(crate) const SPECIFIED: SeparatorSettings = SeparatorSettings {
        permitted_coherence: PERMITTED_COHERENCE,
        gaps_and_fonts: false,
        properties: false,
    };
}

/// Neighbouring blocks that are joined. An extractor selects whole groups.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockGroup {
    /// Index of its first block.
    first: u32,
    /// Index of its last block.
    last: u32,
    /// Degree of coherence: the smallest of its blocks' and of 9 - the weights of the separators
    /// within it.
    pub(crate) coherence: f64,
    /// Number of visible scalars.
    pub(crate) chars: u32,
    /// Number of visible scalars in links.
    pub(crate) linked_chars: u32,
    /// Number of elements.
    pub(crate) tags: u32,
    /// Number of elements with a topic tag.
    pub(crate) topics: u32,
    /// Number of marked elements.
    pub(crate) marked: u32,
    /// Smallest rectangle around the rectangles of its blocks.
    pub(crate) rect: Rect,
    /// Spatial importance, eq (5) (see `importance`).
    pub(crate) spatial: f64,
    /// Semantic importance, eq (9).
    pub(crate) semantic: f64,
    /// The combined importance.
    pub(crate) importance: f64,
}

impl BlockGroup {
    /// Returns the index range of its blocks.
    pub(crate) fn blocks(&self) -> Range<usize> {
        self.first as usize..self.last as usize + 1
    }

    fn from_block(index: u32, block: &VisualBlock) -> BlockGroup {
        BlockGroup {
            first: index,
            last: index,
            coherence: f64::from(block.coherence),
            chars: block.chars,
            linked_chars: block.linked_chars,
            tags: block.tags,
            topics: block.topics,
            marked: block.marked,
            rect: Rect::default(),
            spatial: 0.0,
            semantic: 0.0,
            importance: 0.0,
        }
    }
}

/// Computes the weights of the separators between a page's blocks, and joins neighbours with a
/// light separator into groups.
pub(crate) fn join(
    view: PageView<'_>,
    blocks: &[VisualBlock],
    separating: SeparatorSettings,
    weights: &mut Vec<f64>,
    groups: &mut Vec<BlockGroup>,
) {
    for (index, block) in blocks.iter().enumerate() {
        let index = index as u32;
        if let (Some(previous_block), Some(group)) = (
            index.checked_sub(1).map(|previous_block| &blocks[previous_block as usize]),
            groups.last_mut(),
        ) {
            let mut weight = weight(view, previous_block, block, separating.properties);
            if separating.gaps_and_fonts {
                weight += gap_and_font_weight(view, previous_block, block);
            }
            weights.push(weight);
            let parts = group.coherence.min(f64::from(block.coherence));
            let coherence = parts.min(MAX_COHERENCE - weight);
            if coherence >= separating.permitted_coherence {
                group.last = index;
                group.coherence = coherence;
                group.chars += block.chars;
                group.linked_chars += block.linked_chars;
                group.tags += block.tags;
                group.topics += block.topics;
                group.marked += block.marked;
                continue;
            }
        }
        groups.push(BlockGroup::from_block(index, block));
    }
}

fn weight(view: PageView<'_>, a: &VisualBlock, b: &VisualBlock, properties: bool) -> f64 {
    let mut weight = 2.0;
    if b.after_rule {
        weight += 2.0;
    }
    let backgrounds_differ = have_different_backgrounds(view, a, b);
    if backgrounds_differ {
        weight += 2.0;
    }
    let [node, other_node] = [a, b].map(|block| &view.page.nodes()[block.node as usize]);
    // The body is not a sibling of another block: its parent is `html`.
    let same_parent = node.parent == other_node.parent;
    if !same_parent {
        weight += 2.0;
    }
    let differ = properties && (backgrounds_differ || have_different_fonts(view, a, b));
    if (a.link_share() - b.link_share()).abs() > 0.3 {
        weight += 3.0;
    } else if same_parent && !differ && has_same_signature(view, node, other_node) {
        weight -= 2.0;
    }
    weight
}

/// Returns the weight of the gap between two blocks and of their fonts. The gap counts only between
/// whole elements, because other blocks have no rectangle of their own. It does not count if a
/// block between the two was removed.
fn gap_and_font_weight(view: PageView<'_>, a: &VisualBlock, b: &VisualBlock) -> f64 {
    let (upper_rect, lower_rect) = (view.layout.rect(a.node), view.layout.rect(b.node));
    let are_laid_out = upper_rect.height > 0.0 && lower_rect.height > 0.0;
    let are_neighbours = a.is_complete && b.is_complete && !b.after_other && are_laid_out;
    let gap =
        if are_neighbours { lower_rect.top - (upper_rect.top + upper_rect.height) } else { 0.0 };
    let fonts_differ = have_different_fonts(view, a, b);
    (gap.max(0.0) / GAP_PX_PER_WEIGHT).min(MAX_GAP) + if fonts_differ { 2.0 } else { 0.0 }
}

/// Returns whether the elements of two blocks have known backgrounds that differ.
fn have_different_backgrounds(view: PageView<'_>, a: &VisualBlock, b: &VisualBlock) -> bool {
    let backgrounds = [a, b].map(|block| view.layout.background(block.node));
    matches!(backgrounds, [Some(left), Some(right)] if left != right)
}

/// Returns whether the elements of two blocks have different font sizes.
fn have_different_fonts(view: PageView<'_>, a: &VisualBlock, b: &VisualBlock) -> bool {
    let [left, right] = [a, b].map(|block| view.layout.font(block.node).to_bits());
    left != right
}

/// Returns whether two elements have the same tag and class.
fn has_same_signature(view: PageView<'_>, a: &Node, b: &Node) -> bool {
    let class = |node| view.page.attribute(node, AttributeName::Class).unwrap_or_default();
    a.tag == b.tag && class(a) == class(b)
}
