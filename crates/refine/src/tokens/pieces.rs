//! Cuts texts into the pieces that are tokenized one by one.
//!
//! Tokenizers define the pieces by a regular expression. This module implements each alternative by
//! hand, in the order of the expression, so every piece ends where backtracking would end it.

use super::classes::{Classes, LETTER, LOWER, NEWLINE, NUMBER, SPACE, UPPER, WORDY};

/// The rule by which a tokenizer cuts texts into pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    /// GPT-2.
    Gpt2,
    /// GPT-4, as in today's `tiktoken`: white space at the end of a text is one piece.
    Cl100k,
    /// Llama 3, and GPT-4 in files of `tokenizers`.
    Llama3,
    /// Qwen 2 and later: each digit is a piece.
    Qwen2,
    /// GPT-4o: capitals begin a piece.
    O200k,
}

use Pattern::{Cl100k, Gpt2, Llama3, O200k, Qwen2};

/// Each pattern with its name and its expressions in files of `tokenizers`.
const PATTERNS: [(Pattern, &str, &[&str]); 5] = [
    (
        Gpt2,
        "gpt2",
        &[
            r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
            r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
        ],
    ),
    (
        Cl100k,
        "cl100k",
        &[
            r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s",
        ],
    ),
    (
        Llama3,
        "llama3",
        &[
            r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
            r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        ],
    ),
    (
        Qwen2,
        "qwen2",
        &[
            r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        ],
    ),
    (
        O200k,
        "o200k",
        &[
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        ],
    ),
];

impl Pattern {
    /// Returns the pattern of this name.
    pub(super) fn named(name: &str) -> Option<Pattern> {
        PATTERNS.iter().find(|(_, known, _)| *known == name).map(|(pattern, ..)| *pattern)
    }

    /// Returns the pattern of this regular expression.
    pub(super) fn from_expression(expression: &str) -> Option<Pattern> {
        let entry = PATTERNS.iter().find(|(.., known)| known.contains(&expression));
        entry.map(|(pattern, ..)| *pattern)
    }

    /// Returns the pattern that belongs to a list of ranks, by the name of the file.
    pub(super) fn for_rank_file(name: &str) -> Option<Pattern> {
        let known = [("gpt2", Gpt2), ("r50k", Gpt2), ("p50k", Gpt2), ("cl100k", Cl100k)];
        let known = known.into_iter().chain([("o200k", O200k), ("qwen", Qwen2)]);
        known
            .into_iter()
            .find(|(name_part, _)| name.contains(name_part))
            .map(|(_, pattern)| pattern)
    }

    /// Returns its name.
    pub(super) fn name(self) -> &'static str {
        PATTERNS.iter().find(|(known, ..)| *known == self).map_or("", |(_, name, _)| name)
    }

    /// Returns all names, for messages.
    pub(super) fn names() -> String {
        PATTERNS.map(|(_, name, _)| name).join(", ")
    }

    /// Returns the pieces of a text, in its order and without gaps.
    pub(super) fn pieces(self, text: &str) -> impl Iterator<Item = &str> {
        let scanner = Scanner { text, classes: Classes::get() };
        let mut offset = 0;
        std::iter::from_fn(move || {
            let begin = offset;
            if begin == text.len() {
                return None;
            }
            offset = match self {
                Gpt2 => scanner.gpt2(begin),
                Cl100k | Llama3 => scanner.cl100k(begin, 3, self == Cl100k),
                Qwen2 => scanner.cl100k(begin, 1, false),
                O200k => scanner.o200k(begin),
            };
            Some(&text[begin..offset])
        })
    }
}

/// Finds the end of the piece that begins at an offset.
#[derive(Clone, Copy)]
struct Scanner<'a> {
    text: &'a str,
    classes: Classes,
}

impl Scanner<'_> {
    fn class_at(self, offset: usize) -> (u8, usize) {
        self.classes.class_at(self.text, offset)
    }

    fn byte_at(self, offset: usize) -> u8 {
        self.text.as_bytes().get(offset).copied().unwrap_or_default()
    }

    /// Returns the end of the run of scalars of a class.
    #[inline]
    fn run(self, mut offset: usize, class: u8) -> usize {
        loop {
            let (class_here, length) = self.class_at(offset);
            if class_here & class == 0 {
                return offset;
            }
            offset += length;
        }
    }

    /// Matches `[^\s\p{L}\p{N}]+` and returns the end of the match.
    fn marks_end(self, begin: usize) -> Option<usize> {
        let mut offset = begin;
        loop {
            let (class_here, length) = self.class_at(offset);
            if class_here & WORDY != 0 || length == 0 {
                return (offset > begin).then_some(offset);
            }
            offset += length;
        }
    }

    /// Matches `'s|'t|'re|'ve|'m|'ll|'d` and returns the end of the match.
    fn contraction_end(self, offset: usize, folds: bool) -> Option<usize> {
        if self.byte_at(offset) != b'\'' {
            return None;
        }
        let rest = &self.text.as_bytes()[offset + 1..];
        let lower = |index: usize| {
            let byte = rest.get(index).copied().unwrap_or_default();
            if folds { byte.to_ascii_lowercase() } else { byte }
        };
        match (lower(0), lower(1)) {
            (b's' | b't' | b'm' | b'd', _) => Some(offset + 2),
            (b'r' | b'v', b'e') | (b'l', b'l') => Some(offset + 3),
            // If case is ignored, the long s matches s.
            _ if folds && rest.starts_with("ſ".as_bytes()) => Some(offset + 3),
            _ => None,
        }
    }

    /// Matches `\p{N}{1,max_digits}` and returns the end of the match.
    fn digits_end(self, begin: usize, max_digits: usize) -> Option<usize> {
        let mut offset = begin;
        for _ in 0..max_digits {
            let (class_here, length) = self.class_at(offset);
            if class_here & NUMBER == 0 {
                break;
            }
            offset += length;
        }
        (offset > begin).then_some(offset)
    }

    /// Matches `\s+(?!\S)|\s+` where white space begins, and returns the end of the match.
    fn space_end(self, begin: usize) -> usize {
        let end = self.run(begin, SPACE);
        if end == self.text.len() {
            return end;
        }
        let last = self.text[begin..end].chars().next_back().map_or(0, char::len_utf8);
        if end - last > begin { end - last } else { end }
    }

    /// Matches `\s*[\r\n]+|\s+(?!\S)|\s+` where white space begins, with `\s+$` before it if
    /// `ends_whole`. Returns the end of the match.
    fn lines_end(self, begin: usize, ends_whole: bool) -> usize {
        let end = self.run(begin, SPACE);
        if ends_whole && end == self.text.len() {
            return end;
        }
        let newline =
            self.text.as_bytes()[begin..end].iter().rposition(|b| matches!(b, b'\r' | b'\n'));
        newline.map_or_else(|| self.space_end(begin), |distance| begin + distance + 1)
    }

    fn gpt2(self, begin: usize) -> usize {
        if let Some(end) = self.contraction_end(begin, false) {
            return end;
        }
        let body = begin + usize::from(self.byte_at(begin) == b' ');
        let class = self.class_at(body).0;
        if class & LETTER != 0 {
            self.run(body, LETTER)
        } else if class & NUMBER != 0 {
            self.run(body, NUMBER)
        } else {
            self.marks_end(body).unwrap_or_else(|| self.space_end(begin))
        }
    }

    fn cl100k(self, begin: usize, digits: usize, ends_whole: bool) -> usize {
        if let Some(end) = self.contraction_end(begin, true) {
            return end;
        }
        let (class, length) = self.class_at(begin);
        if class & LETTER != 0 {
            return self.run(begin, LETTER);
        }
        if class & (NUMBER | NEWLINE) == 0 {
            let end = self.run(begin + length, LETTER);
            if end > begin + length {
                return end;
            }
        }
        if let Some(end) = self.digits_end(begin, digits) {
            return end;
        }
        let body = begin + usize::from(self.byte_at(begin) == b' ');
        match self.marks_end(body) {
            Some(end) => self.run(end, NEWLINE),
            None => self.lines_end(begin, ends_whole),
        }
    }

    fn o200k(self, begin: usize) -> usize {
        if let Some(end) = self.cased_word_end(begin).or_else(|| self.digits_end(begin, 3)) {
            return end;
        }
        let body = begin + usize::from(self.byte_at(begin) == b' ');
        let Some(mut end) = self.marks_end(body) else { return self.lines_end(begin, false) };
        while matches!(self.byte_at(end), b'\r' | b'\n' | b'/') {
            end += 1;
        }
        end
    }

    /// Matches the first two alternatives of `o200k`: a word whose capitals come first.
    fn cased_word_end(self, begin: usize) -> Option<usize> {
        let (class, length) = self.class_at(begin);
        // A mark before the word belongs to it. The mark may also be a letter of the word.
        let end_after = (class & (NEWLINE | LETTER | NUMBER) == 0).then_some(begin + length);
        let begins = || end_after.into_iter().chain([begin]);
        let end = begins()
            .find_map(|begin| self.capitals_then_small(begin))
            .or_else(|| begins().find_map(|begin| self.capitals_end(begin)))?;
        Some(self.contraction_end(end, true).unwrap_or(end))
    }

    /// Matches `[capitals]*[small]+`. Caseless letters and marks are in both classes, so the match
    /// may have to give some back.
    fn capitals_then_small(self, begin: usize) -> Option<usize> {
        let mut offset = begin;
        let mut end_of_both = None;
        loop {
            let (class_here, length) = self.class_at(offset);
            if class_here & UPPER == 0 {
                break;
            }
            offset += length;
            if class_here & LOWER != 0 {
                end_of_both = Some(offset);
            }
        }
        let end = self.run(offset, LOWER);
        if end > offset { Some(end) } else { end_of_both }
    }

    /// Matches `[capitals]+[small]*`.
    fn capitals_end(self, begin: usize) -> Option<usize> {
        let end = self.run(begin, UPPER);
        (end > begin).then(|| self.run(end, LOWER))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(pattern: Pattern, text: &str) -> String {
        pattern.pieces(text).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn pieces_end_where_the_expressions_say() {
        for (pattern, text, expected) in [
            (Gpt2, "It's 12345  o'clock!?\n\nDON'T", "It|'s| 12345| | o|'|clock|!?|\n|\n|DON|'|T"),
            (Gpt2, " \u{A0}a  ", " |\u{A0}|a|  "),
            (
                Llama3,
                "It's 12345  (o'clock)!\n\n x\n  ",
                "It|'s| |123|45| | (|o|'clock|)!\n\n| x|\n|  ",
            ),
            (Cl100k, "x\n  ", "x|\n  "),
            (Qwen2, "DON'T 12", "DON|'T| |1|2"),
            (O200k, "HTMLParser isn't a/b//\n1234", "HTMLParser| isn't| a|/b|//\n|123|4"),
            (O200k, "今天ABC e\u{301}É!", "今天|ABC| e\u{301}|É|!"),
            (O200k, "\u{301}A", "\u{301}|A"),
            (O200k, "天A天", "天A天"),
        ] {
            assert_eq!(cut(pattern, text), expected, "{pattern:?}");
        }
        for (pattern, name, expressions) in PATTERNS {
            assert_eq!((Pattern::named(name), pattern.name()), (Some(pattern), name));
            assert!(
                expressions.iter().all(|stated| Pattern::from_expression(stated) == Some(pattern))
            );
            assert_eq!(cut(pattern, ""), "");
        }
    }
}
