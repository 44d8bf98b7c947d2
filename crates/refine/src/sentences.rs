//! Finds sentences by the same rules as datatrove, whose thresholds depend on them.
//!
//! datatrove counts with spaCy's rule-based splitter. There a sentence ends after a word that is a
//! single mark such as `.`, `!`, `?` or `。`, if the next word is not punctuation. Its tokenizer
//! keeps a dot with the word if it ends an abbreviation (`Mr.`, `e.g.`) or one capital (`J.`).
//! Several dots in a row are a different mark. This module applies that rule to bytes.
//! `tests/parity.rs` compares C4's decisions by these counts with spaCy's, but not the counts
//! themselves.

use crate::abbreviations::is_abbreviation;
use crate::scalars::{is_letter, is_space, is_terminal};

/// Counts the sentences of a line. An empty line counts as one.
pub(crate) fn count(line: &str) -> usize {
    1 + starts(line).count()
}

/// Returns the byte offsets at which sentences begin, ascending, without that of the first
/// sentence. White space between two sentences belongs to the first, and opening marks after it to
/// the second.
///
/// ```
/// use huller_refine::sentences::starts;
///
/// let text = "Rain fell. (It was 3.5 mm.) Roads shut!";
/// assert_eq!(starts(text).collect::<Vec<_>>(), [11, 28]);
/// ```
pub fn starts(text: &str) -> impl Iterator<Item = usize> {
    let mut scalars = text.char_indices();
    // A sentence has ended, and the next one has not begun.
    let mut is_ended = false;
    // White space has followed the end. The offset of the first scalar after it, or of the first
    // opening mark.
    let (mut has_space, mut first_char) = (false, None);
    std::iter::from_fn(move || {
        for (offset, c) in scalars.by_ref() {
            let mut start = None;
            if is_ended {
                if is_space(c) {
                    has_space = true;
                } else {
                    first_char =
                        first_char.or_else(|| (has_space || is_opening(c)).then_some(offset));
                    if !is_mark(c) {
                        start = Some(first_char.unwrap_or(offset));
                        is_ended = false;
                    }
                }
            }
            if is_terminal(c) && ends_sentence(text, offset, c) {
                (is_ended, has_space, first_char) = (true, false, None);
            }
            if start.is_some() {
                return start;
            }
        }
        None
    })
}

/// Returns whether the terminal mark at this offset is a word by itself.
fn ends_sentence(line: &str, offset: usize, end_mark: char) -> bool {
    let char_after = line[offset + end_mark.len_utf8()..].chars().next();
    if end_mark != '.' {
        // Inside a word, as in a URL, the mark does not end a sentence.
        return !char_after
            .is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '/' | '&' | '='));
    }
    let mut behind = line[..offset].chars().rev();
    let char_before = behind.next();
    if char_before == Some('.') || char_after == Some('.') {
        return false;
    }
    match char_after {
        None => {}
        Some(c) if is_space(c) || is_mark(c) => {}
        // Two sentences with no space between them.
        Some(c) => return c.is_uppercase() && char_before.is_some_and(char::is_lowercase),
    }
    match char_before {
        // One capital before the dot: an initial of a name.
        Some(c) if c.is_uppercase() => behind.next().is_some_and(char::is_uppercase),
        Some(c) if is_letter(c) => !ends_with_abbreviation(&line[..offset]),
        _ => true,
    }
}

/// Returns whether the scalar opens a quotation or a parenthesis in every language.
fn is_opening(c: char) -> bool {
    matches!(c, '(' | '[' | '（' | '「' | '『' | '¿' | '¡')
}

/// Returns whether the scalar is punctuation that may follow the end of a sentence and belong to
/// it.
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

/// Returns whether the last word of `line` is an abbreviation or one letter.
fn ends_with_abbreviation(line: &str) -> bool {
    /// Bytes of the longest abbreviation and the space before it.
    const MAX_ABBREVIATION_BYTES: usize = 8;
    let tail = &line[line.ceil_char_boundary(line.len().saturating_sub(MAX_ABBREVIATION_BYTES))..];
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

    #[test]
    fn sentences_begin_after_white_space_or_at_their_first_mark() {
        for (text, expected) in [
            ("One. **Two**", vec!["One. ", "**Two**"]),
            ("He said “no.” Then he left.", vec!["He said “no.” ", "Then he left."]),
            ("今天下雨。「明天」晴！", vec!["今天下雨。", "「明天」晴！"]),
            ("One.\n  (Two) ... three", vec!["One.\n  ", "(Two) ... three"]),
        ] {
            let ends = starts(text).chain([text.len()]);
            let mut at = 0;
            let found: Vec<_> =
                ends.map(|end| &text[std::mem::replace(&mut at, end)..end]).collect();
            assert_eq!(found, expected);
        }
    }
}
