//! Turns the walk into well-formed elements with content, for forms with markup.
//!
//! A form is made of containers (lists, quotations, cells), leaves (paragraphs, headings,
//! preformatted text) and inline elements. All text is in at most one leaf, and inline elements are
//! inside a leaf or directly in a container. So elements that cross on the page do not cross here:
//! a link around two paragraphs becomes a link in each. An element is opened only when something is
//! written in it. White space equals that of the text, since the same marks decide both.
//!
//! Cost: O(nodes and runs of the walk). Each block is opened once. Inline elements are opened in
//! each leaf that they reach into, but only a bounded number of them is open at a time. A link
//! reaches into a bounded number of leaves.

mod element;
mod scratch;
mod structure;
mod writer;

use super::cut::{self, TakeWords};
use super::scripts::Script;
use super::words::{self, Separator};
pub(super) use element::{Element, Role, inline_tag, role};
use huller_page::Page;
pub(super) use scratch::Scratch;
use scratch::{Block, Inline};

/// Receives the elements of a form, well-formed and in document order.
pub(super) trait MarkupSink {
    /// Whether superscripts and subscripts are elements. If not, their text is written as in a
    /// text.
    const KEEPS_SCRIPTS: bool;
    /// Whether a display formula, and text after two line breaks in a row, begins a new paragraph.
    const SPLITS_PARAGRAPHS: bool;
    /// Whether cells that span several columns or rows have their spans. If not, empty cells fill
    /// these columns.
    const KEEPS_SPANS: bool;
    /// Whether blocks in a cell are lines.
    const BREAKS_CELLS: bool;

    /// Begins a container, a leaf, or a part of a table, while no leaf and no inline element is
    /// open.
    fn open_block(&mut self, block: Element);
    /// Ends the innermost block.
    fn close_block(&mut self, block: Element);
    /// Begins an inline element. It will have content.
    fn open_inline(&mut self, inline: Element);
    /// Ends the innermost inline element.
    fn close_inline(&mut self, inline: Element);
    /// Ends a paragraph and begins another one in the same block.
    fn split(&mut self);
    /// Writes a thematic break between two blocks.
    fn rule(&mut self);
    /// Writes white space between words.
    fn space(&mut self);
    /// Writes `count` line breaks in a block.
    fn line_breaks(&mut self, count: u32);
    /// Writes visible scalars with single spaces between them.
    fn words(&mut self, words: &str);
    /// Writes white space of preformatted text.
    fn white(&mut self, white: &str);
    /// Writes a formula in TeX.
    fn formula(&mut self, tex: &str, is_display: bool);
    /// Finds an image. Returns whether it can be written.
    fn find_image(&mut self, node: u32) -> bool;
    /// Writes the image of the last [`find_image`](MarkupSink::find_image).
    fn image(&mut self);
}

/// Writes a selection to a [`MarkupSink`].
pub(super) struct Flow<'a, S> {
    page: &'a Page<'a>,
    scratch: &'a mut Scratch,
    sink: S,
    marks_scripts: bool,
    pending: Separator,
    breaks: u32,
    has_rule: bool,
    /// The last scalars written, the very last first.
    tail: [char; 3],
    /// Whether a block, row or cell has begun or ended since the last output.
    is_moved: bool,
    is_leaf_open: bool,
    /// Index after the last block that was considered. A considered container is open.
    open_to: usize,
    /// Number of open inline elements.
    open_inlines: usize,
    table: Option<Table>,
    /// In preformatted text: whether the element has had any text. Else `None`.
    preformatted: Option<bool>,
    script: Script,
}

/// The table of data that the walk is in, and its row.
struct Table {
    /// Index of the table among the blocks.
    block: usize,
    has_rows: bool,
    /// The node of the row.
    row: Option<u32>,
    is_row_open: bool,
    is_cell_open: bool,
}

impl<'a, S: MarkupSink> Flow<'a, S> {
    pub(super) fn new(
        page: &'a Page<'a>,
        scratch: &'a mut Scratch,
        sink: S,
        marks_scripts: bool,
    ) -> Flow<'a, S> {
        scratch.clear();
        Flow {
            page,
            scratch,
            sink,
            marks_scripts,
            pending: Separator::None,
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

    /// Separates the text before from the text after.
    pub(super) fn block(&mut self) {
        self.pending = Separator::Block;
        self.is_moved = true;
    }

    /// Ends all elements.
    pub(super) fn finish(mut self) {
        self.close_leaf();
    }

    fn mark(&mut self, mark: Separator) {
        self.pending = self.pending.max(mark);
    }

    /// Opens the elements that hold `words`, and writes the separator before them.
    fn begin(&mut self, words: &str) {
        if self.is_moved {
            self.settle();
        } else {
            match self.pending {
                Separator::None => {}
                Separator::Break | Separator::Block if S::SPLITS_PARAGRAPHS && self.breaks > 1 => {
                    self.close_inlines();
                    self.sink.split();
                }
                Separator::Break | Separator::Block => {
                    self.sink.line_breaks(self.breaks.max(1));
                    self.remember_end("\n");
                }
                // A block in a cell begins a line.
                Separator::Space if S::BREAKS_CELLS && self.breaks > 0 => self.sink.line_breaks(1),
                Separator::Space => self.put_space(),
                mark @ (Separator::InlineBoundary | Separator::Alike) => {
                    let before = self.tail.into_iter().take_while(|c| *c != '\n');
                    if words::are_apart(before, words, mark == Separator::Alike) {
                        self.put_space();
                    }
                }
            }
        }
        (self.pending, self.breaks) = (Separator::None, 0);
        self.open_inlines();
    }

    fn put_space(&mut self) {
        self.sink.space();
        self.remember_end(" ");
    }

    /// Remembers the end of the output.
    fn remember_end(&mut self, words: &str) {
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

    /// Writes preformatted words, and before them the white space in `gap`, which has waited for
    /// them. The rules are those of
    /// [`WordWriter::put_preformatted`](words::WordWriter::put_preformatted).
    fn preformatted_words(&mut self, words: &str, gap: &mut String) {
        if words.is_empty() {
            return;
        }
        let is_begun = self.preformatted.replace(true) == Some(true);
        let last_break = gap.rfind('\n').map(|at| at + 1);
        if is_begun {
            if self.pending >= Separator::Break && !gap.contains('\n') {
                gap.insert(0, '\n');
            }
            self.pending = Separator::None;
            let has_empty_line = gap.bytes().filter(|byte| *byte == b'\n').count() > 1;
            if S::SPLITS_PARAGRAPHS && has_empty_line {
                self.close_inlines();
            }
            self.sink.white(gap);
            self.open_inlines();
        } else {
            let at_line_start = self.pending >= Separator::Break || self.is_moved;
            if last_break.is_some() && !at_line_start {
                self.mark(Separator::Break);
            } else if !gap.is_empty() && !at_line_start {
                self.mark(Separator::Space);
            }
            self.begin(words);
            if at_line_start || last_break.is_some() {
                self.sink.white(&gap[last_break.unwrap_or(0)..]);
            }
        }
        self.remember_end(gap);
        gap.clear();
        self.sink.words(words);
        self.remember_end(words);
    }

    fn put_preformatted(&mut self, text: &str) {
        let mut gap = std::mem::take(&mut self.scratch.gap);
        let before = self.last().filter(|_| gap.is_empty());
        cut::preformatted(text, before, |words, blank| {
            self.preformatted_words(words, &mut gap);
            gap.push_str(blank);
        });
        self.scratch.gap = gap;
    }
}

impl<S: MarkupSink> TakeWords for Flow<'_, S> {
    #[inline]
    fn words(&mut self, words: &str) {
        if words.is_empty() {
            return;
        }
        if self.is_moved
            || self.pending != Separator::None
            || self.open_inlines < self.scratch.inlines.len()
        {
            self.begin(words);
        }
        self.sink.words(words);
        self.remember_end(words);
    }

    #[inline]
    fn white_space(&mut self) {
        self.mark(Separator::Space);
    }

    fn last(&self) -> Option<char> {
        let is_apart = self.is_moved || self.pending > Separator::Alike;
        if is_apart { None } else { Some(self.tail[0]) }
    }
}
