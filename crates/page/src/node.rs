//! Elements.

use crate::tag::{Tag, TagSet};
use std::ops::Range;

/// An element. Nodes stand in pre-order, so the descendants of node `i` are
/// `i + 1 .. nodes[i].end`.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Index of the parent; node 0 (`html`) is its own.
    pub parent: u32,
    /// Index after the last descendant.
    pub end: u32,
    /// Offset in bytes of the start tag; where the element was implied, of what implied it, as of a
    /// `</p>` without partner.
    pub byte_start: u32,
    /// Offset in bytes after the end tag, or where the element was closed without one.
    pub byte_end: u32,
    /// Index of the first text run inside.
    pub run_start: u32,
    /// Index after the last text run inside.
    pub run_end: u32,
    /// Length in Unicode scalars of the node's own tags in canonical form, without `id`, `class`
    /// and `style` (specification 0.4).
    pub markup_chars: u32,
    /// Index of the first kept attribute.
    pub(crate) attribute_start: u32,
    /// Number of kept attributes.
    pub(crate) attribute_count: u8,
    /// The tag.
    pub tag: Tag,
    /// Further facts.
    pub flags: NodeFlags,
    /// Depth: 1 for `html`, one more than the parent's for others.
    pub level: u16,
    /// Number of child elements other than `br` and `wbr`, plus number of own text runs;
    /// saturating.
    pub children: u16,
}

impl Node {
    /// Whether the node's tag belongs to one of the sets.
    #[inline]
    pub fn is(&self, set: TagSet) -> bool {
        self.tag.is(set)
    }

    /// The runs inside.
    #[inline]
    pub fn runs(&self) -> Range<usize> {
        self.run_start as usize..self.run_end as usize
    }
}

/// The facts that every HTML element of a tag brings with it for what stands in it.
static OF_TAGS: [NodeFlags; 256] = {
    let mut flags = [NodeFlags::NONE; 256];
    flags[Tag::A.index()] = NodeFlags::IN_LINK;
    let mut number = 0;
    while number < Tag::count() {
        if Tag::from_index(number).is(TagSet::PREFORMATTED) {
            flags[number] = NodeFlags::PREFORMATTED;
        }
        if Tag::from_index(number).is(TagSet::FOSTERS) {
            flags[number] = NodeFlags::FOSTERS;
        }
        number += 1;
    }
    flags
};

/// Facts about a node, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeFlags(u8);

impl NodeFlags {
    /// Is a link, or lies in one. Where a link ends before an element in it does, texts of that
    /// element after the end of the link lie in none, although the element does.
    pub const IN_LINK: NodeFlags = NodeFlags(1);
    /// White space stands directly before the start tag.
    pub const SPACE_BEFORE: NodeFlags = NodeFlags(1 << 1);
    /// White space stands directly before the end of the element.
    pub const SPACE_AT_END: NodeFlags = NodeFlags(1 << 2);
    /// Is `svg` or `math`, or lies in one.
    pub const FOREIGN: NodeFlags = NodeFlags(1 << 3);
    /// Is a `header` in an `article` or `main`: it holds the headline, not the site's name.
    pub const ARTICLE_HEADER: NodeFlags = NodeFlags(1 << 4);
    /// Is a form that holds at most half of the body's text, and either has under 200 visible
    /// scalars or a field for a password or a search.
    pub const SMALL_FORM: NodeFlags = NodeFlags(1 << 5);
    /// White space in it is text: it is `pre`, `listing`, `textarea`, `xmp` or `plaintext`, its
    /// style says so, or it lies in such an element and its own style doesn't say otherwise.
    pub const PREFORMATTED: NodeFlags = NodeFlags(1 << 6);
    /// Of an open element, never of a node: it must not hold text or anything but parts of a table.
    pub(crate) const FOSTERS: NodeFlags = NodeFlags(1 << 7);
    /// All that a node may have.
    pub(crate) const OF_NODES: NodeFlags = NodeFlags(!(1 << 7));
    /// No fact.
    pub const NONE: NodeFlags = NodeFlags(0);

    /// `flags` if the condition holds, else no fact.
    #[inline(always)]
    pub(crate) fn when(condition: bool, flags: NodeFlags) -> NodeFlags {
        if condition { flags } else { NodeFlags::NONE }
    }

    /// The facts that an HTML element of that tag brings with it for what stands in it.
    #[inline(always)]
    pub(crate) fn of_tag(tag: Tag) -> NodeFlags {
        OF_TAGS[tag.index()]
    }

    /// Whether all bits of `other` are set.
    #[inline]
    pub const fn contains(self, other: NodeFlags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether any bit of `other` is set.
    #[inline]
    pub const fn intersects(self, other: NodeFlags) -> bool {
        self.0 & other.0 != 0
    }

    #[inline]
    pub(crate) fn insert(&mut self, other: NodeFlags) {
        self.0 |= other.0;
    }

    #[inline]
    pub(crate) fn remove(&mut self, other: NodeFlags) {
        self.0 &= !other.0;
    }

    /// The facts that hold in both.
    #[inline(always)]
    #[must_use]
    pub(crate) fn and(self, other: NodeFlags) -> NodeFlags {
        NodeFlags(self.0 & other.0)
    }

    /// The facts that hold in either.
    #[inline(always)]
    #[must_use]
    pub(crate) const fn union(self, other: NodeFlags) -> NodeFlags {
        NodeFlags(self.0 | other.0)
    }
}
