//! What a Markdown writer knows while it writes: the containers, the line, the table and the signs that are open.

use crate::render::address::Addresses;
use crate::render::image::Image;
use huller_page::{Attributes, Page, Tag};

/// What of a selection stands in its Markdown besides text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarkdownOptions {
    /// Links have their addresses; without, they are text.
    pub links: bool,
    /// Images are written, with their alternative text.
    pub images: bool,
}

impl Default for MarkdownOptions {
    fn default() -> MarkdownOptions {
        MarkdownOptions { links: true, images: true }
    }
}

/// Memory of Markdown writers, reused from page to page.
#[derive(Debug, Default)]
pub(in crate::render) struct Memory {
    pub(super) containers: Vec<Container>,
    pub(super) delimiters: Delimiters,
    /// The code that is being written, or the lines of a table that are put in.
    pub(super) code: String,
    /// The address of the link that is being written.
    pub(super) address: String,
    pub(super) image: Image,
    pub(super) attributes: Attributes,
}

impl Memory {
    pub(super) fn clear(&mut self) {
        const KEPT: usize = 1 << 16;
        self.containers.clear();
        self.delimiters.clear();
        self.image.clear();
        for text in [&mut self.code, &mut self.address] {
            text.clear();
            text.shrink_to(KEPT);
        }
    }
}

/// Writes Markdown.
pub(in crate::render) struct Markdown<'a> {
    pub(super) page: &'a Page<'a>,
    pub(super) memory: &'a mut Memory,
    pub(super) addresses: &'a mut Addresses,
    pub(super) options: MarkdownOptions,
    pub(super) out: &'a mut String,
    /// Length of `out` before this text.
    pub(super) start: usize,
    pub(super) line: Line,
    /// Level of the heading that is being written; 0 in other text.
    pub(super) heading: usize,
    /// The fenced code that is being written.
    pub(super) fence: Option<u32>,
    /// Number of open elements with code in a line, 0 or more.
    pub(super) codes: u32,
    pub(super) table: Option<Table>,
    /// Offset of the `[` of the link that is being written.
    pub(super) link: Option<usize>,
    pub(super) has_formula: bool,
}

impl<'a> Markdown<'a> {
    pub(in crate::render) fn new(
        page: &'a Page<'a>,
        memory: &'a mut Memory,
        addresses: &'a mut Addresses,
        options: MarkdownOptions,
        out: &'a mut String,
    ) -> Markdown<'a> {
        memory.clear();
        let start = out.len();
        Markdown {
            page,
            memory,
            addresses,
            options,
            out,
            start,
            line: Line::new(start),
            heading: 0,
            fence: None,
            codes: 0,
            table: None,
            link: None,
            has_formula: false,
        }
    }
}

/// A list, an item or a quotation that is open.
#[derive(Clone, Copy, Debug)]
pub(super) enum Container {
    Quote,
    List {
        /// Its items have numbers.
        is_ordered: bool,
        /// What its items are marked with: `-` or `*`, `.` or `)`.
        sign: char,
    },
    Item {
        /// 0 to 999,999,999; 0 if it has none.
        number: i32,
        /// Width of its mark; 0 until that is written.
        width: usize,
    },
    /// Too deep.
    Unmarked,
}

/// The line that is being written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) is_begun: bool,
    /// Offset of its content, after the marks.
    pub(super) content: usize,
    /// How many containers are the same as on the line before.
    pub(super) common: usize,
    /// It follows a line break in its block.
    pub(super) is_broken: bool,
    /// Offset of the first dollar of the block that is not escaped.
    pub(super) dollar: Option<usize>,
    /// What was written last ended an item: its depth.
    pub(super) item_before: Option<usize>,
    /// What was written last was a list: its depth, whether it is ordered, its sign.
    pub(super) list_before: Option<(usize, bool, char)>,
}

impl Line {
    pub(super) fn new(start: usize) -> Line {
        Line {
            is_begun: false,
            content: start,
            common: 0,
            is_broken: false,
            dollar: None,
            item_before: None,
            list_before: None,
        }
    }
}

/// The table that is being written.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// Offset of the end of its first row, and how many cells that has.
    pub(super) head: Option<(usize, usize)>,
    /// The largest number of cells in a row.
    pub(super) columns: usize,
    /// Cells of the present row.
    pub(super) cells: usize,
    pub(super) is_in_row: bool,
    pub(super) is_in_head: bool,
}

/// The signs that are to be written, are written, and are to be ended.
#[derive(Debug, Default)]
pub(super) struct Delimiters {
    /// Links and emphasis that begin before the next words.
    pub(super) expected: Vec<Tag>,
    pub(super) open: Vec<Open>,
    /// How many of `open` have ended, the last ones.
    pub(super) ended: usize,
    /// Signs were written directly before what is written next.
    pub(super) has_closed: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) sign: &'static str,
    /// Its offset; `None` if it is left out.
    pub(super) at: Option<usize>,
}

impl Delimiters {
    pub(super) fn clear(&mut self) {
        self.expected.clear();
        self.open.clear();
        self.ended = 0;
    }

    pub(super) fn expect(&mut self, tag: Tag) {
        self.expected.push(tag);
    }

    pub(super) fn forget(&mut self, tag: Tag) {
        let _ = self.expected.pop_if(|expected| *expected == tag);
    }
}
