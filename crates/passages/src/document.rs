//! The structure of Markdown that passages need.

use crate::kinds::{Kind, Kinds};
use crate::level::Level;
use std::ops::Range;

/// A line with the empty lines after it. The rows of a document have no gaps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Byte offset of its start. It ends where the next row starts.
    pub(crate) start: usize,
    /// The measure of all rows before it, in tokens or scalars.
    pub(crate) before: u64,
    /// Index of the innermost heading above it, or its own. `NO_HEADING` before all headings.
    pub(crate) section: u32,
    /// How good a cut before it is.
    pub(crate) level: Level,
    pub(crate) kinds: Kinds,
    flags: u8,
}

/// The section before all headings.
pub(crate) const NO_HEADING: u32 = u32::MAX;

/// Properties of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowFlag {
    /// The row after it belongs to it: it is a heading, the head of a table, a fence that opens, or
    /// the last line of code before a fence.
    Bound = 1,
    /// It is inside a unit that stays whole, but not its first row.
    Inside = 2,
    /// It is part of a unit that stays whole.
    Whole = 4,
    /// It has no text of the page: a fence, the line below the head of a table, an underline.
    Markup = 8,
}

impl Row {
    pub(crate) fn new(start: usize, level: Level, kinds: Kinds, section: u32) -> Row {
        Row { start, before: 0, section, level, kinds, flags: 0 }
    }

    pub(crate) fn has(&self, flag: RowFlag) -> bool {
        self.flags & flag as u8 != 0
    }

    pub(crate) fn set(&mut self, flag: RowFlag) {
        self.flags |= flag as u8;
    }

    pub(crate) fn unset(&mut self, flag: RowFlag) {
        self.flags &= !(flag as u8);
    }

    pub(crate) fn is_heading(&self) -> bool {
        self.kinds.has(Kind::Heading)
    }
}

/// Rows that should stay together: an item of a list, code or a table. Units nest, and each is
/// before the units in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unit {
    pub(crate) first: usize,
    /// Index after its last row.
    pub(crate) end: usize,
    pub(crate) is_table: bool,
}

/// A heading.
#[derive(Clone, Debug)]
pub(crate) struct Heading {
    /// Index of its row.
    pub(crate) row: usize,
    /// 1 to 6.
    pub(crate) level: u8,
    /// Index of the heading that its section is in, or `NO_HEADING`.
    pub(crate) parent: u32,
    /// Its content in the Markdown, as a byte range.
    pub(crate) content: Range<usize>,
    /// Its text in [`Document::titles`].
    pub(crate) text: Range<usize>,
    /// Index of its identifier in the list of the caller.
    pub(crate) anchor: Option<u32>,
    /// Its identifier in the Markdown.
    pub(crate) own_anchor: Option<Range<usize>>,
}

/// The structure of the Markdown of a page.
#[derive(Debug, Default)]
pub(crate) struct Document {
    pub(crate) rows: Vec<Row>,
    pub(crate) units: Vec<Unit>,
    pub(crate) headings: Vec<Heading>,
    /// The texts of headings.
    pub(crate) titles: String,
    /// Bytes of the Markdown.
    pub(crate) bytes: usize,
    /// The measure of the Markdown.
    pub(crate) size: u64,
}

impl Document {
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.units.clear();
        self.headings.clear();
        self.titles.clear();
        (self.bytes, self.size) = (0, 0);
    }

    /// Releases memory that only a very large page needed.
    pub(crate) fn shrink(&mut self) {
        const MAX_KEPT_ENTRIES: usize = 1 << 14;
        self.clear();
        self.rows.shrink_to(MAX_KEPT_ENTRIES);
        self.units.shrink_to(MAX_KEPT_ENTRIES);
        self.headings.shrink_to(MAX_KEPT_ENTRIES);
        self.titles.shrink_to(MAX_KEPT_ENTRIES);
    }

    /// Returns the byte offset at which a row begins. The row after the last begins at the end.
    pub(crate) fn start(&self, row: usize) -> usize {
        self.rows.get(row).map_or(self.bytes, |row| row.start)
    }

    /// Returns the measure of all rows before a row.
    pub(crate) fn length_before(&self, row: usize) -> u64 {
        self.rows.get(row).map_or(self.size, |row| row.before)
    }

    /// Returns whether the Markdown may be cut before a row.
    pub(crate) fn is_legal(&self, row: usize) -> bool {
        let is_bound = row > 0 && self.rows[row - 1].has(RowFlag::Bound);
        !is_bound && !self.rows[row].has(RowFlag::Inside)
    }

    /// Returns the first of the rows that are bound to this one by headings directly before it.
    pub(crate) fn first_bound(&self, row: usize) -> usize {
        let rows_before = self.rows[..row].iter().rev();
        row - rows_before.take_while(|row| row.has(RowFlag::Bound)).count()
    }

    /// Returns the headings that contain a section, the innermost first.
    pub(crate) fn path(&self, section: u32) -> impl Iterator<Item = &Heading> {
        let get = |section: u32| self.headings.get(section as usize);
        std::iter::successors(get(section), move |heading| get(heading.parent))
    }

    pub(crate) fn title(&self, heading: &Heading) -> &str {
        &self.titles[heading.text.clone()]
    }
}
