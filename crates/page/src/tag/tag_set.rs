//! The sets of tags that the rules of HTML speak of.

/// The sets of tags that the rules of HTML speak of, as bits. Which of them a tag belongs to is
/// fixed, and known without a search ([`Tag::is`](crate::Tag::is)). For any other set see
/// [`Tags`](crate::Tags).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TagSet(u32);

impl TagSet {
    /// No set.
    pub const NONE: TagSet = TagSet(0);
    /// Has no content and no end tag.
    pub const VOID: TagSet = TagSet(1);
    /// Makes a line break in the rendered text at its start and end.
    pub const BLOCK: TagSet = TagSet(1 << 1);
    /// Its start tag ends an open `p`.
    pub const ENDS_P: TagSet = TagSet(1 << 2);
    /// Bounds most searches for an open element: an end tag in one of these does not end what lies
    /// around it.
    pub const SCOPE: TagSet = TagSet(1 << 3);
    /// May stand before the body without opening the body.
    pub const HEAD: TagSet = TagSet(1 << 4);
    /// A table or a part of one; its end tag searches up to `table`.
    pub const TABLE_PART: TagSet = TagSet(1 << 5);
    /// Its start tag ends an open `svg` or `math`.
    pub const ENDS_FOREIGN: TagSet = TagSet(1 << 6);
    /// Content is text up to the matching end tag, character references decoded.
    pub const RCDATA: TagSet = TagSet(1 << 7);
    /// Content is text up to the matching end tag, taken as it stands.
    pub const RAW_TEXT: TagSet = TagSet(1 << 8);
    /// Its start tag may end other open elements (list items, table parts, options, links), or open
    /// none.
    pub const IMPLIES_END: TagSet = TagSet(1 << 9);
    /// Content is not page text (scripts and style sheets).
    pub const CODE: TagSet = TagSet(1 << 10);
    /// Content is text up to the end of the input.
    pub(crate) const PLAINTEXT: TagSet = TagSet(1 << 11);
    /// The tree builder has rules for this tag alone.
    pub(crate) const SINGULAR: TagSet = TagSet(1 << 12);
    /// Does not count as a child in [`Node::children`](crate::Node::children).
    pub(crate) const UNCOUNTED: TagSet = TagSet(1 << 13);
    /// White space in it is text, as in `pre`.
    pub const PREFORMATTED: TagSet = TagSet(1 << 14);
    /// What the standard calls special: end tags of ordinary elements, such as `span`, don't look
    /// beyond it.
    pub(crate) const SPECIAL: TagSet = TagSet(1 << 15);
    /// What the standard calls formatting: the end tag of one leaves special elements in it open.
    pub(crate) const FORMATTING: TagSet = TagSet(1 << 16);
    /// Ends without an end tag wherever an element around it ends.
    pub(crate) const IMPLIED: TagSet = TagSet(1 << 17);
    /// Must not hold text or anything but parts of a table: the rest is put before the table.
    pub(crate) const FOSTERS: TagSet = TagSet(1 << 18);
    /// Stands where its tag stands, even directly in a table.
    pub(crate) const UNFOSTERED: TagSet = TagSet(1 << 19);
    /// Its end tag has a rule of its own, or closes any element in scope.
    pub(crate) const ENDS_IN_SCOPE: TagSet = TagSet(1 << 20);

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
