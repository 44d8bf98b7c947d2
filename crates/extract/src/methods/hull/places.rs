//! Where an element stands, by its tag and those around it: in an article, in navigation, hidden.

use huller_page::{Node, NodeFlags, Tag};

/// Where an element stands, as bits; what holds for an element holds for all that is in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Places(pub(super) u32);

impl Places {
    pub(super) const ARTICLE: Places = Places(1);
    pub(super) const MAIN: Places = Places(1 << 1);
    pub(super) const NAV: Places = Places(1 << 2);
    pub(super) const HEADER: Places = Places(1 << 3);
    pub(super) const FOOTER: Places = Places(1 << 4);
    pub(super) const ASIDE: Places = Places(1 << 5);
    pub(super) const FORM: Places = Places(1 << 6);
    pub(super) const TABLE: Places = Places(1 << 7);
    pub(super) const ITEM: Places = Places(1 << 8);
    pub(super) const QUOTE: Places = Places(1 << 9);
    pub(super) const CODE: Places = Places(1 << 10);
    pub(super) const FIGURE: Places = Places(1 << 11);
    pub(super) const DEFINITIONS: Places = Places(1 << 12);
    pub(super) const NOSCRIPT: Places = Places(1 << 13);
    pub(super) const SECTION: Places = Places(1 << 14);
    pub(super) const HIDDEN: Places = Places(1 << 15);

    /// Where there is seldom content: blocks there add nothing to the sums of what holds them.
    pub(super) const ASIDE_OF_CONTENT: Places = Places(
        Places::NAV.0
            | Places::HEADER.0
            | Places::FOOTER.0
            | Places::ASIDE.0
            | Places::FORM.0
            | Places::NOSCRIPT.0
            | Places::HIDDEN.0,
    );

    pub(super) fn intersects(self, other: Places) -> bool {
        self.0 & other.0 != 0
    }
}

/// Where the tag of an element says that it stands.
pub(super) fn place(node: &Node) -> Places {
    match node.tag {
        Tag::ARTICLE => Places::ARTICLE,
        Tag::MAIN => Places::MAIN,
        Tag::NAV => Places::NAV,
        Tag::HEADER if !node.flags.contains(NodeFlags::ARTICLE_HEADER) => Places::HEADER,
        Tag::FOOTER => Places::FOOTER,
        Tag::ASIDE => Places::ASIDE,
        Tag::FORM if node.flags.contains(NodeFlags::SMALL_FORM) => Places::FORM,
        Tag::TABLE => Places::TABLE,
        Tag::LI => Places::ITEM,
        Tag::BLOCKQUOTE => Places::QUOTE,
        Tag::PRE => Places::CODE,
        Tag::FIGURE => Places::FIGURE,
        Tag::DL => Places::DEFINITIONS,
        Tag::NOSCRIPT => Places::NOSCRIPT,
        Tag::SECTION => Places::SECTION,
        _ => Places::default(),
    }
}
