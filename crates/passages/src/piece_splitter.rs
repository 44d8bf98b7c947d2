//! Cuts a row into ever smaller pieces.

use crate::kinds::{Kind, Kinds};
use crate::length_meter::LengthMeter;
use crate::level::Level;
use huller_refine::sentences;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// The size of a piece of Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Granularity {
    /// A line with the empty lines after it.
    Row,
    /// A sentence.
    Sentence,
    /// A letter or digit with the text around it up to white space, and the white space after it.
    Word,
    /// A word by UAX #29, with marks of headings, items and cells before it, and white space after
    /// it.
    Segment,
    /// A character as readers see it.
    Grapheme,
    /// A Unicode scalar.
    Scalar,
}

/// Most bytes of marks that belong to the word after them.
const MAX_MARK_BYTES: usize = 12;

impl Granularity {
    /// Returns the next smaller size for pieces of a row of these kinds.
    pub(crate) fn smaller(self, kinds: Kinds) -> Option<Granularity> {
        match self {
            Granularity::Row if kinds.has(Kind::Code) => Some(Granularity::Word),
            Granularity::Row => Some(Granularity::Sentence),
            Granularity::Sentence => Some(Granularity::Word),
            Granularity::Word => Some(Granularity::Segment),
            Granularity::Segment => Some(Granularity::Grapheme),
            Granularity::Grapheme => Some(Granularity::Scalar),
            Granularity::Scalar => None,
        }
    }

    fn level(self) -> Level {
        match self {
            Granularity::Row => Level::LINE,
            Granularity::Sentence => Level::SENTENCE,
            Granularity::Word => Level::WORD,
            Granularity::Segment => Level::SEGMENT,
            Granularity::Grapheme => Level::GRAPHEME,
            Granularity::Scalar => Level::SCALAR,
        }
    }

    /// Returns the end of the first piece of a text that is not empty.
    fn first_piece_end(self, text: &str) -> usize {
        let end = match self {
            Granularity::Row => None,
            Granularity::Sentence => {
                let mut has_letter = false;
                let mut start = 0;
                // A number with a dot is the mark of an item, and a dot in a word may be code.
                sentence_starts(text)
                    .filter(|offset| !text[..*offset].ends_with(is_ascii_mark))
                    .find(|offset| {
                        let piece = &text[std::mem::replace(&mut start, *offset)..*offset];
                        has_letter = has_letter || piece.chars().any(char::is_alphabetic);
                        has_letter
                    })
            }
            Granularity::Word => {
                // Marks of headings and items belong to the word after them.
                let begin = text.find(char::is_alphanumeric);
                let offset_after = |offset: usize, is: fn(char) -> bool| {
                    text[offset..].find(is).map(|distance| offset + distance)
                };
                let white = begin.and_then(|begin| offset_after(begin, char::is_whitespace));
                white.and_then(|white| offset_after(white, |c| !c.is_whitespace()))
            }
            Granularity::Segment => {
                let mut has_started = false;
                let marks = text.bytes().take(MAX_MARK_BYTES);
                let marks = marks.take_while(|byte| b" \t#>-*+|".contains(byte)).count();
                text[marks..]
                    .split_word_bound_indices()
                    .find(|(_, segment)| {
                        let is_white = segment.chars().all(char::is_whitespace);
                        !is_white && std::mem::replace(&mut has_started, true)
                    })
                    .map(|(offset, _)| marks + offset)
            }
            Granularity::Grapheme => text.graphemes(true).next().map(str::len),
            Granularity::Scalar => text.chars().next().map(char::len_utf8),
        };
        end.unwrap_or(text.len())
    }
}

/// Returns the offsets at which sentences begin, without that of the first. A combining mark stays
/// with the scalar before it, so no offset is within a word of UAX #29.
pub(crate) fn sentence_starts(text: &str) -> impl Iterator<Item = usize> {
    sentences::starts(text).filter(|offset| {
        let char_before = text[..*offset].char_indices().next_back();
        let char_after = text[*offset..].chars().next();
        let (Some((start_before, _)), Some(char_after)) = (char_before, char_after) else {
            return true;
        };
        text[start_before..*offset + char_after.len_utf8()].split_word_bounds().nth(1).is_some()
    })
}

fn is_ascii_mark(c: char) -> bool {
    c.is_ascii_punctuation()
}

/// A piece of Markdown that is not cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    /// Byte offset in the Markdown.
    pub(crate) start: usize,
    /// Byte offset after the piece.
    pub(crate) end: usize,
    /// Estimated length, in the unit of the limit.
    pub(crate) estimated_length: u64,
    /// Index of the row in which it begins.
    pub(crate) row: usize,
    /// Quality of a cut before this piece.
    pub(crate) level: Level,
    /// Whether the Markdown may be cut before it.
    pub(crate) may_cut_before: bool,
    pub(crate) granularity: Granularity,
}

/// Cuts a piece into smaller pieces, one by one. Holds the part that is not cut yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PieceSplitter {
    piece: Piece,
    granularity: Granularity,
    has_started: bool,
    /// Offset up to which the pieces so far were measured.
    measured: usize,
}

impl PieceSplitter {
    /// Cuts a piece into pieces of this size.
    pub(crate) fn new(piece: Piece, granularity: Granularity) -> PieceSplitter {
        PieceSplitter { piece, granularity, has_started: false, measured: piece.start }
    }

    /// Cuts the next piece off. A space between two pieces is measured with the second, since
    /// tokens often begin with a space.
    pub(crate) fn next(&mut self, markdown: &str, meter: &LengthMeter) -> Option<Piece> {
        let Range { start, end: limit } = self.piece.start..self.piece.end;
        if start == limit {
            return None;
        }
        let end = start + self.granularity.first_piece_end(&markdown[start..limit]);
        let visible = start + markdown[start..end].trim_end().len();
        let is_space = markdown[visible..end] == *" " && visible >= self.measured;
        let measured = if is_space && end < limit { visible } else { end };
        let size = meter.estimate(markdown, self.measured..measured);
        let level = if self.has_started { self.granularity.level() } else { self.piece.level };
        let is_legal = self.has_started || self.piece.may_cut_before;
        let piece = Piece {
            start,
            end,
            estimated_length: size,
            level,
            may_cut_before: is_legal,
            granularity: self.granularity,
            ..self.piece
        };
        (self.piece.start, self.measured, self.has_started) = (end, measured, true);
        Some(piece)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(granularity: Granularity, text: &str) -> Vec<&str> {
        let meter = LengthMeter::new(None);
        let piece = Piece {
            start: 0,
            end: text.len(),
            estimated_length: 0,
            row: 0,
            level: Level::block(0),
            may_cut_before: false,
            granularity: Granularity::Row,
        };
        let mut splitter = PieceSplitter::new(piece, granularity);
        let pieces: Vec<Piece> = std::iter::from_fn(|| splitter.next(text, &meter)).collect();
        let size: u64 = pieces.iter().map(|piece| piece.estimated_length).sum();
        assert_eq!(size, text.chars().count() as u64);
        assert!(
            pieces
                .iter()
                .skip(1)
                .all(|piece| piece.may_cut_before && piece.level == granularity.level())
        );
        pieces.iter().map(|piece| &text[piece.start..piece.end]).collect()
    }

    #[test]
    fn pieces_have_no_gaps() {
        let text = "1. Wash it. Cut  it!\n";
        assert_eq!(cut(Granularity::Sentence, text), ["1. Wash it. ", "Cut  it!\n"]);
        assert_eq!(
            cut(Granularity::Sentence, "Aa bb.Cc dd. 雨。雪"),
            ["Aa bb.Cc dd. ", "雨。", "雪"]
        );
        assert_eq!(cut(Granularity::Sentence, "雨。\u{301}雪。雨"), ["雨。\u{301}雪。", "雨"]);
        assert_eq!(cut(Granularity::Word, text), ["1. ", "Wash ", "it. ", "Cut  ", "it!\n"]);
        assert_eq!(cut(Granularity::Word, "- # é b"), ["- # é ", "b"]);
        assert_eq!(cut(Granularity::Segment, "  a-b \n"), ["  a", "-b \n"]);
        assert_eq!(cut(Granularity::Segment, "- # a(b)"), ["- # a", "(", "b", ")"]);
        assert_eq!(cut(Granularity::Grapheme, "e\u{301}\r\nx"), ["e\u{301}", "\r\n", "x"]);
        assert_eq!(cut(Granularity::Scalar, "e\u{301}"), ["e", "\u{301}"]);
        assert_eq!(cut(Granularity::Word, "   "), ["   "]);
        assert_eq!(cut(Granularity::Segment, "日本語"), ["日", "本", "語"]);
    }
}
