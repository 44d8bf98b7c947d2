//! Finds phone numbers of ten digits by Dolma's rule.
//!
//! A number follows white space, which stays. It is three digits, with or without brackets; any
//! number of hyphens, dots and spaces; three digits; at most one of these marks; four digits. The
//! rule does not look at what follows, so the first ten digits of a longer number count too.

use crate::scalars::is_space;
use std::ops::Range;

/// Returns the first phone number from an offset on.
pub(super) fn next(text: &str, from: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        at += bytes[at..].iter().position(u8::is_ascii_digit)?;
        let start = if at > from && bytes[at - 1] == b'(' { at - 1 } else { at };
        let is_free = text[from..start].chars().next_back().is_some_and(is_space);
        if is_free && let Some(end) = number(bytes, at) {
            return Some(start..end);
        }
        at += bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    }
}

/// Returns the end of the number that begins with this digit.
fn number(bytes: &[u8], start: usize) -> Option<usize> {
    let digits = |at: usize, count: usize| {
        let part = bytes.get(at..at + count)?;
        part.iter().all(u8::is_ascii_digit).then_some(at + count)
    };
    let is_mark = |byte: &u8| matches!(byte, b'-' | b'.' | b' ');
    let mut at = digits(start, 3)?;
    at += usize::from(bytes.get(at) == Some(&b')'));
    at += bytes[at..].iter().take_while(|byte| is_mark(byte)).count();
    at = digits(at, 3)?;
    at += usize::from(bytes.get(at).is_some_and(is_mark));
    digits(at, 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_ten_digits_after_white_space_are_found() {
        for (text, expected) in [
            ("call 555-123-4567 now", Some("555-123-4567")),
            ("call (555) 123 4567 now", Some("(555) 123 4567")),
            ("\u{3000}5551234567890", Some("5551234567")),
            ("a 123 555. - 123.4567", Some("555. - 123.4567")),
            ("555-123-4567", None),
            ("x555-123-4567 1 555--123--4567 55-123-4567", None),
        ] {
            assert_eq!(next(text, 0).map(|found| &text[found]), expected, "{text}");
        }
    }
}
