//! Regions of a page: facts about an element by its tag and the elements around it, such as being
//! in an article, in navigation or hidden.

use huller_page::{Node, NodeFlags, Tag};

/// A set of regions, as bits. Everything inside an element is in the element's regions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Regions(pub(super) u32);

impl Regions {
    pub(super) const ARTICLE: Regions = Regions(1);
    pub(super) const MAIN: Regions = Regions(1 << 1);
    pub(super) const NAV: Regions = Regions(1 << 2);
    pub(super) const HEADER: Regions = Regions(1 << 3);
    pub(super) const FOOTER: Regions = Regions(1 << 4);
    pub(super) const ASIDE: Regions = Regions(1 << 5);
    pub(super) const FORM: Regions = Regions(1 << 6);
    pub(super) const TABLE: Regions = Regions(1 << 7);
    pub(super) const ITEM: Regions = Regions(1 << 8);
    pub(super) const QUOTE: Regions = Regions(1 << 9);
    pub(super) const CODE: Regions = Regions(1 << 10);
    pub(super) const FIGURE: Regions = Regions(1 << 11);
    pub(super) const DEFINITIONS: Regions = Regions(1 << 12);
    pub(super) const NOSCRIPT: Regions = Regions(1 << 13);
    pub(super) const SECTION: Regions = Regions(1 << 14);
    pub(super) const HIDDEN: Regions = Regions(1 << 15);

    /// Regions that rarely hold content. Blocks there add nothing to the sums of the elements
    /// around them.
    pub(super) const ASIDE_OF_CONTENT: Regions = Regions(
        Regions::NAV.0
            | Regions::HEADER.0
            | Regions::FOOTER.0
            | Regions::ASIDE.0
            | Regions::FORM.0
            | Regions::NOSCRIPT.0
            | Regions::HIDDEN.0,
    );

    /// Regions of the parts of a page around its content. An element that contains the article does
    /// not open such a region.
    pub(super) const LANDMARKS: Regions =
        Regions(Regions::NAV.0 | Regions::HEADER.0 | Regions::FOOTER.0 | Regions::ASIDE.0);

    pub(super) fn without(self, other: Regions) -> Regions {
        Regions(self.0 & !other.0)
    }

    pub(super) fn intersects(self, other: Regions) -> bool {
        self.0 & other.0 != 0
    }
}

/// Returns the region that an element opens by its tag; empty for most tags.
pub(super) fn region(node: &Node) -> Regions {
    match node.tag {
        Tag::ARTICLE => Regions::ARTICLE,
        Tag::MAIN => Regions::MAIN,
        Tag::NAV => Regions::NAV,
        Tag::HEADER if !node.flags.contains(NodeFlags::ARTICLE_HEADER) => Regions::HEADER,
        Tag::FOOTER => Regions::FOOTER,
        Tag::ASIDE => Regions::ASIDE,
        Tag::FORM if node.flags.contains(NodeFlags::SMALL_FORM) => Regions::FORM,
        Tag::TABLE => Regions::TABLE,
        Tag::LI => Regions::ITEM,
        Tag::BLOCKQUOTE => Regions::QUOTE,
        Tag::PRE => Regions::CODE,
        Tag::FIGURE => Regions::FIGURE,
        Tag::DL => Regions::DEFINITIONS,
        Tag::NOSCRIPT => Regions::NOSCRIPT,
        Tag::SECTION => Regions::SECTION,
        _ => Regions::default(),
    }
}
