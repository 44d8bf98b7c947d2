//! Marks that tokenizers of spaCy's kind leave in the word beside them: `@name`, `-C`, `/media`, `R&D-`, `1990–1995`.
//!
//! UAX #29 has a boundary on both sides of every mark. spaCy's English tokenizer (3.8) cuts brackets, quotes, commas and the like off
//! wherever they stand, but a hyphen, a slash or an `@` only in some places: a hyphen between two letters, not one before a word. Whether
//! `--get` is one word or two decides how large the share of words with a letter is. Nothing else asks, so words stay as they are, and
//! this is told of them afterwards.

use super::{Word, Words};

/// What stands beside a mark.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    Letter,
    Digit,
    /// White space, the end of the text, or a mark.
    Neither,
}

impl Beside {
    fn of(c: Option<char>) -> Beside {
        match c {
            Some(c) if c.is_alphabetic() => Beside::Letter,
            Some(c) if c.is_numeric() => Beside::Digit,
            _ => Beside::Neither,
        }
    }
}

/// Whether a mark stays in what is before it, and in what is after it.
fn stays(text: &str, mark: Word) -> (bool, bool) {
    use Beside::{Digit, Letter, Neither};
    let range = mark.range();
    let sides = (
        Beside::of(text[..range.start].chars().next_back()),
        Beside::of(text[range.end..].chars().next()),
    );
    let is_cut = match text[range].chars().next() {
        Some('-') => matches!(sides, (Letter, Letter) | (Digit, Digit)),
        Some('/') => matches!(sides, (Letter | Digit, Letter)),
        Some('~') => sides == (Letter, Letter),
        Some('+') => matches!(sides, (Digit, Digit | Neither) | (Neither, Letter | Neither)),
        Some('^') => sides == (Digit, Digit),
        Some('=') => matches!(sides, (_, Letter) | (Neither, _)),
        Some('–' | '—') => sides.0 == Neither || sides.1 != Digit,
        Some('@' | '\\' | '|') => false,
        _ => true,
    };
    (!is_cut && sides.0 != Neither, !is_cut && sides.1 != Neither)
}

/// How many words there are, and how many of them have a letter, if each mark that stays in the word beside it is part of that.
pub(crate) fn count_joined(words: Words<'_>) -> (usize, usize) {
    let (mut all, mut with_letter) = (0, 0);
    let mut has_letter = false;
    // Where the last word ends, if the next one belongs to it.
    let mut open = None;
    for word in words.spans {
        let (before, after) = if word.is_symbol { stays(words.text, *word) } else { (false, false) };
        if before || open == Some(word.start) {
            with_letter += usize::from(word.has_letter && !has_letter);
            has_letter |= word.has_letter;
        } else {
            all += 1;
            with_letter += usize::from(word.has_letter);
            has_letter = word.has_letter;
        }
        open = after.then_some(word.end);
    }
    (all, with_letter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;

    #[test]
    fn marks_that_stay_are_counted_with_their_words() {
        // As `English().tokenizer` of spaCy 3.8 cuts them.
        for (content, expected) in [
            ("", (0, 0)),
            ("@name -C --get /media", (4, 4)),
            ("a-b c/d a|b x~y", (3 + 3 + 1 + 3, 7)),
            ("1990–1995 1990-1995 a–b a–5", (1 + 3 + 3 + 1, 3)),
            ("C/1 1/C word- \"@name\"", (1 + 3 + 1 + 3, 4)),
            ("5+ C+ =a x=1 +5 +a", (2 + 1 + 2 + 1 + 1 + 2, 4)),
            ("- / @ | 3 -5", (6, 0)),
        ] {
            let mut text = Text::default();
            text.begin().push_str(content);
            assert_eq!(count_joined(text.words()), expected, "{content}");
        }
    }
}
