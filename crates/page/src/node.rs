//! Elements and facts about them.

use crate::tag::{Tag, TagSet};
use std::ops::Range;

/// An element. Nodes are in pre-order, so the descendants of node `i` are `i + 1 .. nodes[i].end`.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Index of the parent; node 0 (`html`) is its own parent.
    pub parent: u32,
    /// Index after the last descendant.
    pub end: u32,
    /// Offset in bytes of the start tag. For an implied element, the offset of the tag or text that
    /// implies it, such as a `</p>` without partner.
    pub byte_start: u32,
    /// Offset in bytes after the end tag, or of the place where the element was closed without one.
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
    /// Facts about the element.
    pub flags: NodeFlags,
    /// Depth: 1 for `html`, one more than the parent's for others.
    pub level: u16,
    /// Number of child elements other than `br` and `wbr`, plus number of own text runs; saturates
    /// at the largest `u16`.
    pub children: u16,
}

impl Node {
    /// Returns whether the node's tag belongs to one of the sets.
    #[inline]
    pub fn is(&self, set: TagSet) -> bool {
        self.tag.is(set)
    }

    /// Returns the range of the runs inside the node.
    #[inline]
    pub fn runs(&self) -> Range<usize> {
        self.run_start as usize..self.run_end as usize
    }
}

/// The flags that content inherits from an HTML element of each tag.
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
    /// The node is a link, or lies in one. An element that outlasts a link keeps this flag, but its
    /// text after the end of the link is not in the link.
    pub const IN_LINK: NodeFlags = NodeFlags(1);
    /// White space is directly before the start tag.
    pub const SPACE_BEFORE: NodeFlags = NodeFlags(1 << 1);
    /// White space is directly before the end of the element.
    pub const SPACE_AT_END: NodeFlags = NodeFlags(1 << 2);
    /// The node is `svg` or `math`, or lies in one.
    pub const FOREIGN: NodeFlags = NodeFlags(1 << 3);
    /// The node is a `header` in an `article` or `main`: it holds the headline, not the site's
    /// name.
    pub const ARTICLE_HEADER: NodeFlags = NodeFlags(1 << 4);
    /// The node is a form that holds at most half of the body's text. It also has under 200 visible
    /// scalars, or a field for a password or a search.
    pub const SMALL_FORM: NodeFlags = NodeFlags(1 << 5);
    /// White space in the node is text. The node is `pre`, `listing`, `textarea`, `xmp` or
    /// `plaintext`, or its style says so. Descendants inherit this unless their own style says
    /// otherwise.
    pub const PREFORMATTED: NodeFlags = NodeFlags(1 << 6);
    /// The element may hold only parts of a table: other content moves before the table. Only open
    /// elements have this flag, nodes do not.
    pub(crate) const FOSTERS: NodeFlags = NodeFlags(1 << 7);
    /// All flags that a node may have.
    pub(crate) const OF_NODES: NodeFlags = NodeFlags(!(1 << 7));
    /// No flag.
    pub const NONE: NodeFlags = NodeFlags(0);

    /// Returns `flags` if the condition holds, else no flag.
    #[inline(always)]
    pub(crate) fn if_true(condition: bool, flags: NodeFlags) -> NodeFlags {
        if condition { flags } else { NodeFlags::NONE }
    }

    /// Returns the flags that content inherits from an HTML element of that tag.
    #[inline(always)]
    pub(crate) fn from_tag(tag: Tag) -> NodeFlags {
        OF_TAGS[tag.index()]
    }

    /// Returns whether all bits of `other` are set.
    #[inline]
    pub const fn contains(self, other: NodeFlags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns whether any bit of `other` is set.
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

    /// Returns the flags that are set in both.
    #[inline(always)]
    #[must_use]
    pub(crate) fn and(self, other: NodeFlags) -> NodeFlags {
        NodeFlags(self.0 & other.0)
    }

    /// Returns the flags that are set in either.
    #[inline(always)]
    #[must_use]
    pub(crate) const fn union(self, other: NodeFlags) -> NodeFlags {
        NodeFlags(self.0 | other.0)
    }
}
