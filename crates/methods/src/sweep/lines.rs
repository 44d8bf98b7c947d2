//! A page as the lines of its source, for extractors that rank lines instead of elements.
//!
//! Comments and removed elements are left out. The rest is cut at the line feeds in text; a line
//! feed inside a tag or a comment does not end a line. Each line has the number of its tags, the
//! amount of its text and the pieces of runs on it.
//!
//! The columns of a page do not record where a start tag ends. They also lack end tags without an
//! open element. So the tokenizer reads the markup again, in step with the nodes and runs, which
//! show the removed parts and the text. This is exact, and costs about as much as searching for an
//! end tag before the end of every node.
//!
//! A tag counts on the line where it begins: start tags, end tags (also those without a start tag)
//! and document types. A piece of text includes the white space between it and its neighbours, so
//! that two pieces around an omitted one are not joined into one word.
//!
//! Cost: one pass over the page's bytes. Runs that lie on several lines or hold character
//! references are counted again.

use crate::removal::Removal;
use huller_page::entity::{self, Context};
use huller_page::text::{CharClass, char_class, count};
use huller_page::unspaced;
use huller_page::{
    Attributes, NodeFlags, Page, RunFlags, Tag, TagSet, TextCounts, Token, Tokenizer,
};
use huller_select::{RunRange, Selection};
use std::ops::Range;

/// The places where a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineBreaks {
    /// At line feeds of the source.
    Source,
    /// The places of `Source`, and the first white space or CJK scalar after [`WRAP_CHARS`] scalars
    /// of source, tags included. A break never divides a word.
    Wrapped,
    /// The places of `Source`, the ends of end tags of block elements, and the ends of start tags
    /// of `br`.
    Blocks,
}

/// Length in scalars of source after which a line is wrapped.
pub(crate) const WRAP_CHARS: u32 = 65;

/// One line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    /// Number of tags that begin on the line.
    pub(crate) tags: u32,
    /// Number of visible scalars (nc).
    pub(crate) chars: u32,
    /// Number of white gaps between them (sp), including gaps between two runs.
    pub(crate) gaps: u32,
    /// Whether the line has no tag and only white space.
    pub(crate) is_blank: bool,
    /// One more than the index of the line's last piece.
    piece_end: u32,
}

/// The lines of one page. Created once and refilled.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    all: Vec<Line>,
    pieces: Vec<RunRange>,
    attributes: Attributes,
    decoded: String,
}

impl Lines {
    /// Cuts a page into lines. Leaves out the elements that `removal` removes, and appends them to
    /// `removed`. Also leaves out the text of the runs in `dropped` (ranges of run indices,
    /// ascending, disjoint).
    pub(crate) fn fill(
        &mut self,
        page: &Page<'_>,
        removal: &Removal,
        breaks: LineBreaks,
        dropped: &[Range<u32>],
        removed: &mut Vec<u32>,
    ) {
        self.all.clear();
        self.pieces.clear();
        let mut attributes = std::mem::take(&mut self.attributes);
        let mut tokenizer = Tokenizer::new(page.html());
        let mut position = TreePosition::new(removal);
        let mut cutter = Cutter::new(page, self, breaks);
        let mut text = KeptText { next_run: 0, dropped };
        while let Some(token) = tokenizer.next(&mut attributes) {
            let (span, tag) = match token {
                Token::Text { span, .. } => {
                    let is_kept = position.enter(page, span.start, removed);
                    let run = text.run_at(page, span.start);
                    if is_kept {
                        cutter.text(span.start as usize, span.end as usize, run);
                    }
                    continue;
                }
                Token::Start { span, tag, .. } | Token::End { span, tag, .. } => (span, tag),
                Token::Doctype(span) => (span, Tag::UNKNOWN),
                Token::Comment(_) => continue,
            };
            if position.enter(page, span.start, removed) {
                cutter.tag(&page.html()[span.start as usize..span.end as usize]);
                let ends_block = match token {
                    Token::End { .. } => tag.is(TagSet::BLOCK),
                    _ => tag == Tag::BR,
                };
                if breaks == LineBreaks::Blocks && ends_block {
                    cutter.end_line();
                }
            }
            tokenizer.set_foreign(position.is_foreign_after(page, span.end));
        }
        cutter.end_line();
        self.attributes = attributes;
        if page.is_moved() {
            removed.sort_unstable();
        }
    }

    /// Returns the lines in the order of the source.
    pub(crate) fn all(&self) -> &[Line] {
        &self.all
    }

    /// Returns the pieces of runs on the line with this index.
    pub(crate) fn pieces(&self, line: usize) -> &[RunRange] {
        let start = line.checked_sub(1).map_or(0, |line_before| self.all[line_before].piece_end);
        &self.pieces[start as usize..self.all[line].piece_end as usize]
    }

    /// Returns the number of visible scalars on all lines.
    pub(crate) fn chars(&self) -> u32 {
        self.all.iter().map(|line| line.chars).sum()
    }

    /// Adds the text of a line to a selection; lines must be added in order.
    /// [`Selection::finish_ranges`] sorts the text into document order, which may differ.
    pub(crate) fn select(&self, line: usize, out: &mut Selection) {
        for piece in self.pieces(line) {
            match out.ranges.last_mut() {
                // Both pieces include the white space between them, so they overlap.
                Some(last_range)
                    if last_range.run == piece.run && piece.start <= last_range.end =>
                {
                    last_range.end = piece.end;
                }
                _ => out.ranges.push(*piece),
            }
        }
    }
}

/// Tracks the position in the tree while the tokenizer reads the source.
struct TreePosition<'a> {
    removal: &'a Removal,
    /// The node that opens next, counted in source order.
    next_node: usize,
    /// The innermost open node.
    open_node: usize,
    /// Byte at which the last removed element ends.
    removed_until: u32,
}

impl<'a> TreePosition<'a> {
    fn new(removal: &'a Removal) -> TreePosition<'a> {
        TreePosition { removal, next_node: 0, open_node: 0, removed_until: 0 }
    }

    /// Opens the nodes that begin at or before byte `offset`. Returns whether the source at
    /// `offset` is kept.
    fn enter(&mut self, page: &Page<'_>, offset: u32, removed: &mut Vec<u32>) -> bool {
        let nodes = page.nodes();
        loop {
            let index = page.node_in_source(self.next_node);
            let Some(node) = nodes.get(index).filter(|node| node.byte_start <= offset) else {
                break;
            };
            if node.byte_start >= self.removed_until && self.removal.removes(node) {
                removed.push(index as u32);
                self.removed_until = node.byte_end;
            }
            self.open_node = index;
            self.next_node += 1;
        }
        offset >= self.removed_until
    }

    /// Closes the nodes that end at or before byte `offset`. Returns whether `offset` is in the
    /// content of `svg` or `math`, outside HTML within it. Each node is closed once.
    fn is_foreign_after(&mut self, page: &Page<'_>, offset: u32) -> bool {
        let nodes = page.nodes();
        while self.open_node > 0 && nodes[self.open_node].byte_end <= offset {
            self.open_node = nodes[self.open_node].parent as usize;
        }
        let node = &nodes[self.open_node];
        node.flags.contains(NodeFlags::FOREIGN)
            && !matches!(node.tag, Tag::FOREIGNOBJECT | Tag::DESC | Tag::TITLE)
    }
}

/// Tracks the position among the runs while the tokenizer reads the source.
struct KeptText<'a> {
    /// The run that begins next, counted in source order.
    next_run: usize,
    dropped: &'a [Range<u32>],
}

impl KeptText<'_> {
    /// Returns the run that begins at byte `offset`; `None` if no run begins there or the run is
    /// dropped.
    fn run_at(&mut self, page: &Page<'_>, offset: u32) -> Option<u32> {
        let runs = page.runs();
        let mut index = page.run_in_source(self.next_run);
        while runs.get(index).is_some_and(|run| run.byte_start < offset) {
            self.next_run += 1;
            index = page.run_in_source(self.next_run);
        }
        runs.get(index).filter(|run| run.byte_start == offset)?;
        let run = index as u32;
        // Runs arrive in source order, but the dropped ranges are in document order.
        let next = self.dropped.partition_point(|range| range.end <= run);
        let is_dropped = self.dropped.get(next).is_some_and(|range| range.contains(&run));
        (!is_dropped).then_some(run)
    }
}

/// Builds lines from texts and tags.
struct Cutter<'a, 'p> {
    page: &'a Page<'p>,
    lines: &'a mut Lines,
    breaks: LineBreaks,
    line: Line,
    /// Whether white space follows the line's last visible scalar.
    has_trailing_white: bool,
    /// Scalars of source on the line so far; counted only with [`LineBreaks::Wrapped`].
    source_chars: u32,
}

impl<'a, 'p> Cutter<'a, 'p> {
    fn new(page: &'a Page<'p>, lines: &'a mut Lines, breaks: LineBreaks) -> Cutter<'a, 'p> {
        let line = Line { is_blank: true, ..Line::default() };
        Cutter { page, lines, breaks, line, has_trailing_white: false, source_chars: 0 }
    }

    fn end_line(&mut self) {
        self.line.piece_end = self.lines.pieces.len() as u32;
        self.lines.all.push(self.line);
        self.line = Line { is_blank: true, ..Line::default() };
        self.has_trailing_white = false;
        self.source_chars = 0;
    }

    fn tag(&mut self, source: &str) {
        self.line.tags += 1;
        self.line.is_blank = false;
        if self.breaks == LineBreaks::Wrapped {
            self.source_chars += source.chars().count() as u32;
        }
    }

    /// Adds the text between two bytes. `run` is `None` if the text is invisible or dropped.
    fn text(&mut self, start: usize, end: usize, run: Option<u32>) {
        let html = self.page.html();
        // A piece begins with the white space at the preceding break.
        let (mut piece, mut at) = (start, start);
        loop {
            let next = self.find_break(&html[at..end]);
            let (stop, width) = next.map_or((end, 0), |(offset, width)| (at + offset, width));
            self.line.is_blank = self.line.is_blank && html[at..stop].trim().is_empty();
            match run {
                Some(run) => self.add_piece(run, at..stop, piece..stop + width),
                None => self.blank(&html[at..stop]),
            }
            if next.is_none() {
                break;
            }
            self.end_line();
            piece = stop;
            at = stop + width;
        }
    }

    /// Finds the next line break. Returns its byte offset in `text` and the length in bytes of the
    /// white space there.
    fn find_break(&mut self, text: &str) -> Option<(usize, usize)> {
        if self.breaks != LineBreaks::Wrapped {
            return text.find('\n').map(|offset| (offset, 1));
        }
        for (offset, c) in text.char_indices() {
            let is_white = c.is_whitespace();
            if c == '\n' || is_white && self.source_chars >= WRAP_CHARS {
                return Some((offset, c.len_utf8()));
            }
            if self.source_chars >= WRAP_CHARS && unspaced::is_cjk_or_full_width(c) {
                return Some((offset, 0));
            }
            self.source_chars += 1;
        }
        None
    }

    /// Adds a piece of a run to the line. `measured` is the counted range, `spaced` the same range
    /// with the white space around it.
    fn add_piece(&mut self, index: u32, measured: Range<usize>, spaced: Range<usize>) {
        let run = &self.page.runs()[index as usize];
        let mut text = &self.page.html()[measured];
        let is_whole = text.len() == (run.byte_end - run.byte_start) as usize;
        if run.flags.contains(RunFlags::REFERENCES) && text.contains('&') {
            self.lines.decoded.clear();
            entity::decode(text, Context::Text, &mut self.lines.decoded);
            text = &self.lines.decoded;
        }
        let counts = if is_whole { run.counts } else { count(text) };
        if counts.chars == 0 {
            self.has_trailing_white |= text.contains(char::is_whitespace);
            return;
        }
        let (has_white_before, has_white_after) = outer_white(text);
        let TextCounts { chars, gaps, .. } = counts;
        self.line.gaps +=
            gaps + u32::from(self.line.chars > 0 && (self.has_trailing_white || has_white_before));
        self.line.chars += chars;
        self.has_trailing_white = has_white_after;
        let (start, end) = (spaced.start as u32, spaced.end as u32);
        self.lines.pieces.push(RunRange { run: index, start, end });
    }

    /// Adds text that isn't counted but may separate words. Its character references are treated as
    /// white space.
    fn blank(&mut self, text: &str) {
        self.has_trailing_white =
            self.has_trailing_white || text.contains(|c: char| c == '&' || c.is_whitespace());
    }
}

/// Returns whether white space precedes the first visible scalar, and whether it follows the last.
fn outer_white(text: &str) -> (bool, bool) {
    let is_outer = |c: &char| matches!(char_class(*c), CharClass::White | CharClass::ZeroWidth);
    (
        text.chars().take_while(is_outer).any(char::is_whitespace),
        text.chars().rev().take_while(is_outer).any(char::is_whitespace),
    )
}

#[cfg(test)]
mod tests;
