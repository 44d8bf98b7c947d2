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
    let mut offset = from;
    loop {
        offset += bytes[offset..].iter().position(u8::is_ascii_digit)?;
        let start = if offset > from && bytes[offset - 1] == b'(' { offset - 1 } else { offset };
        let is_free = text[from..start].chars().next_back().is_some_and(is_space);
        if is_free && let Some(end) = number_end(bytes, offset) {
            return Some(start..end);
        }
        offset += bytes[offset..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    }
}

/// Returns the end of the number that begins with this digit.
fn number_end(bytes: &[u8], start: usize) -> Option<usize> {
    let digits = |offset: usize, count: usize| {
        let digit_bytes = bytes.get(offset..offset + count)?;
        digit_bytes.iter().all(u8::is_ascii_digit).then_some(offset + count)
    };
    let is_mark = |byte: &u8| matches!(byte, b'-' | b'.' | b' ');
    let mut offset = digits(start, 3)?;
    offset += usize::from(bytes.get(offset) == Some(&b')'));
    offset += bytes[offset..].iter().take_while(|byte| is_mark(byte)).count();
    offset = digits(offset, 3)?;
    offset += usize::from(bytes.get(offset).is_some_and(is_mark));
    digits(offset, 4)
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
