//! The elements of a form that elements of a page become.

use huller_page::Tag;

/// An element of a form.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Element {
    /// The element of the page; [`Element::NO_NODE`] if only the form has it.
    pub(in super::super) node: u32,
    /// The tag that it is written as. `textarea` is text that keeps its white space but is not
    /// code.
    pub(in super::super) tag: Tag,
    /// The number of an item in a list that is shown with numbers.
    pub(in super::super) number: Option<i32>,
}

impl Element {
    pub(in super::super) const NO_NODE: u32 = u32::MAX;

    /// Returns an element other than a list or an item.
    pub(super) fn new(node: u32, tag: Tag) -> Element {
        Element { node, tag, number: None }
    }
}

impl Default for Element {
    /// Returns a block without an element of the page.
    fn default() -> Element {
        Element::new(Element::NO_NODE, Tag::DIV)
    }
}

/// The role of a block in a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Role {
    /// Holds blocks, or text.
    Container,
    /// Holds text and inline elements only.
    Leaf,
}

/// Returns the tag that a block is written as, and its role. Blocks that only group others are
/// leaves: they are written if text is directly in them.
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

/// Returns the tag that an inline element is written as; `None` if only its content is written.
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
