//! Weighs the separators between neighbouring blocks, and joins blocks with light ones between them (specification 3.4).
//!
//! ```text
//! weight = 2
//!        + 2 an `hr` stands between     + 2 both backgrounds known and different     + 2 different parent elements
//!        + 3 link shares more than .3 apart, else - 2 same parent, tag and class
//! ```
//!
//! Blocks are joined over the lightest separator first, and a joined block has the degree of coherence 9 - weight, until that
//! degree would not be above the permitted one. This joins exactly the neighbours whose weight is at most 9 less the permitted
//! degree, so one scan is enough. The paper gives no weights; these are steps of about 2 per property, as other programs have
//! them [C-6].

use super::View;
use super::segment::VisualBlock;
use crate::layout::Rect;
use huller_page::{AttributeName, Node};
use std::ops::Range;

/// Permitted degree of coherence: segments kept as one block must have a higher degree.
pub(crate) const PERMITTED_COHERENCE: f64 = 5.5;

/// Largest weight of a separator whose two neighbours are joined.
const JOINED: f64 = 9.0 - PERMITTED_COHERENCE;

/// Neighbouring blocks that are joined. A method selects whole groups.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    first: u32,
    last: u32,
    /// Number of visible scalars.
    pub(crate) chars: u32,
    /// Number of visible scalars in links.
    pub(crate) linked_chars: u32,
    /// Number of elements.
    pub(crate) tags: u32,
    /// Number of elements with a topic tag.
    pub(crate) topics: u32,
    /// Smallest rectangle around the rectangles of its blocks.
    pub(crate) rect: Rect,
    /// Spatial importance, eq (5) (see `importance`).
    pub(crate) spatial: f64,
    /// Semantic importance, eq (9).
    pub(crate) semantic: f64,
    /// The combined importance.
    pub(crate) importance: f64,
}

impl Group {
    /// The index range of its blocks.
    pub(crate) fn blocks(&self) -> Range<usize> {
        self.first as usize..self.last as usize + 1
    }

    fn of(place: u32, block: &VisualBlock) -> Group {
        Group {
            first: place,
            last: place,
            chars: block.chars,
            linked_chars: block.linked_chars,
            tags: block.tags,
            topics: block.topics,
            rect: Rect::default(),
            spatial: 0.0,
            semantic: 0.0,
            importance: 0.0,
        }
    }
}

/// Fills in the weights of the separators between a page's blocks, and joins neighbours with a light separator into groups.
pub(crate) fn join(
    view: View<'_>,
    blocks: &[VisualBlock],
    weights: &mut Vec<f64>,
    groups: &mut Vec<Group>,
) {
    for (place, block) in blocks.iter().enumerate() {
        let place = place as u32;
        if let (Some(before), Some(group)) =
            (place.checked_sub(1).map(|before| &blocks[before as usize]), groups.last_mut())
        {
            let weight = weight(view, before, block);
            weights.push(weight);
            if weight <= JOINED {
                group.last = place;
                group.chars += block.chars;
                group.linked_chars += block.linked_chars;
                group.tags += block.tags;
                group.topics += block.topics;
                continue;
            }
        }
        groups.push(Group::of(place, block));
    }
}

fn weight(view: View<'_>, a: &VisualBlock, b: &VisualBlock) -> f64 {
    let mut weight = 2.0;
    if b.after_rule {
        weight += 2.0;
    }
    let backgrounds = (view.layout.background(a.node), view.layout.background(b.node));
    if let (Some(one), Some(other)) = backgrounds
        && one != other
    {
        weight += 2.0;
    }
    let [node, other] = [a, b].map(|block| &view.page.nodes()[block.node as usize]);
    // The body is no sibling of another block: its parent is `html`.
    let same_parent = node.parent == other.parent;
    if !same_parent {
        weight += 2.0;
    }
    if (a.link_share() - b.link_share()).abs() > 0.3 {
        weight += 3.0;
    } else if same_parent && has_same_signature(view, node, other) {
        weight -= 2.0;
    }
    weight
}

/// Whether two elements have the same tag and class.
fn has_same_signature(view: View<'_>, a: &Node, b: &Node) -> bool {
    let class = |node| view.page.attribute(node, AttributeName::Class).unwrap_or_default();
    a.tag == b.tag && class(a) == class(b)
}
