//! Scratch buffers of flows, reused from page to page.

use super::{Element, Role};
use crate::render::numbers::Numbering;
use huller_page::{Attributes, Tag};

/// The state of a flow on its page.
#[derive(Debug, Default)]
pub(in super::super) struct Scratch {
    /// The blocks that the walk is in, without rows and cells of data tables.
    pub(super) blocks: Vec<Block>,
    /// The inline elements that the walk is in, each tag once.
    pub(super) inlines: Vec<Inline>,
    /// The cells of the row that have begun. They wait until the row has content.
    pub(super) cells: Vec<u32>,
    /// The leaf or the cell that is open.
    pub(super) leaf: Element,
    pub(super) decoded: String,
    /// White space of preformatted text that waits for the next words.
    pub(super) pending_white: String,
    pub(super) attributes: Attributes,
}

/// A block that the walk is in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// Index of the element.
    pub(super) node: u32,
    pub(super) tag: Tag,
    pub(super) role: Role,
    pub(super) is_open: bool,
    /// Whether the container has content.
    pub(super) has_content: bool,
    /// Index of the innermost container here, this block included; `u32::MAX` outside a container.
    pub(super) container: u32,
    /// The numbering of a list, with the number of the next item; `None` if its items have no
    /// numbers.
    pub(super) numbering: Option<Numbering>,
    /// The number of an item in such a list.
    pub(super) item_number: Option<i32>,
}

/// An inline element that the walk is in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inline {
    /// Index of the element.
    pub(super) node: u32,
    pub(super) tag: Tag,
    /// Number of times that it was opened.
    pub(super) open_count: u32,
}

impl Scratch {
    /// Clears the buffers, and frees memory that only a giant page needed.
    pub(super) fn clear(&mut self) {
        const MAX_KEPT_ENTRIES: usize = 1 << 16;
        self.blocks.clear();
        self.inlines.clear();
        self.cells.clear();
        self.cells.shrink_to(MAX_KEPT_ENTRIES);
        for text in [&mut self.decoded, &mut self.pending_white] {
            text.clear();
            text.shrink_to(MAX_KEPT_ENTRIES);
        }
    }
}
