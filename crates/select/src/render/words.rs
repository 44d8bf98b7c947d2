//! Writes words with their separators: the rules of white space for every writer.
//!
//! Separators are recorded, and written only between two visible scalars, so a text needs no
//! trimming. Of several separators in a row the strongest is written.

use super::copies::{self, Copies};
use super::cut::{TakeWords, cut_into_words, preformatted};
use super::lists::Lists;
use huller_page::Page;
use std::ops::Range;

/// The separator before the next visible scalar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Separator {
    #[default]
    None,
    /// A space if the two sides look like the end and the start of words.
    InlineBoundary,
    /// As `InlineBoundary`, but between two links, or two pieces of code.
    Alike,
    /// A space.
    Space,
    /// A line break in a block.
    Break,
    /// The border of a block.
    Block,
}

/// Largest number of empty lines in a row that preformatted text keeps.
const MAX_EMPTY_LINES: usize = 2;

/// A text that is being written, and its lines that may be copies.
pub(super) struct WordWriter<'a> {
    out: &'a mut String,
    /// Length of `out` before this text.
    start: usize,
    pending: Separator,
    /// Number of tabs after the separator.
    tabs: u32,
    /// Number of line breaks since the last words.
    breaks: u32,
    keeps_empty_lines: bool,
    verse: Verse,
    lists: Option<&'a mut Lists>,
    line: LineInProgress,
    /// The line before, if it was a block and may have a copy.
    before: Option<copies::Line>,
    copies: Option<(&'a Page<'a>, &'a mut Copies)>,
}

/// The state of verse: lines that line breaks separate, not blocks.
#[derive(Clone, Copy, Debug, Default)]
struct Verse {
    /// Whether the present block has such lines.
    has_lines: bool,
    /// Whether a paragraph of such lines ended and no words have followed.
    has_ended: bool,
    /// Whether the next words begin a paragraph. After a paragraph of such lines they begin another
    /// stanza.
    begins_paragraph: bool,
}

/// The line that is being written.
#[derive(Clone, Debug, Default)]
struct LineInProgress {
    /// Offset in the output of the line break before it.
    cut: usize,
    /// Offset in the output of its first words, after the marks of lists.
    start: usize,
    /// The runs that the line is made of.
    runs: Range<u32>,
    /// Whether the line begins a block.
    begins_block: bool,
    /// Whether the line is kept even if an earlier line equals it.
    is_exempt: bool,
    /// The separator between this line and the line before.
    mark: Separator,
    /// The state of verse before it.
    verse: Verse,
}

impl<'a> WordWriter<'a> {
    /// Returns a writer that appends to `out`.
    pub(super) fn new(out: &'a mut String) -> WordWriter<'a> {
        let start = out.len();
        WordWriter {
            out,
            start,
            pending: Separator::None,
            tabs: 0,
            breaks: 0,
            keeps_empty_lines: false,
            verse: Verse::default(),
            lists: None,
            line: LineInProgress {
                cut: start,
                start,
                begins_block: true,
                ..LineInProgress::default()
            },
            before: None,
            copies: None,
        }
    }

    /// Leaves out lines of this page that are copies.
    pub(super) fn find_copies(&mut self, page: &'a Page<'a>, copies: Option<&'a mut Copies>) {
        self.copies = copies.map(|copies| (page, copies));
    }

    /// Writes the marks of lists.
    pub(super) fn mark_lists(&mut self, lists: &'a mut Lists) {
        self.lists = Some(lists);
    }

    /// Keeps empty lines between stanzas and in preformatted text.
    pub(super) fn keep_empty_lines(&mut self) {
        self.keeps_empty_lines = true;
    }

    /// Returns the text so far.
    pub(super) fn text(&self) -> &str {
        &self.out[self.start..]
    }

    /// Records a separator.
    #[inline]
    pub(super) fn mark(&mut self, separator: Separator) {
        self.pending = self.pending.max(separator);
    }

    /// Records a line break in a block.
    pub(super) fn line_break(&mut self) {
        self.mark(Separator::Break);
        self.breaks += 1;
    }

    /// Records the start of a block. If it is a paragraph after one of verse, it may be another
    /// stanza.
    pub(super) fn begin_block(&mut self, is_paragraph: bool) {
        self.mark(Separator::Block);
        self.verse.begins_paragraph = is_paragraph;
    }

    /// Records the end of a block. For a paragraph, `began` is the length of the text where it
    /// began.
    pub(super) fn end_block(&mut self, began: Option<usize>) {
        self.mark(Separator::Block);
        // If its last line is a copy, the block ends without it.
        self.end_line();
        self.verse.begins_paragraph = false;
        self.verse.has_ended |=
            began.is_some_and(|began| self.verse.has_lines && self.text().len() > began);
    }

    /// Returns the marks of lists, if they are written, and the length of the output.
    pub(super) fn lists(&mut self) -> Option<(&mut Lists, usize)> {
        let len = self.out.len();
        self.lists.as_deref_mut().map(|lists| (lists, len))
    }

    /// Begins a row: a line of its own, whose first cell has no tab before it. Returns the length
    /// of the output.
    pub(super) fn begin_row(&mut self) -> usize {
        self.mark(Separator::Block);
        self.tabs = 0;
        self.out.len()
    }

    /// Begins a cell that is not the first of its row.
    pub(super) fn next_cell(&mut self) {
        if self.pending < Separator::Break {
            self.pending = Separator::None;
        }
        self.tabs += 1;
    }

    /// Ends a row that began at this length of the output. If the row has text, its empty cells at
    /// the end count too.
    pub(super) fn end_row(&mut self, began: usize) {
        if self.out.len() > began {
            (0..self.tabs).for_each(|_| self.out.push('\t'));
        }
        self.tabs = 0;
        self.pending = Separator::Block;
    }

    /// Returns the last scalar, if no separator has been recorded since.
    pub(super) fn last(&self) -> Option<char> {
        let is_apart = self.pending > Separator::Alike || self.tabs > 0;
        if is_apart { None } else { self.out[self.start..].chars().next_back() }
    }

    /// Begins the text of a run. Lines with `is_exempt` runs are never copies.
    #[inline]
    pub(super) fn begin_run(&mut self, run: u32, is_exempt: bool) {
        if self.pending >= Separator::Break {
            self.end_line();
            self.line.runs = run..run;
        }
        self.line.runs.end = run + 1;
        self.line.is_exempt |= is_exempt;
    }

    /// Ends the text.
    pub(super) fn finish(&mut self) {
        self.pending = Separator::Block;
        self.end_line();
    }

    /// Ends the present line if it has text, and removes it if it is a copy.
    fn end_line(&mut self) {
        if self.out.len() == self.line.start {
            return;
        }
        let LineInProgress { cut, start, runs, begins_block, is_exempt, mark, verse } =
            self.line.clone();
        let is_block = begins_block && self.pending == Separator::Block;
        if let Some((page, copies)) = &mut self.copies {
            let line = copies::Line { place: start..self.out.len(), runs };
            let previous = self.before.take().filter(|_| is_block);
            if !is_exempt && copies.leaves_out(page, self.out, &line, previous.as_ref()) {
                // The line break before it is removed too. The next line gets the separator of this
                // one.
                self.out.truncate(cut);
                self.verse = verse;
                self.mark(mark);
                self.before = previous;
            } else {
                self.before = (is_block && !is_exempt).then_some(line);
            }
        }
        let end = self.out.len();
        (self.line.cut, self.line.start) = (end, end);
        self.line.is_exempt = false;
        self.line.begins_block = self.pending == Separator::Block;
    }

    /// Writes words with single spaces between them: all white space is the same.
    pub(super) fn write(&mut self, text: &str, range: Range<usize>) {
        cut_into_words(text, range, self);
    }

    /// Writes preformatted text and keeps its white space. White space before a visible scalar
    /// waits in `gap` until that scalar comes. `is_begun` is whether the preformatted element has
    /// had a visible scalar.
    pub(super) fn put_preformatted(&mut self, text: &str, gap: &mut String, is_begun: &mut bool) {
        let last_before = self.last().filter(|_| gap.is_empty());
        preformatted(text, last_before, |words, blank| {
            self.preformatted_words(words, gap, is_begun);
            gap.push_str(blank);
        });
    }

    fn preformatted_words(&mut self, words: &str, gap: &mut String, is_begun: &mut bool) {
        if words.is_empty() {
            return;
        }
        if std::mem::replace(is_begun, true) {
            if self.pending >= Separator::Break && !gap.contains('\n') {
                self.out.push('\n');
            }
            self.pending = Separator::None;
            match gap.rfind('\n') {
                Some(at) => {
                    let empty = gap.bytes().filter(|byte| *byte == b'\n').count() - 1;
                    let empty = if self.keeps_empty_lines { empty.min(MAX_EMPTY_LINES) } else { 0 };
                    (0..empty).for_each(|_| self.out.push('\n'));
                    self.out.push_str(&gap[at..]);
                }
                None => self.out.push_str(gap),
            }
        } else {
            // Blank lines before the first line are not text, but its indentation is.
            let at_line_start = self.pending >= Separator::Break || self.out.len() == self.start;
            let last_break = gap.rfind('\n').map(|at| at + 1);
            if last_break.is_some() && !at_line_start {
                self.mark(Separator::Break);
            }
            if at_line_start || last_break.is_some() {
                self.write_separator("", true);
                self.out.push_str(&gap[last_break.unwrap_or(0)..]);
            } else {
                if !gap.is_empty() {
                    self.mark(Separator::Space);
                }
                self.write_separator("", true);
            }
        }
        gap.clear();
        self.out.push_str(words);
    }

    /// Writes words whose spaces need no care, after the separator before them.
    #[inline]
    pub(super) fn words(&mut self, words: &str) {
        if words.is_empty() {
            return;
        }
        if self.pending != Separator::None || self.tabs > 0 {
            self.write_separator(words, false);
        }
        self.out.push_str(words);
    }

    /// Writes a closing bracket directly after the words before.
    pub(super) fn close_bracket(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        self.out.push(')');
        self.mark(pending);
    }

    /// Writes the recorded separator before these words.
    fn write_separator(&mut self, next_words: &str, is_preformatted: bool) {
        let is_first = self.out.len() == self.start;
        let breaks = std::mem::take(&mut self.breaks);
        match std::mem::replace(&mut self.pending, Separator::None) {
            mark @ (Separator::Break | Separator::Block) => {
                let verse = self.verse;
                let is_stanza = self.begins_stanza(mark, breaks) && !is_first;
                if !is_first {
                    self.out.push_str(if is_stanza { "\n\n" } else { "\n" });
                }
                if let Some(lists) = &mut self.lists {
                    lists.begin_line(is_preformatted, self.out);
                }
                (self.line.mark, self.line.verse, self.line.start) = (mark, verse, self.out.len());
            }
            Separator::Space if !is_first && self.tabs == 0 => self.out.push(' '),
            mark @ (Separator::InlineBoundary | Separator::Alike)
                if !is_first && self.tabs == 0 =>
            {
                let chars_before = self.out[self.start..].chars().rev();
                if are_apart(chars_before, next_words, mark == Separator::Alike) {
                    self.out.push(' ');
                }
            }
            _ => {}
        }
        (0..std::mem::take(&mut self.tabs)).for_each(|_| self.out.push('\t'));
    }

    /// Returns whether a line has an empty line before it. The border of a block or `breaks` line
    /// breaks separate it from the line before.
    fn begins_stanza(&mut self, separator: Separator, breaks: u32) -> bool {
        let Verse { has_lines, has_ended, begins_paragraph } = self.verse;
        let is_in_block = separator == Separator::Break;
        let is_stanza =
            if is_in_block { has_lines && breaks > 1 } else { has_ended && begins_paragraph };
        // Lines that only double breaks separate are paragraphs, not lines of verse.
        let has_lines = is_in_block && (has_lines || breaks < 2);
        self.verse = Verse { has_lines, has_ended: false, begins_paragraph: false };
        is_stanza && self.keeps_empty_lines
    }
}

impl TakeWords for WordWriter<'_> {
    #[inline]
    fn words(&mut self, words: &str) {
        WordWriter::words(self, words);
    }

    #[inline]
    fn white_space(&mut self) {
        self.mark(Separator::Space);
    }

    fn last(&self) -> Option<char> {
        WordWriter::last(self)
    }
}

/// Returns whether two texts that meet between two inline elements end and begin words of their
/// own. Browsers show such elements apart by style sheets, which are not read here.
///
/// The rules were counted on crawled pages beside texts made by hand. After a lower-case letter, a
/// capital or a digit began a new word in 97 of 100 cases. After a digit, a letter or a digit did
/// in
/// 90. Two words in lower case in two links are mostly two words; otherwise they are mostly one
///     word in pieces.
///
/// `chars_before` yields the scalars of the first text from its end on.
pub(super) fn are_apart(
    chars_before: impl Iterator<Item = char> + Clone,
    next_words: &str,
    are_alike: bool,
) -> bool {
    let (Some(last_char), Some(first_char)) =
        (chars_before.clone().next(), next_words.chars().next())
    else {
        return false;
    };
    let is_cjk = huller_page::unspaced::is_cjk;
    if is_cjk(last_char) || is_cjk(first_char) {
        return false;
    }
    if last_char.is_lowercase() && first_char.is_lowercase() {
        /// Letters of a word; an ending (`Scam`, `s`) is shorter.
        const MIN_WORD_LETTERS: usize = 3;
        let is_word = |mut scalars: &mut dyn Iterator<Item = char>| {
            (&mut scalars).take(MIN_WORD_LETTERS).filter(|c| c.is_alphanumeric()).count()
                == MIN_WORD_LETTERS
        };
        return are_alike && is_word(&mut chars_before.clone()) && is_word(&mut next_words.chars());
    }
    if last_char.is_lowercase() {
        return first_char.is_uppercase() || first_char.is_numeric();
    }
    if last_char.is_uppercase() && first_char.is_uppercase() {
        // A single capital before is the first letter of a word, set larger.
        return chars_before.take(2).filter(|c| c.is_alphabetic()).count() == 2;
    }
    if last_char.is_numeric() {
        return first_char.is_alphanumeric();
    }
    matches!(last_char, '.' | '!' | '?' | ')' | '%') && first_char.is_uppercase()
}
