//! Finds e-mail addresses as datatrove's regular expression matches them.
//!
//! A match is `local@domain`. The local part is atoms with single dots between them. It begins at
//! the leftmost place after the previous match where a word begins or ends (Python's `\b`). So an
//! address that directly follows `é` cannot begin with a letter. The domain is as many labels as
//! there are, at least two, or an address in brackets. Each `@` is visited once, to the left as far
//! as the previous one and to the right to the end of its domain. So the time is linear.

use memchr::memchr;
use std::ops::Range;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// Returns the first e-mail address from an offset on.
pub(super) fn next(text: &str, from: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut search_start = from;
    loop {
        let sign = search_start + memchr(b'@', &bytes[search_start..])?;
        if let Some(start) = local_start(text, from, sign)
            && let Some(end) = domain_end(bytes, sign + 1)
        {
            return Some(start..end);
        }
        search_start = sign + 1;
    }
}

fn is_atom(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+/=?^_`{|}~-".contains(&byte)
}

/// Returns the start of the local part that ends at `end`.
fn local_start(text: &str, from: usize, end: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut start = end;
    while start > from {
        let byte = bytes[start - 1];
        let is_inner_dot = byte == b'.'
            && start < end
            && is_atom(bytes[start])
            && start - 1 > from
            && is_atom(bytes[start - 2]);
        if !is_atom(byte) && !is_inner_dot {
            break;
        }
        start -= 1;
    }
    (start..end).find(|offset| is_atom(bytes[*offset]) && is_word_bound(text, *offset))
}

/// Returns whether Python's `\b` matches before the atom at `offset`.
fn is_word_bound(text: &str, offset: usize) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let before = match offset.checked_sub(1).map(|before| text.as_bytes()[before]) {
        None => false,
        Some(byte @ 0..0x80) => is_word(byte),
        Some(_) => text[..offset].chars().next_back().is_some_and(|c| {
            use GeneralCategoryGroup::{Letter, Number};
            matches!(c.general_category_group(), Letter | Number)
        }),
    };
    before != is_word(text.as_bytes()[offset])
}

/// Returns the end of the domain that begins at `start`.
fn domain_end(bytes: &[u8], start: usize) -> Option<usize> {
    if bytes.get(start) == Some(&b'[') {
        return literal_end(bytes, start + 1);
    }
    let run = |offset: usize| {
        let is_inner = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'-';
        let length = bytes[offset..].iter().take_while(is_inner).count();
        &bytes[offset..offset + length]
    };
    // Ends of the last two labels that a dot follows.
    let (mut last, mut second_last) = (None, None);
    let mut offset = start;
    loop {
        let label = run(offset);
        if label.first().is_none_or(|byte| *byte == b'-') {
            // The last dot does not belong to the address.
            return second_last.and(last);
        }
        let end = offset + label.len();
        if label.ends_with(b"-") || bytes.get(end) != Some(&b'.') {
            let hyphens = label.iter().rev().take_while(|byte| **byte == b'-').count();
            return last.map(|_| end - hyphens);
        }
        second_last = last;
        last = Some(end);
        offset = end + 1;
    }
}

/// Returns the end of an address in brackets; `start` is after the opening bracket. It holds four
/// numbers, or three numbers and a tag with a colon.
fn literal_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut offset = start;
    for _ in 0..3 {
        let digits = super::ip::digits(bytes, offset);
        if !super::ip::is_octet(digits) || bytes.get(offset + digits.len()) != Some(&b'.') {
            return None;
        }
        offset += digits.len() + 1;
    }
    let inner =
        bytes[offset..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-');
    let inner = &bytes[offset..offset + inner.count()];
    let end = offset + inner.len();
    if super::ip::is_octet(inner) && bytes.get(end) == Some(&b']') {
        return Some(end + 1);
    }
    let is_tag = inner.last().is_some_and(u8::is_ascii_alphanumeric);
    (is_tag && bytes[end..].starts_with(b":]")).then_some(end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<&str> {
        let mut from = 0;
        std::iter::from_fn(|| {
            let found = next(text, from)?;
            from = found.end;
            Some(&text[found])
        })
        .collect()
    }

    #[test]
    fn addresses_are_matched_as_by_the_regular_expression() {
        for (text, expected) in [
            ("write to ann.b+c@mail.site.org.", &["ann.b+c@mail.site.org"][..]),
            ("..a.b@c.d..e", &["a.b@c.d"]),
            ("a..b@c-.d b@c.-d b@c.d- b@c", &["b@c.d"]),
            ("b@c.d-.e b@c.d.-e b@c.d.e-", &["b@c.d", "b@c.d", "b@c.d.e"]),
            ("éann@site.org é.ann@site.org", &["ann@site.org"]),
            ("--ann@site.org {a@b.c}", &["ann@site.org", "a@b.c"]),
            ("a@b.c@d.e", &["a@b.c"]),
            ("a@b.ca@d.e", &["a@b.ca"]),
            (
                "a@[1.2.3.4] a@[1.2.3.tag:] a@[1.2.3.299] a@[1.2.3.4",
                &["a@[1.2.3.4]", "a@[1.2.3.tag:]"],
            ),
            ("@ a@ @b.c a.@b.c", &[]),
        ] {
            assert_eq!(all(text), expected, "{text}");
        }
    }
}
