//! Cuts a row into ever smaller pieces.

use crate::kinds::{Kind, Kinds};
use crate::level::Level;
use crate::ruler::Ruler;
use huller_refine::sentences;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// The size of a piece of Markdown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Grain {
    Row,
    Sentence,
    /// A letter or digit with the text around it up to white space, and the white space after it.
    Word,
    /// A word by UAX #29, with marks of headings, items and cells before it, and white space after
    /// it.
    Segment,
    Grapheme,
    Scalar,
}

/// Most bytes of marks that belong to the word after them.
const LONGEST_MARKS: usize = 12;

impl Grain {
    /// Returns the next smaller size for pieces of a row of these kinds.
    pub(crate) fn smaller(self, kinds: Kinds) -> Option<Grain> {
        match self {
            Grain::Row if kinds.has(Kind::Code) => Some(Grain::Word),
            Grain::Row => Some(Grain::Sentence),
            Grain::Sentence => Some(Grain::Word),
            Grain::Word => Some(Grain::Segment),
            Grain::Segment => Some(Grain::Grapheme),
            Grain::Grapheme => Some(Grain::Scalar),
            Grain::Scalar => None,
        }
    }

    fn level(self) -> Level {
        match self {
            Grain::Row => Level::LINE,
            Grain::Sentence => Level::SENTENCE,
            Grain::Word => Level::WORD,
            Grain::Segment => Level::SEGMENT,
            Grain::Grapheme => Level::GRAPHEME,
            Grain::Scalar => Level::SCALAR,
        }
    }

    /// Returns the end of the first piece of a text that is not empty.
    fn end(self, text: &str) -> usize {
        let end = match self {
            Grain::Row => None,
            Grain::Sentence => {
                let mut has_letter = false;
                let mut start = 0;
                // A number with a dot is the mark of an item, and a dot in a word may be code.
                sentence_starts(text).filter(|at| !text[..*at].ends_with(is_ascii_mark)).find(
                    |at| {
                        let piece = &text[std::mem::replace(&mut start, *at)..*at];
                        has_letter = has_letter || piece.chars().any(char::is_alphabetic);
                        has_letter
                    },
                )
            }
            Grain::Word => {
                // Marks of headings and items belong to the word after them.
                let begin = text.find(char::is_alphanumeric);
                let after = |at: usize, is: fn(char) -> bool| text[at..].find(is).map(|to| at + to);
                let white = begin.and_then(|begin| after(begin, char::is_whitespace));
                white.and_then(|white| after(white, |c| !c.is_whitespace()))
            }
            Grain::Segment => {
                let mut is_begun = false;
                let marks = text.bytes().take(LONGEST_MARKS);
                let marks = marks.take_while(|byte| b" \t#>-*+|".contains(byte)).count();
                text[marks..]
                    .split_word_bound_indices()
                    .find(|(_, segment)| {
                        let is_white = segment.chars().all(char::is_whitespace);
                        !is_white && std::mem::replace(&mut is_begun, true)
                    })
                    .map(|(at, _)| marks + at)
            }
            Grain::Grapheme => text.graphemes(true).next().map(str::len),
            Grain::Scalar => text.chars().next().map(char::len_utf8),
        };
        end.unwrap_or(text.len())
    }
}

/// Returns the offsets at which sentences begin, without that of the first. A combining mark stays
/// with the scalar before it, so no offset is within a word of UAX #29.
pub(crate) fn sentence_starts(text: &str) -> impl Iterator<Item = usize> {
    sentences::starts(text).filter(|at| {
        let before = text[..*at].char_indices().next_back();
        let after = text[*at..].chars().next();
        let (Some((from, _)), Some(after)) = (before, after) else { return true };
        text[from..*at + after.len_utf8()].split_word_bounds().nth(1).is_some()
    })
}

fn is_ascii_mark(c: char) -> bool {
    c.is_ascii_punctuation()
}

/// A piece of Markdown that is not cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Estimate of its measure.
    pub(crate) size: u64,
    pub(crate) row: usize,
    /// How good a cut before it is.
    pub(crate) level: Level,
    /// Whether the Markdown may be cut before it.
    pub(crate) is_legal: bool,
    pub(crate) grain: Grain,
}

/// The rest of a piece that is cut into smaller ones, one by one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rest {
    piece: Piece,
    grain: Grain,
    is_begun: bool,
    /// Offset up to which the pieces so far were measured.
    measured: usize,
}

impl Rest {
    /// Cuts a piece into pieces of this size.
    pub(crate) fn new(piece: Piece, grain: Grain) -> Rest {
        Rest { piece, grain, is_begun: false, measured: piece.start }
    }

    /// Cuts the next piece off. A space between two pieces is measured with the second, since
    /// tokens often begin with a space.
    pub(crate) fn next(&mut self, markdown: &str, ruler: &Ruler) -> Option<Piece> {
        let Range { start, end: limit } = self.piece.start..self.piece.end;
        if start == limit {
            return None;
        }
        let end = start + self.grain.end(&markdown[start..limit]);
        let visible = start + markdown[start..end].trim_end().len();
        let is_space = markdown[visible..end] == *" " && visible >= self.measured;
        let measured = if is_space && end < limit { visible } else { end };
        let size = ruler.estimate(markdown, self.measured..measured);
        let level = if self.is_begun { self.grain.level() } else { self.piece.level };
        let is_legal = self.is_begun || self.piece.is_legal;
        let piece = Piece { start, end, size, level, is_legal, grain: self.grain, ..self.piece };
        (self.piece.start, self.measured, self.is_begun) = (end, measured, true);
        Some(piece)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(grain: Grain, text: &str) -> Vec<&str> {
        let ruler = Ruler::new(None);
        let piece = Piece {
            start: 0,
            end: text.len(),
            size: 0,
            row: 0,
            level: Level::block(0),
            is_legal: false,
            grain: Grain::Row,
        };
        let mut rest = Rest::new(piece, grain);
        let pieces: Vec<Piece> = std::iter::from_fn(|| rest.next(text, &ruler)).collect();
        let size: u64 = pieces.iter().map(|piece| piece.size).sum();
        assert_eq!(size, text.chars().count() as u64);
        assert!(pieces.iter().skip(1).all(|piece| piece.is_legal && piece.level == grain.level()));
        pieces.iter().map(|piece| &text[piece.start..piece.end]).collect()
    }

    #[test]
    fn pieces_have_no_gaps() {
        let text = "1. Wash it. Cut  it!\n";
        assert_eq!(cut(Grain::Sentence, text), ["1. Wash it. ", "Cut  it!\n"]);
        assert_eq!(cut(Grain::Sentence, "Aa bb.Cc dd. 雨。雪"), ["Aa bb.Cc dd. ", "雨。", "雪"]);
        assert_eq!(cut(Grain::Sentence, "雨。\u{301}雪。雨"), ["雨。\u{301}雪。", "雨"]);
        assert_eq!(cut(Grain::Word, text), ["1. ", "Wash ", "it. ", "Cut  ", "it!\n"]);
        assert_eq!(cut(Grain::Word, "- # é b"), ["- # é ", "b"]);
        assert_eq!(cut(Grain::Segment, "  a-b \n"), ["  a", "-b \n"]);
        assert_eq!(cut(Grain::Segment, "- # a(b)"), ["- # a", "(", "b", ")"]);
        assert_eq!(cut(Grain::Grapheme, "e\u{301}\r\nx"), ["e\u{301}", "\r\n", "x"]);
        assert_eq!(cut(Grain::Scalar, "e\u{301}"), ["e", "\u{301}"]);
        assert_eq!(cut(Grain::Word, "   "), ["   "]);
        assert_eq!(cut(Grain::Segment, "日本語"), ["日", "本", "語"]);
    }
}
