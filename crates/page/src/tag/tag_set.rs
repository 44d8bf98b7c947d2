//! The sets of tags that the rules of HTML speak of.

/// The sets of tags that the rules of HTML speak of, as bits. Which of them a tag belongs to is fixed, and known without
/// a search ([`Tag::is`](crate::Tag::is)). For any other set see [`Tags`](crate::Tags).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagSet(u16);

impl TagSet {
    /// No set.
    pub const NONE: TagSet = TagSet(0);
    /// Has no content and no end tag.
    pub const VOID: TagSet = TagSet(1);
    /// Makes a line break in the rendered text at its start and end.
    pub const BLOCK: TagSet = TagSet(1 << 1);
    /// Its start tag ends an open `p`.
    pub const ENDS_P: TagSet = TagSet(1 << 2);
    /// Searches for an open element do not look beyond an element of these.
    pub const SCOPE: TagSet = TagSet(1 << 3);
    /// May stand before the body without opening the body.
    pub const HEAD: TagSet = TagSet(1 << 4);
    /// A part of a table; its end tag searches up to `table`.
    pub const TABLE_PART: TagSet = TagSet(1 << 5);
    /// Its start tag ends an open `svg` or `math`.
    pub const ENDS_FOREIGN: TagSet = TagSet(1 << 6);
    /// Content is text up to the matching end tag, character references decoded.
    pub const RCDATA: TagSet = TagSet(1 << 7);
    /// Content is text up to the matching end tag, taken as it stands.
    pub const RAW_TEXT: TagSet = TagSet(1 << 8);
    /// Its start tag may end other open elements (list items, table parts, options, links).
    pub const IMPLIES_END: TagSet = TagSet(1 << 9);
    /// Content is not page text (scripts and style sheets).
    pub const CODE: TagSet = TagSet(1 << 10);
    /// Content is text up to the end of the input.
    pub(crate) const PLAINTEXT: TagSet = TagSet(1 << 11);
    /// The tree builder has rules for this tag alone.
    pub(crate) const SINGULAR: TagSet = TagSet(1 << 12);
    /// Does not count as a child in [`Node::children`](crate::Node::children).
    pub(crate) const UNCOUNTED: TagSet = TagSet(1 << 13);

    /// Both sets together.
    #[inline]
    #[must_use]
    pub const fn union(self, other: TagSet) -> TagSet {
        TagSet(self.0 | other.0)
    }

    /// Whether the two sets share a bit.
    #[inline]
    pub const fn intersects(self, other: TagSet) -> bool {
        self.0 & other.0 != 0
    }
}
