//! What becomes of a page's elements in a form.

use huller_page::Tag;

/// An element of a form.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Element {
    /// The element of the page; [`Element::NO_NODE`] if the form alone has it.
    pub(in super::super) node: u32,
    /// The tag it is written as. `textarea` is text with its white space that is no code.
    pub(in super::super) tag: Tag,
    /// Of an item in a list that is shown with numbers, its number.
    pub(in super::super) number: Option<i32>,
}

impl Element {
    pub(in super::super) const NO_NODE: u32 = u32::MAX;

    /// An element that is no list and no item.
    pub(super) fn new(node: u32, tag: Tag) -> Element {
        Element { node, tag, number: None }
    }
}

impl Default for Element {
    /// A block that no element of the page stands for.
    fn default() -> Element {
        Element::new(Element::NO_NODE, Tag::DIV)
    }
}

/// How a block stands in a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Role {
    /// Holds blocks, or text.
    Container,
    /// Holds text and inline elements only.
    Leaf,
}

/// The tag that a block is written as, and its role. Blocks that only group others are leaves: they
/// are written where text stands in them directly.
pub(in super::super) fn role(tag: Tag) -> (Tag, Role) {
    match tag {
        Tag::UL | Tag::MENU | Tag::DIR => (Tag::UL, Role::Container),
        Tag::OL
        | Tag::LI
        | Tag::DL
        | Tag::DT
        | Tag::DD
        | Tag::BLOCKQUOTE
        | Tag::FIGURE
        | Tag::FIGCAPTION
        | Tag::DETAILS
        | Tag::SUMMARY
        | Tag::CAPTION => (tag, Role::Container),
        Tag::P | Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => (tag, Role::Leaf),
        _ => (Tag::DIV, Role::Leaf),
    }
}

/// The tag that an inline element is written as; `None` if it isn't.
pub(in super::super) fn inline_tag(tag: Tag) -> Option<Tag> {
    match tag {
        Tag::A
        | Tag::ABBR
        | Tag::B
        | Tag::CITE
        | Tag::CODE
        | Tag::DEL
        | Tag::DFN
        | Tag::EM
        | Tag::I
        | Tag::INS
        | Tag::KBD
        | Tag::MARK
        | Tag::Q
        | Tag::S
        | Tag::SAMP
        | Tag::STRONG
        | Tag::SUB
        | Tag::SUP
        | Tag::TIME
        | Tag::U
        | Tag::VAR => Some(tag),
        Tag::ACRONYM => Some(Tag::ABBR),
        Tag::STRIKE => Some(Tag::S),
        Tag::TT => Some(Tag::CODE),
        _ => None,
    }
}
