//! From the walk to elements that are well-formed and hold something, for forms with markup.
//!
//! A form is made of containers (lists, quotations, cells), leaves (paragraphs, headings,
//! preformatted text) and inline elements. All text stands in at most one leaf, and inline elements
//! stand inside a leaf or directly in a container, so what crosses on the page does not cross here:
//! a link around two paragraphs becomes a link in each. Nothing is opened before something is
//! written in it. White space is that of the text, since both decide by the same marks.
//!
//! Cost: O(what the walk visits): each element is opened once; of inline elements, which are opened
//! in each leaf that they reach into, a bounded number is open at a time, and links reach into a
//! bounded number of leaves.

mod element;
mod memory;
mod structure;
mod writer;

use super::cut::{self, TakeWords};
use super::scripts::Script;
use super::words::{self, Mark};
pub(super) use element::{Element, Role, inline_tag, role};
use huller_page::Page;
pub(super) use memory::Memory;
use memory::{Block, Inline};

/// Takes the elements of a form, well-formed and in document order.
pub(super) trait Sink {
    /// Whether superscripts and subscripts are elements. If not, their text is written as in a
    /// text.
    const KEEPS_SCRIPTS: bool;
    /// Whether a display formula, and what stands between two line breaks, are paragraphs of their
    /// own.
    const SPLITS_PARAGRAPHS: bool;
    /// Whether cells that take several columns or rows say so. If not, empty cells take their
    /// columns.
    const KEEPS_SPANS: bool;
    /// Whether blocks in a cell are lines.
    const BREAKS_CELLS: bool;

    /// A container, a leaf, or a part of a table begins. Of leaves and inline elements none is
    /// open.
    fn open_block(&mut self, block: Element);
    /// The innermost block ends.
    fn close_block(&mut self, block: Element);
    /// An inline element begins; something will be written in it.
    fn open_inline(&mut self, inline: Element);
    /// The innermost inline element ends.
    fn close_inline(&mut self, inline: Element);
    /// A paragraph ends, and another one follows in the same block.
    fn split(&mut self);
    /// A line of its own between two blocks.
    fn rule(&mut self);
    /// White space between words.
    fn space(&mut self);
    /// Line breaks in a block, so many.
    fn line_breaks(&mut self, count: u32);
    /// Visible scalars with single spaces between them.
    fn words(&mut self, words: &str);
    /// White space of preformatted text.
    fn white(&mut self, white: &str);
    /// A formula in TeX.
    fn formula(&mut self, tex: &str, is_display: bool);
    /// Looks whether an image can be written.
    fn find_image(&mut self, node: u32) -> bool;
    /// Writes the image that was found last.
    fn image(&mut self);
}

/// Writes a selection to a [`Sink`].
pub(super) struct Flow<'a, S> {
    page: &'a Page<'a>,
    memory: &'a mut Memory,
    sink: S,
    marks_scripts: bool,
    pending: Mark,
    breaks: u32,
    has_rule: bool,
    /// The last scalars written, the very last first.
    tail: [char; 3],
    /// Blocks, rows or cells began or ended since something was written.
    is_moved: bool,
    is_leaf_open: bool,
    /// Index after the last block that was looked at, and was opened if it is a container.
    open_to: usize,
    /// How many inline elements are open.
    open_inlines: usize,
    table: Option<Table>,
    /// In preformatted text, and whether that has had any text.
    preformatted: Option<bool>,
    script: Script,
}

/// The table of data that the walk is in, and its row.
struct Table {
    /// Its index among the blocks.
    block: usize,
    has_rows: bool,
    /// The node of the row.
    row: Option<u32>,
    is_row_open: bool,
    is_cell_open: bool,
}

impl<'a, S: Sink> Flow<'a, S> {
    pub(super) fn new(
        page: &'a Page<'a>,
        memory: &'a mut Memory,
        sink: S,
        marks_scripts: bool,
    ) -> Flow<'a, S> {
        memory.clear();
        Flow {
            page,
            memory,
            sink,
            marks_scripts,
            pending: Mark::None,
            breaks: 0,
            has_rule: false,
            tail: ['\n'; 3],
            is_moved: true,
            is_leaf_open: false,
            open_to: 0,
            open_inlines: 0,
            table: None,
            preformatted: None,
            script: Script::Plain,
        }
    }

    /// Separates what was written from what follows.
    pub(super) fn block(&mut self) {
        self.pending = Mark::Block;
        self.is_moved = true;
    }

    /// Ends all elements.
    pub(super) fn finish(mut self) {
        self.close_leaf();
    }

    fn mark(&mut self, mark: Mark) {
        self.pending = self.pending.max(mark);
    }

    /// Opens what must be open before `words`, and writes what separates them from those before.
    fn begin(&mut self, words: &str) {
        if self.is_moved {
            self.settle();
        } else {
            match self.pending {
                Mark::None => {}
                Mark::Break | Mark::Block if S::SPLITS_PARAGRAPHS && self.breaks > 1 => {
                    self.close_inlines();
                    self.sink.split();
                }
                Mark::Break | Mark::Block => {
                    self.sink.line_breaks(self.breaks.max(1));
                    self.note("\n");
                }
                // Blocks in cells.
                Mark::Space if S::BREAKS_CELLS && self.breaks > 0 => self.sink.line_breaks(1),
                Mark::Space => self.put_space(),
                mark @ (Mark::Meeting | Mark::Alike) => {
                    let before = self.tail.into_iter().take_while(|c| *c != '\n');
                    if words::are_apart(before, words, mark == Mark::Alike) {
                        self.put_space();
                    }
                }
            }
        }
        (self.pending, self.breaks) = (Mark::None, 0);
        self.open_inlines();
    }

    fn put_space(&mut self) {
        self.sink.space();
        self.note(" ");
    }

    /// Remembers the end of what was written.
    fn note(&mut self, words: &str) {
        if let [.., third, second, first] = *words.as_bytes()
            && (first | second | third).is_ascii()
        {
            self.tail = [first, second, third].map(char::from);
            return;
        }
        let mut last = words.chars().rev().fuse();
        let mut before = self.tail.into_iter();
        self.tail = std::array::from_fn(|_| last.next().or_else(|| before.next()).unwrap_or(' '));
    }

    /// White space of preformatted text waits until the next words, which this writes. The rules
    /// are those of [`Words::put_preformatted`](words::Words::put_preformatted).
    fn preformatted_words(&mut self, words: &str, gap: &mut String) {
        if words.is_empty() {
            return;
        }
        let is_begun = self.preformatted.replace(true) == Some(true);
        let last_break = gap.rfind('\n').map(|at| at + 1);
        if is_begun {
            if self.pending >= Mark::Break && !gap.contains('\n') {
                gap.insert(0, '\n');
            }
            self.pending = Mark::None;
            let has_empty_line = gap.bytes().filter(|byte| *byte == b'\n').count() > 1;
            if S::SPLITS_PARAGRAPHS && has_empty_line {
                self.close_inlines();
            }
            self.sink.white(gap);
            self.open_inlines();
        } else {
            let at_line_start = self.pending >= Mark::Break || self.is_moved;
            if last_break.is_some() && !at_line_start {
                self.mark(Mark::Break);
            } else if !gap.is_empty() && !at_line_start {
                self.mark(Mark::Space);
            }
            self.begin(words);
            if at_line_start || last_break.is_some() {
                self.sink.white(&gap[last_break.unwrap_or(0)..]);
            }
        }
        self.note(gap);
        gap.clear();
        self.sink.words(words);
        self.note(words);
    }

    fn put_preformatted(&mut self, text: &str) {
        let mut gap = std::mem::take(&mut self.memory.gap);
        let before = self.last().filter(|_| gap.is_empty());
        cut::preformatted(text, before, |words, blank| {
            self.preformatted_words(words, &mut gap);
            gap.push_str(blank);
        });
        self.memory.gap = gap;
    }
}

impl<S: Sink> TakeWords for Flow<'_, S> {
    #[inline]
    fn words(&mut self, words: &str) {
        if words.is_empty() {
            return;
        }
        if self.is_moved
            || self.pending != Mark::None
            || self.open_inlines < self.memory.inlines.len()
        {
            self.begin(words);
        }
        self.sink.words(words);
        self.note(words);
    }

    #[inline]
    fn white_space(&mut self) {
        self.mark(Mark::Space);
    }

    fn last(&self) -> Option<char> {
        let is_apart = self.is_moved || self.pending > Mark::Alike;
        if is_apart { None } else { Some(self.tail[0]) }
    }
}
