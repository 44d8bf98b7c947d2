//! Counts sentences the way in which the rules that ask for them were set.
//!
//! datatrove counts with spaCy's rule-based splitter: a sentence ends after a word that is a single
//! mark such as `.`, `!`, `?` or `。`, where a word that is not punctuation follows. Its tokenizer
//! keeps a dot with the word where it ends an abbreviation (`Mr.`, `e.g.`) or one capital (`J.`),
//! and dots in a row are another mark. This is that rule applied to bytes. What was held to spaCy
//! is C4's decision by these counts (`tests/parity.rs`), not the counts themselves.

use crate::abbreviations::is_abbreviation;
use crate::scalars::{is_letter, is_space, is_terminal};

/// How many sentences a line has: at least one, also if it is empty.
pub(crate) fn count(line: &str) -> usize {
    let mut sentences = 1;
    // A sentence has ended, and the next one has not begun.
    let mut is_ended = false;
    for (at, c) in line.char_indices() {
        if is_ended && !is_space(c) && !is_mark(c) {
            sentences += 1;
            is_ended = false;
        }
        if is_terminal(c) && ends_sentence(line, at, c) {
            is_ended = true;
        }
    }
    sentences
}

/// Whether the terminal mark at this offset is a word by itself.
fn ends_sentence(line: &str, at: usize, mark: char) -> bool {
    let after = line[at + mark.len_utf8()..].chars().next();
    if mark != '.' {
        // Within a word, as in an address, it is none.
        return !after.is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '/' | '&' | '='));
    }
    let mut behind = line[..at].chars().rev();
    let before = behind.next();
    if before == Some('.') || after == Some('.') {
        return false;
    }
    match after {
        None => {}
        Some(c) if is_space(c) || is_mark(c) => {}
        // Two sentences without a space between.
        Some(c) => return c.is_uppercase() && before.is_some_and(char::is_lowercase),
    }
    match before {
        // One capital: a name.
        Some(c) if c.is_uppercase() => behind.next().is_some_and(char::is_uppercase),
        Some(c) if is_letter(c) => !ends_with_abbreviation(&line[..at]),
        _ => true,
    }
}

/// Punctuation that may follow the end of a sentence and belongs to it.
fn is_mark(c: char) -> bool {
    c.is_ascii_punctuation() && !matches!(c, '$' | '+' | '<' | '=' | '>' | '^' | '`' | '|' | '~')
        || is_terminal(c)
        || matches!(
            c,
            '“' | '”'
                | '‘'
                | '’'
                | '«'
                | '»'
                | '…'
                | '–'
                | '—'
                | '（'
                | '）'
                | '「'
                | '」'
                | '『'
                | '』'
                | '、'
                | '，'
                | '：'
                | '；'
        )
}

/// Whether the last word of this is an abbreviation, or one small letter.
fn ends_with_abbreviation(line: &str) -> bool {
    /// The longest abbreviation, and the space before it.
    const LONGEST: usize = 8;
    let tail = &line[line.ceil_char_boundary(line.len().saturating_sub(LONGEST))..];
    let word = tail.rsplit(|c: char| is_space(c) || matches!(c, '(' | '"' | '“' | '[')).next();
    let Some(word) = word else { return false };
    let word = word.trim_start_matches(|c: char| c.is_ascii_digit());
    word.len() == 1 || is_abbreviation(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_at_lone_marks() {
        for (line, expected) in [
            ("", 1),
            ("No end", 1),
            ("One. Two! Three?", 3),
            ("One.) Two.\" three", 3),
            ("Mr. Smith and Dr. J. Jones met e.g. here.", 1),
            ("Wait... what", 1),
            ("It cost 3.5 dollars at example.com/a?b=1 today.", 1),
            ("end.Next one", 2),
            ("今天下雨。明天晴！", 2),
            ("in the USA. They", 2),
        ] {
            assert_eq!(count(line), expected, "{line}");
        }
    }
}
