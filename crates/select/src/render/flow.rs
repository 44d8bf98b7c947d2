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
    /// The strongest separator since the last output.
    pending: Separator,
    /// Number of line breaks since the last output.
    pending_breaks: u32,
    /// Whether a horizontal rule waits for the next output.
    has_rule: bool,
    /// The last scalars written, the very last first.
    last_chars: [char; 3],
    /// Whether a block, row or cell has begun or ended since the last output.
    has_crossed_boundary: bool,
    is_leaf_open: bool,
    /// Index after the last block that was considered. A considered container is open.
    considered_blocks: usize,
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
            pending_breaks: 0,
            has_rule: false,
            last_chars: ['\n'; 3],
            has_crossed_boundary: true,
            is_leaf_open: false,
            considered_blocks: 0,
            open_inlines: 0,
            table: None,
            preformatted: None,
            script: Script::Plain,
        }
    }

    /// Separates the text before from the text after.
    pub(super) fn block(&mut self) {
        self.pending = Separator::Block;
        self.has_crossed_boundary = true;
    }

    /// Ends all elements.
    pub(super) fn finish(mut self) {
        self.close_leaf();
    }

    /// Requires at least this separator before the next words.
    fn require_separator(&mut self, separator: Separator) {
        self.pending = self.pending.max(separator);
    }

    /// Opens the elements that hold `words`, and writes the separator before them.
    fn begin_words(&mut self, words: &str) {
        if self.has_crossed_boundary {
            self.open_pending_blocks();
        } else {
            match self.pending {
                Separator::None => {}
                Separator::Break | Separator::Block
                    if S::SPLITS_PARAGRAPHS && self.pending_breaks > 1 =>
                {
                    self.close_inlines();
                    self.sink.split();
                }
                Separator::Break | Separator::Block => {
                    self.sink.line_breaks(self.pending_breaks.max(1));
                    self.remember_end("\n");
                }
                // A block in a cell begins a line.
                Separator::Space if S::BREAKS_CELLS && self.pending_breaks > 0 => {
                    self.sink.line_breaks(1);
                }
                Separator::Space => self.put_space(),
                separator @ (Separator::InlineBoundary | Separator::Alike) => {
                    let chars_before = self.last_chars.into_iter().take_while(|c| *c != '\n');
                    if words::are_apart(chars_before, words, separator == Separator::Alike) {
                        self.put_space();
                    }
                }
            }
        }
        (self.pending, self.pending_breaks) = (Separator::None, 0);
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
            self.last_chars = [first, second, third].map(char::from);
            return;
        }
        let mut last_words_chars = words.chars().rev().fuse();
        let mut earlier_chars = self.last_chars.into_iter();
        self.last_chars = std::array::from_fn(|_| {
            last_words_chars.next().or_else(|| earlier_chars.next()).unwrap_or(' ')
        });
    }

    /// Writes preformatted words, and before them the white space in `pending_white`, which has
    /// waited for them. The rules are those of
    /// [`WordWriter::put_preformatted`](words::WordWriter::put_preformatted).
    fn preformatted_words(&mut self, words: &str, pending_white: &mut String) {
        if words.is_empty() {
            return;
        }
        let is_begun = self.preformatted.replace(true) == Some(true);
        let last_break = pending_white.rfind('\n').map(|at| at + 1);
        if is_begun {
            if self.pending >= Separator::Break && !pending_white.contains('\n') {
                pending_white.insert(0, '\n');
            }
            self.pending = Separator::None;
            let has_empty_line = pending_white.bytes().filter(|byte| *byte == b'\n').count() > 1;
            if S::SPLITS_PARAGRAPHS && has_empty_line {
                self.close_inlines();
            }
            self.sink.white(pending_white);
            self.open_inlines();
        } else {
            let at_line_start = self.pending >= Separator::Break || self.has_crossed_boundary;
            if last_break.is_some() && !at_line_start {
                self.require_separator(Separator::Break);
            } else if !pending_white.is_empty() && !at_line_start {
                self.require_separator(Separator::Space);
            }
            self.begin_words(words);
            if at_line_start || last_break.is_some() {
                self.sink.white(&pending_white[last_break.unwrap_or(0)..]);
            }
        }
        self.remember_end(pending_white);
        pending_white.clear();
        self.sink.words(words);
        self.remember_end(words);
    }

    fn put_preformatted(&mut self, text: &str) {
        let mut pending_white = std::mem::take(&mut self.scratch.pending_white);
        let last_before = self.last().filter(|_| pending_white.is_empty());
        cut::preformatted(text, last_before, |words, blank| {
            self.preformatted_words(words, &mut pending_white);
            pending_white.push_str(blank);
        });
        self.scratch.pending_white = pending_white;
    }
}

impl<S: MarkupSink> TakeWords for Flow<'_, S> {
    #[inline]
    fn words(&mut self, words: &str) {
        if words.is_empty() {
            return;
        }
        if self.has_crossed_boundary
            || self.pending != Separator::None
            || self.open_inlines < self.scratch.inlines.len()
        {
            self.begin_words(words);
        }
        self.sink.words(words);
        self.remember_end(words);
    }

    #[inline]
    fn white_space(&mut self) {
        self.require_separator(Separator::Space);
    }

    fn last(&self) -> Option<char> {
        let is_apart = self.has_crossed_boundary || self.pending > Separator::Alike;
        if is_apart { None } else { Some(self.last_chars[0]) }
    }
}
