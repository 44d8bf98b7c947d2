//! Memory of flows, reused from page to page.

use super::{Element, Role};
use crate::render::numbers::Numbers;
use huller_page::{Attributes, Tag};

/// What a flow keeps of the page it is in.
#[derive(Debug, Default)]
pub(in super::super) struct Memory {
    /// The blocks that the walk is in, those of tables of data excepted.
    pub(super) blocks: Vec<Block>,
    /// The inline elements that the walk is in, each tag once.
    pub(super) inlines: Vec<Inline>,
    /// The cells of the row that hold nothing so far.
    pub(super) cells: Vec<u32>,
    /// The leaf or the cell that is open, if one is.
    pub(super) leaf: Element,
    pub(super) decoded: String,
    /// White space of preformatted text that waits for the next words.
    pub(super) gap: String,
    pub(super) attributes: Attributes,
}

/// A block that the walk is in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) node: u32,
    pub(super) tag: Tag,
    pub(super) role: Role,
    pub(super) is_open: bool,
    /// Something was written in this container.
    pub(super) has_content: bool,
    /// Index of the innermost container here, this block included; `u32::MAX` if there is none.
    pub(super) container: u32,
    /// Of a list, how its items are numbered, if they are; the number of the next one.
    pub(super) numbers: Option<Numbers>,
    /// Of an item in such a list, its number.
    pub(super) number: Option<i32>,
}

/// An inline element that the walk is in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inline {
    pub(super) node: u32,
    pub(super) tag: Tag,
    /// How many times it was opened.
    pub(super) times: u32,
}

impl Memory {
    /// Empties the memory, and gives back what only a giant page needed.
    pub(super) fn clear(&mut self) {
        const KEPT: usize = 1 << 16;
        self.blocks.clear();
        self.inlines.clear();
        self.cells.clear();
        self.cells.shrink_to(KEPT);
        for text in [&mut self.decoded, &mut self.gap] {
            text.clear();
            text.shrink_to(KEPT);
        }
    }
}
