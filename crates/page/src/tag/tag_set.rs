//! The sets of tags that the rules of HTML use.

/// The sets of tags that the rules of HTML use, as bits. The sets of a tag are fixed and known
/// without a search ([`Tag::is`](crate::Tag::is)). For any other set see
/// [`TagTable`](crate::TagTable).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagSet(u32);

impl TagSet {
    /// No set.
    pub const NONE: TagSet = TagSet(0);
    /// The element has no content and no end tag.
    pub const VOID: TagSet = TagSet(1);
    /// The element makes a line break in the rendered text at its start and end.
    pub const BLOCK: TagSet = TagSet(1 << 1);
    /// The start tag ends an open `p`.
    pub const ENDS_P: TagSet = TagSet(1 << 2);
    /// The element bounds most searches for an open element: an end tag in it does not end elements
    /// around it.
    pub const SCOPE: TagSet = TagSet(1 << 3);
    /// The element may be before the body without opening the body.
    pub const HEAD: TagSet = TagSet(1 << 4);
    /// The element is a table or a part of one; its end tag closes only an element
    /// within the nearest `table`.
    pub const TABLE_PART: TagSet = TagSet(1 << 5);
    /// The start tag ends an open `svg` or `math`.
    pub const ENDS_FOREIGN: TagSet = TagSet(1 << 6);
    /// The content is text up to the matching end tag, with character references decoded.
    pub const RCDATA: TagSet = TagSet(1 << 7);
    /// The content is text up to the matching end tag, as written.
    pub const RAW_TEXT: TagSet = TagSet(1 << 8);
    /// The start tag may end other open elements (list items, table parts, options, links), or may
    /// open no element.
    pub const IMPLIES_END: TagSet = TagSet(1 << 9);
    /// The content is not page text (scripts and style sheets).
    pub const CODE: TagSet = TagSet(1 << 10);
    /// The content is text up to the end of the input.
    pub(crate) const PLAINTEXT: TagSet = TagSet(1 << 11);
    /// The tree builder has rules for this tag alone.
    pub(crate) const SINGULAR: TagSet = TagSet(1 << 12);
    /// The element does not count as a child in [`Node::children`](crate::Node::children).
    pub(crate) const UNCOUNTED: TagSet = TagSet(1 << 13);
    /// White space in the element is text, as in `pre`.
    pub const PREFORMATTED: TagSet = TagSet(1 << 14);
    /// The standard calls the element special: end tags of ordinary elements, such as `span`, do
    /// not search beyond it.
    pub(crate) const SPECIAL: TagSet = TagSet(1 << 15);
    /// The standard calls the element formatting: its end tag leaves special elements in it open.
    pub(crate) const FORMATTING: TagSet = TagSet(1 << 16);
    /// The element ends without an end tag wherever an element around it ends.
    pub(crate) const IMPLIED: TagSet = TagSet(1 << 17);
    /// The element may hold only parts of a table: other content is put before the table.
    pub(crate) const FOSTERS: TagSet = TagSet(1 << 18);
    /// The element stays where its tag is, even directly in a table.
    pub(crate) const UNFOSTERED: TagSet = TagSet(1 << 19);
    /// The end tag has a rule of its own, or closes any element in scope.
    pub(crate) const ENDS_IN_SCOPE: TagSet = TagSet(1 << 20);

    /// Returns the union of both sets.
    #[inline]
    #[must_use]
    pub const fn union(self, other: TagSet) -> TagSet {
        TagSet(self.0 | other.0)
    }

    /// Returns whether the two sets share a bit.
    #[inline]
    pub const fn intersects(self, other: TagSet) -> bool {
        self.0 & other.0 != 0
    }
}
