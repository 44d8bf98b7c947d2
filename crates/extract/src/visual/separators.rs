//! Separators between neighbouring blocks, and which neighbours become one (specification 3.4).
//!
//! ```text
//! weight = 2
//!        + 2 an `hr` stands between     + 2 both backgrounds known and different     + 2 different parent elements
//!        + 3 link shares more than .3 apart, else - 2 same parent, tag and class
//! ```
//!
//! Merging the lowest weight first, with 9 - weight as the degree of coherence of what comes out, until that is no more than
//! the permitted degree, joins exactly the neighbours whose weight is at most 9 less the permitted degree: one scan.
//! The paper gives no weights; these are steps of about 2 a property, as others have them [C-6].

use super::View;
use super::segment::Block;
use crate::layout::Rect;
use huller_page::{AttributeName, Node};
use std::ops::Range;

/// Permitted degree of coherence: what is extracted is more coherent.
pub(crate) const PERMITTED_COHERENCE: f64 = 5.5;

/// The largest weight over which neighbours are joined.
const JOINED: f64 = 9.0 - PERMITTED_COHERENCE;

/// Blocks that belong together: what is chosen or not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    first: u32,
    last: u32,
    /// Scalars.
    pub(crate) chars: u32,
    /// Scalars in links.
    pub(crate) linked_chars: u32,
    /// Elements.
    pub(crate) tags: u32,
    /// Elements that speak of a topic.
    pub(crate) topics: u32,
    /// What holds the rectangles of its blocks.
    pub(crate) rect: Rect,
    /// Eq (5), see `importance`.
    pub(crate) spatial: f64,
    /// Eq (9).
    pub(crate) semantic: f64,
    /// Both together.
    pub(crate) importance: f64,
    /// Whether it is a search form, a copyright line or the like.
    pub(crate) is_functional: bool,
}

impl Group {
    /// Its blocks, as indices.
    pub(crate) fn blocks(&self) -> Range<usize> {
        self.first as usize..self.last as usize + 1
    }

    fn of(place: u32, block: &Block) -> Group {
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
            is_functional: false,
        }
    }
}

/// Weighs the separators of a page's blocks and joins neighbours over light ones.
pub(crate) fn join(
    view: View<'_>,
    blocks: &[Block],
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

fn weight(view: View<'_>, a: &Block, b: &Block) -> f64 {
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
    // The body's parent is `html`, which holds nothing else that is a block.
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
