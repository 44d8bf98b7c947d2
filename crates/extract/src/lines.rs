//! A page as lines of its source: what methods look at that see lines, not elements.
//!
//! Comments and removed elements are taken out; what is left is cut at line feeds in text. A line feed within a tag or a
//! comment cuts nothing. Each line knows how many tags stand on it, how much text, and which pieces of which runs that is.
//!
//! Where tags end, and where end tags stand that close nothing or that the tree has forgotten, is in no column. So the
//! markup is read once more by the tokenizer, side by side with nodes and runs, which say what is removed and what is
//! text. That is exact, and about as cheap as looking for end tags before the end of every node.
//!
//! A tag counts on the line it begins on: start tags, end tags (also those without a partner) and document types. A piece
//! of text takes the white space that parts it from its neighbours along, so that the words of two pieces of which one was
//! left out never run together.
//!
//! Cost: one pass over the page's bytes; texts that lie on several lines or hold character references are counted again.

use crate::removal::Removal;
use crate::selection::{Selection, Stretch};
use huller_page::entity::{self, Context};
use huller_page::text::{CharClass, char_class, count};
use huller_page::{
    Attributes, NodeFlags, Page, RunFlags, Tag, TagSet, TextCounts, Token, Tokenizer,
};
use std::ops::Range;

/// Where lines end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Breaks {
    /// At line feeds of the source.
    Source,
    /// Also before the first white space or CJK scalar that follows [`WRAP`] scalars of source, tags included. Words are
    /// never cut.
    Wrapped,
    /// Also behind the end tags of block elements and behind `br`.
    Blocks,
}

/// Length in scalars from which a line is wrapped.
pub(crate) const WRAP: u32 = 65;

/// One line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    /// Tags that begin here.
    pub(crate) tags: u32,
    /// Visible scalars (nc).
    pub(crate) chars: u32,
    /// White gaps between them, also between those of two runs (sp).
    pub(crate) gaps: u32,
    /// Holds neither a tag nor anything but white space.
    pub(crate) is_blank: bool,
    /// Index after the line's last piece.
    piece_end: u32,
}

/// The lines of one page. Made once and refilled.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    all: Vec<Line>,
    pieces: Vec<Stretch>,
    attributes: Attributes,
    decoded: String,
}

impl Lines {
    /// Cuts a page into lines, without the elements of `removal`, which are appended to `removed`, and without the text of the
    /// runs in `dropped` (in order, apart from each other).
    pub(crate) fn fill(
        &mut self,
        page: &Page<'_>,
        removal: &Removal,
        breaks: Breaks,
        dropped: &[Range<u32>],
        removed: &mut Vec<u32>,
    ) {
        self.all.clear();
        self.pieces.clear();
        let mut attributes = std::mem::take(&mut self.attributes);
        let mut tokenizer = Tokenizer::new(page.html());
        let mut place = Place::new(removal);
        let mut cutter = Cutter::new(page, self, breaks);
        let mut text = KeptText { next_run: 0, dropped };
        while let Some(token) = tokenizer.next(&mut attributes) {
            let (span, tag) = match token {
                Token::Text { span, .. } => {
                    let is_kept = place.enter(page, span.start, removed);
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
            if place.enter(page, span.start, removed) {
                cutter.tag(&page.html()[span.start as usize..span.end as usize]);
                let ends_block = match token {
                    Token::End { .. } => tag.is(TagSet::BLOCK),
                    _ => tag == Tag::BR,
                };
                if breaks == Breaks::Blocks && ends_block {
                    cutter.end_line();
                }
            }
            tokenizer.set_foreign(place.is_foreign_after(page, span.end));
        }
        cutter.end_line();
        self.attributes = attributes;
    }

    /// The lines in the order of the source.
    pub(crate) fn all(&self) -> &[Line] {
        &self.all
    }

    /// The pieces of runs on one line.
    pub(crate) fn pieces(&self, line: usize) -> &[Stretch] {
        let start = line.checked_sub(1).map_or(0, |before| self.all[before].piece_end);
        &self.pieces[start as usize..self.all[line].piece_end as usize]
    }

    /// Visible scalars of the page.
    pub(crate) fn chars(&self) -> u32 {
        self.all.iter().map(|line| line.chars).sum()
    }

    /// Adds the text of a line to a selection; lines must be added in order.
    pub(crate) fn select(&self, line: usize, out: &mut Selection) {
        for piece in self.pieces(line) {
            match out.stretches.last_mut() {
                // Neighbours share the white space between them.
                Some(last) if last.run == piece.run && piece.start <= last.end => {
                    last.end = piece.end;
                }
                _ => out.stretches.push(*piece),
            }
        }
    }
}

/// Follows the tree while the source is read.
struct Place<'a> {
    removal: &'a Removal,
    /// The node that opens next.
    next: usize,
    /// The innermost open node.
    current: usize,
    /// Where the removed element ends that was entered last.
    removed_until: u32,
}

impl<'a> Place<'a> {
    fn new(removal: &'a Removal) -> Place<'a> {
        Place { removal, next: 0, current: 0, removed_until: 0 }
    }

    /// Opens the nodes that begin up to `at`, and says whether what stands there is kept.
    fn enter(&mut self, page: &Page<'_>, at: u32, removed: &mut Vec<u32>) -> bool {
        let nodes = page.nodes();
        while let Some(node) = nodes.get(self.next).filter(|node| node.byte_start <= at) {
            if node.byte_start >= self.removed_until && self.removal.removes(node) {
                removed.push(self.next as u32);
                self.removed_until = node.byte_end;
            }
            self.current = self.next;
            self.next += 1;
        }
        at >= self.removed_until
    }

    /// Leaves the nodes that end up to `at`, and says whether `svg` or `math` goes on there. A node is left once.
    fn is_foreign_after(&mut self, page: &Page<'_>, at: u32) -> bool {
        let nodes = page.nodes();
        while self.current > 0 && nodes[self.current].byte_end <= at {
            self.current = nodes[self.current].parent as usize;
        }
        let node = &nodes[self.current];
        node.flags.contains(NodeFlags::FOREIGN)
            && !matches!(node.tag, Tag::FOREIGNOBJECT | Tag::DESC | Tag::TITLE)
    }
}

/// Follows the runs while the source is read.
struct KeptText<'a> {
    next_run: usize,
    dropped: &'a [Range<u32>],
}

impl KeptText<'_> {
    /// The run that begins at `at`, unless there is none or it is dropped.
    fn run_at(&mut self, page: &Page<'_>, at: u32) -> Option<u32> {
        let runs = page.runs();
        while runs.get(self.next_run).is_some_and(|run| run.byte_start < at) {
            self.next_run += 1;
        }
        runs.get(self.next_run).filter(|run| run.byte_start == at)?;
        let run = self.next_run as u32;
        while self.dropped.first().is_some_and(|range| range.end <= run) {
            self.dropped = &self.dropped[1..];
        }
        let is_dropped = self.dropped.first().is_some_and(|range| range.contains(&run));
        (!is_dropped).then_some(run)
    }
}

/// Makes lines of texts and tags.
struct Cutter<'a, 'p> {
    page: &'a Page<'p>,
    lines: &'a mut Lines,
    breaks: Breaks,
    line: Line,
    /// White space stands between the line's last visible scalar and here.
    white: bool,
    /// Scalars of source on the line so far; only kept where lines are wrapped.
    length: u32,
}

impl<'a, 'p> Cutter<'a, 'p> {
    fn new(page: &'a Page<'p>, lines: &'a mut Lines, breaks: Breaks) -> Cutter<'a, 'p> {
        let line = Line { is_blank: true, ..Line::default() };
        Cutter { page, lines, breaks, line, white: false, length: 0 }
    }

    fn end_line(&mut self) {
        self.line.piece_end = self.lines.pieces.len() as u32;
        self.lines.all.push(self.line);
        self.line = Line { is_blank: true, ..Line::default() };
        self.white = false;
        self.length = 0;
    }

    fn tag(&mut self, source: &str) {
        self.line.tags += 1;
        self.line.is_blank = false;
        if self.breaks == Breaks::Wrapped {
            self.length += source.chars().count() as u32;
        }
    }

    /// Adds the text between two places: `run`, or what holds nothing visible or doesn't count.
    fn text(&mut self, start: usize, end: usize, run: Option<u32>) {
        let html = self.page.html();
        // The piece begins with the white space at which the line was broken.
        let (mut piece, mut at) = (start, start);
        loop {
            let next = self.find_break(&html[at..end]);
            let (stop, width) = next.map_or((end, 0), |(offset, width)| (at + offset, width));
            self.line.is_blank = self.line.is_blank && html[at..stop].trim().is_empty();
            match run {
                Some(run) => self.piece(run, at..stop, piece..stop + width),
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

    /// Where the line is broken next in `text`, and the length of the white space there.
    fn find_break(&mut self, text: &str) -> Option<(usize, usize)> {
        if self.breaks != Breaks::Wrapped {
            return text.find('\n').map(|at| (at, 1));
        }
        for (at, c) in text.char_indices() {
            let is_white = c.is_whitespace();
            if c == '\n' || is_white && self.length >= WRAP {
                return Some((at, c.len_utf8()));
            }
            if self.length >= WRAP && is_cjk(c) {
                return Some((at, 0));
            }
            self.length += 1;
        }
        None
    }

    /// Adds a piece of a run to the line: `measured` is what lies on it, `stretch` the same with white space around.
    fn piece(&mut self, index: u32, measured: Range<usize>, stretch: Range<usize>) {
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
            self.white |= text.contains(char::is_whitespace);
            return;
        }
        let (before, after) = outer_white(text);
        let TextCounts { chars, gaps, .. } = counts;
        self.line.gaps += gaps + u32::from(self.line.chars > 0 && (self.white || before));
        self.line.chars += chars;
        self.white = after;
        let (start, end) = (stretch.start as u32, stretch.end as u32);
        self.lines.pieces.push(Stretch { run: index, start, end });
    }

    /// Adds text that doesn't count, but may part words. Its character references are taken for white space.
    fn blank(&mut self, text: &str) {
        self.white = self.white || text.contains(|c: char| c == '&' || c.is_whitespace());
    }
}

/// Whether white space stands before the first and behind the last visible scalar.
fn outer_white(text: &str) -> (bool, bool) {
    let is_outer = |c: &char| matches!(char_class(*c), CharClass::White | CharClass::ZeroWidth);
    (
        text.chars().take_while(is_outer).any(char::is_whitespace),
        text.chars().rev().take_while(is_outer).any(char::is_whitespace),
    )
}

/// Whether a scalar belongs to a script that is written without blanks: CJK ideographs, kana, full-width forms.
pub(crate) fn is_cjk(c: char) -> bool {
    matches!(c, '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FF60}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests;
