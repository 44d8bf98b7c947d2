//! Finds the parts of a page's text that correspond to parts of its Markdown.
//!
//! Text and Markdown hold the same words in the same order. They differ in markup, addresses of
//! links, images, and lines that a stage has removed from one of them. The aligner walks over both
//! and skips what is no letter or digit in one of them alone. Where letters differ, it gives up the
//! row of the Markdown. It goes on with the next row of which the first letters begin a later line
//! of the text.
//!
//! Cost: O(n log n) for n bytes. Each row is looked up at most twice.

use crate::document::{Document, Row, RowFlag};
use crate::inline::Links;
use crate::kinds::Kind;
use std::ops::Range;

/// A part of a text, in Unicode scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Aligned {
    pub(crate) start: u64,
    pub(crate) end: u64,
}

impl Aligned {
    /// Adds a later part to a part that may be empty.
    fn extend(aligned: &mut Option<Aligned>, start: u64, end: u64) {
        match aligned {
            Some(aligned) => aligned.end = end,
            None => *aligned = Some(Aligned { start, end }),
        }
    }
}

/// Aligns parts of Markdown with a text. It owns its buffers.
#[derive(Debug, Default)]
pub(crate) struct Aligner {
    aligned: Vec<Option<Aligned>>,
    /// Starts and ends of the parts, ascending.
    bounds: Vec<usize>,
    /// The part of the text that was found between each bound and the next.
    found: Vec<Option<Aligned>>,
    lines: TextLines,
}

impl Aligner {
    /// Returns what corresponds to the part of this number, if any word of it was found.
    pub(crate) fn get(&self, part_index: usize) -> Option<Aligned> {
        self.aligned.get(part_index).copied().flatten()
    }

    /// Aligns parts of the Markdown, whose starts and ends ascend, with a text.
    pub(crate) fn align(
        &mut self,
        markdown: &str,
        document: &Document,
        parts: impl Iterator<Item = Range<usize>> + Clone,
        text: &str,
    ) {
        self.aligned.clear();
        self.lines.clear();
        if text.is_empty() {
            return;
        }
        self.bounds.clear();
        self.bounds.extend(parts.clone().flat_map(|part| [part.start, part.end]));
        self.bounds.sort_unstable();
        self.bounds.dedup();
        self.found.clear();
        self.found.resize(self.bounds.len(), None);
        let mut walk = Walk {
            markdown,
            text,
            lines: &mut self.lines,
            links: Links::new(markdown.len()),
            bounds: &self.bounds,
            found: &mut self.found,
            part: 0,
            at: 0,
            scalars: 0,
            is_aligned: true,
        };
        for (index, row) in document.rows.iter().enumerate() {
            if !row.has(RowFlag::Markup) {
                walk.align_row(row, document.start(index + 1));
            }
        }
        for part in parts {
            let index = |at: usize| self.bounds.partition_point(|bound| *bound < at);
            let mut aligned = None;
            for span in self.found[index(part.start)..index(part.end)].iter().flatten() {
                Aligned::extend(&mut aligned, span.start, span.end);
            }
            self.aligned.push(aligned);
        }
    }
}

/// Most letters that identify a line.
const MAX_KEY_LETTERS: usize = 12;

/// Fewest letters of a line that is looked for.
const MIN_LINE_LETTERS: usize = 3;

/// Most lines before a line that has fewer than [`MAX_KEY_LETTERS`] letters.
const MAX_SHORT_LINE_DISTANCE: usize = 4;

/// Most scalars of the text that are skipped for one row of the Markdown.
const MAX_SKIPPED_CHARS: usize = 64;

/// The lines of a text by their first letters.
#[derive(Debug, Default)]
struct TextLines {
    /// Start of each line in bytes and in scalars.
    starts: Vec<(usize, u64)>,
    /// Digest of the first letters, number of these letters, and index of the line. Ascending.
    keys: Vec<(u64, usize, usize)>,
}

impl TextLines {
    fn clear(&mut self) {
        self.starts.clear();
        self.keys.clear();
        self.starts.shrink_to(1 << 12);
        self.keys.shrink_to(1 << 12);
    }

    /// Reads the lines of the text if that has not been done.
    fn read_lines(&mut self, text: &str) {
        if !self.starts.is_empty() {
            return;
        }
        let (mut offset, mut scalars) = (0, 0);
        for line in text.split_inclusive('\n') {
            let (digest, letters) = line_key(line.chars());
            if letters > 0 {
                self.keys.push((digest, letters, self.starts.len()));
            }
            self.starts.push((offset, scalars));
            offset += line.len();
            scalars += line.chars().count() as u64;
        }
        self.keys.sort_unstable();
    }

    /// Returns the first line that begins with these letters, and has no letter before the offset
    /// `offset` in the text.
    fn find_line(
        &self,
        text: &str,
        offset: usize,
        (digest, letters): (u64, usize),
    ) -> Option<(usize, u64)> {
        let next_line = self.starts.partition_point(|(start, _)| *start < offset);
        // The offset may be after the first marks of a line.
        let has_letter = |line: usize| {
            let line_start = &text[self.starts[line].0..offset];
            line_start.len() > MAX_SKIPPED_CHARS || line_start.contains(char::is_alphanumeric)
        };
        let first_line =
            if next_line == 0 || has_letter(next_line - 1) { next_line } else { next_line - 1 };
        let index = self.keys.partition_point(|key| *key < (digest, letters, first_line));
        let (_, _, line) =
            self.keys.get(index).filter(|key| (key.0, key.1) == (digest, letters))?;
        let nearest = next_line.saturating_sub(1);
        (letters == MAX_KEY_LETTERS || line - nearest <= MAX_SHORT_LINE_DISTANCE)
            .then(|| self.starts[*line])
    }
}

/// Returns a digest of the first letters and digits, and their number.
fn line_key(scalars: impl Iterator<Item = char>) -> (u64, usize) {
    let letters = scalars.filter(|c| c.is_alphanumeric()).take(MAX_KEY_LETTERS);
    letters.fold((0, 0), |(digest, count), c| {
        let digest = (digest ^ u64::from(u32::from(c))).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (digest.rotate_left(29), count + 1)
    })
}

/// Whether a byte may be compared without regard to markup.
static PLAIN: [bool; 128] = {
    let mut table = [true; 128];
    let mut index = 0;
    let special = b"\\[]!\n\r";
    while index < special.len() {
        table[special[index] as usize] = false;
        index += 1;
    }
    table
};

/// A walk over Markdown and text.
struct Walk<'a> {
    markdown: &'a str,
    text: &'a str,
    lines: &'a mut TextLines,
    links: Links,
    bounds: &'a [usize],
    found: &'a mut [Option<Aligned>],
    /// Index of the last bound at or before the place in the Markdown.
    part: usize,
    /// The place in the text, in bytes.
    at: usize,
    /// The same place in scalars.
    scalars: u64,
    /// Whether both places belong together.
    is_aligned: bool,
}

impl Walk<'_> {
    /// Aligns a row.
    fn align_row(&mut self, row: &Row, end: usize) {
        let is_code = row.kinds.has(Kind::Code);
        let number = if is_code { 0 } else { marks_before_number(&self.markdown[row.start..end]) };
        let starts = [row.start, row.start + number];
        let start_position = (self.part, self.at, self.scalars);
        // The number of an item may be missing in the text.
        if self.is_aligned {
            let mut next = self.text[self.at..].chars().take(MAX_SKIPPED_CHARS);
            let next = next.find(|c| c.is_alphanumeric());
            let start = usize::from(!next.is_some_and(|c| c.is_ascii_digit()));
            let previous_span = self.found.get(self.part).copied();
            if self.run(starts[start], end, is_code) != Run::Differs {
                return;
            }
            // The few letters before the difference were equal by chance.
            if let Some([span, later_spans @ ..]) = self.found.get_mut(start_position.0..=self.part)
            {
                *span = previous_span.flatten();
                later_spans.fill(None);
            }
            (self.part, self.at, self.scalars) = start_position;
        }
        self.is_aligned = false;
        for start in starts {
            if self.seek_line(start, end) {
                self.is_aligned = self.run(start, end, is_code) == Run::Ends;
                return;
            }
        }
    }

    /// Moves the place in the text to the line that begins with the row's first letters. Returns
    /// whether there is one.
    fn seek_line(&mut self, start: usize, end: usize) -> bool {
        self.lines.read_lines(self.text);
        let mut offset = start;
        let markdown = self.markdown;
        let links = &mut self.links;
        let letters = std::iter::from_fn(|| {
            let bytes = markdown.as_bytes();
            offset = links
                .image_end(bytes, offset)
                .or_else(|| links.end(bytes, offset))
                .unwrap_or(offset);
            let c = markdown[offset.min(end)..end].chars().next()?;
            offset += c.len_utf8();
            Some(c)
        });
        let key = line_key(letters);
        let line = (key.1 >= MIN_LINE_LETTERS)
            .then(|| self.lines.find_line(self.text, self.at, key))
            .flatten();
        if let Some((offset, scalars)) = line {
            (self.at, self.scalars) = (offset, scalars);
        }
        line.is_some()
    }

    /// Compares the Markdown up to `end` with the text.
    fn run(&mut self, mut start: usize, end: usize, is_code: bool) -> Run {
        let (markdown, text) = (self.markdown.as_bytes(), self.text.as_bytes());
        let (mut letters, mut skipped) = (0, 0);
        while start < end {
            while self.bounds.get(self.part + 1).is_some_and(|bound| *bound <= start) {
                self.part += 1;
            }
            let limit = self.bounds.get(self.part + 1).map_or(end, |bound| *bound.min(&end));
            let pairs = markdown[start..limit].iter().zip(&text[self.at..]);
            let equal = pairs
                .take_while(|(left, right)| {
                    left == right && left.is_ascii() && PLAIN[usize::from(**left)]
                })
                .count();
            if equal > 0 {
                self.note_ascii(&text[self.at..self.at + equal]);
                letters += equal;
                start += equal;
                self.at += equal;
                self.scalars += equal as u64;
                continue;
            }
            let Some(c) = self.markdown[start..].chars().next() else { break };
            let text_char = self.text[self.at..].chars().next();
            if text_char == Some(c) && c != '[' && c != ']' && c != '!' && c != '\\' {
                if !c.is_whitespace() {
                    self.note_ascii(b"x");
                    letters += 1;
                }
                self.skip_char(c);
                start += c.len_utf8();
            } else if !c.is_alphanumeric() {
                let end_of_link = match c {
                    ']' if !is_code => self.links.end(markdown, start),
                    '!' if !is_code => self.links.image_end(markdown, start),
                    _ => None,
                };
                start = end_of_link.unwrap_or(start + c.len_utf8());
                if end_of_link.is_none() && text_char == Some(c) && c != '\\' {
                    self.skip_char(c);
                }
            } else {
                match text_char {
                    Some(other) if !other.is_alphanumeric() && skipped < MAX_SKIPPED_CHARS => {
                        self.skip_char(other);
                        skipped += 1;
                    }
                    _ if letters < MAX_KEY_LETTERS => return Run::Differs,
                    _ => {
                        self.is_aligned = false;
                        return Run::EndsEarly;
                    }
                }
            }
        }
        Run::Ends
    }

    /// Moves over a scalar of the text.
    fn skip_char(&mut self, c: char) {
        self.at += c.len_utf8();
        self.scalars += 1;
    }

    /// Notes that ASCII text at the place belongs to the part.
    fn note_ascii(&mut self, equal: &[u8]) {
        let blank_bytes = equal.iter().take_while(|byte| byte.is_ascii_whitespace()).count() as u64;
        let length = equal.trim_ascii_end().len() as u64;
        if length > blank_bytes
            && let Some(span) = self.found.get_mut(self.part)
        {
            Aligned::extend(span, self.scalars + blank_bytes, self.scalars + length);
        }
    }
}

/// The end of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Run {
    /// The row is in the text.
    Ends,
    /// Only its start is in the text.
    EndsEarly,
    /// It is not in the text.
    Differs,
}

/// Returns the bytes of the marks at the start of a row up to the number of an item, or 0.
fn marks_before_number(row: &str) -> usize {
    let marks = row.bytes().take(64).take_while(|byte| b" \t>-*+".contains(byte)).count();
    let digits = row[marks..].bytes().take(10).take_while(u8::is_ascii_digit).count();
    let is_number = digits > 0 && row[marks + digits..].starts_with(['.', ')']);
    if is_number { marks + digits + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scanner;

    /// Returns the parts of the text for parts of the Markdown that end at these offsets.
    fn aligned(markdown: &str, ends: &[usize], text: &str) -> Vec<Option<String>> {
        let mut document = Document::default();
        scanner::scan(markdown, &mut scanner::Scratch::default(), &mut document);
        let starts = [0].into_iter().chain(ends.iter().copied());
        let parts = starts.zip(ends.iter().copied()).map(|(start, end)| start..end);
        let mut aligner = Aligner::default();
        aligner.align(markdown, &document, parts, text);
        (0..ends.len())
            .map(|part| {
                let Aligned { start, end } = aligner.get(part)?;
                Some(text.chars().skip(start as usize).take((end - start) as usize).collect())
            })
            .collect()
    }

    #[test]
    fn markup_is_skipped() {
        let markdown = "# Títle\n\n- a **b** [link](http://x.y/z) `c`.\n- é \\* f\n";
        let text = "Títle\na b link c.\né * f";
        let ends = [markdown.find("- a").unwrap(), markdown.find("- é").unwrap(), markdown.len()];
        let found = aligned(markdown, &ends, text);
        assert_eq!(found, ["Títle", "a b link c.", "é * f"].map(|part| Some(part.to_owned())));
    }

    #[test]
    fn a_part_may_end_within_a_line() {
        let markdown = "One two. *Three* four.";
        let found = aligned(markdown, &[9, markdown.len()], "One two. Three four.");
        assert_eq!(found, [Some("One two.".to_owned()), Some("Three four.".to_owned())]);
    }

    #[test]
    fn lines_may_be_missing_on_both_sides() {
        let markdown =
            "Same line here\n\n![picture of rain](a.png)\n\nOnly in Markdown\n\nAnother line\n";
        let text = "Same line here\nOnly in the text\nAnother line";
        let ends =
            [14, markdown.find("Only").unwrap(), markdown.find("Another").unwrap(), markdown.len()];
        let found = aligned(markdown, &ends, text);
        assert_eq!(found[0].as_deref(), Some("Same line here"));
        assert_eq!(found[1], None);
        assert_eq!(found[3].as_deref(), Some("Another line"));
        assert_eq!(aligned("abc", &[3], "xyz"), [None]);
        assert_eq!(aligned("abc", &[3], ""), [None]);
    }

    #[test]
    fn a_line_is_not_found_again_after_its_letters() {
        let markdown = "Rain fell on the hills. Then it stopped\n\nxyz\n\nRain fell on the hills\n";
        let ends = [24, markdown.len()];
        let found = aligned(markdown, &ends, "Rain fell on the hills. Then it stopped");
        assert_eq!(
            found,
            ["Rain fell on the hills.", "Then it stopped"].map(|a| Some(a.to_owned()))
        );
        // A mark of the line is no letter.
        let found = aligned("\\*\n\nxyz\n\nRain fell\n", &[4, 9, 19], "* Rain fell");
        assert_eq!(found, ["*", "", "Rain fell"].map(|a| (!a.is_empty()).then(|| a.to_owned())));
    }

    #[test]
    fn few_letters_that_are_equal_by_chance_count_in_no_part() {
        let found = aligned("abc def\n\nRain fell\n", &[4, 9, 19], "abc dxx\nRain fell");
        assert_eq!(found, [None, None, Some("Rain fell".to_owned())]);
    }

    #[test]
    fn numbers_of_items_may_be_missing_in_the_text() {
        let found = aligned("1. Wash\n2. Cut\n", &[8, 15], "Wash\nCut");
        assert_eq!(found, [Some("Wash".to_owned()), Some("Cut".to_owned())]);
        let found = aligned("1. Wash\n2. Cut\n", &[8, 15], "1. Wash\n2. Cut");
        assert_eq!(found, [Some("1. Wash".to_owned()), Some("2. Cut".to_owned())]);
    }
}
