//! Patterns of paths, as robots.txt and tdmrep.json write them (RFC 9309, section 2.2.3).
//!
//! A pattern matches the beginning of a path. `*` matches any octets, and `$` at the end of the
//! pattern matches the end of the path. Pieces between stars are searched from left to right. The
//! leftmost place is always right, as nothing but the end can refuse a later piece. So a match
//! costs O(pattern + path).
//!
//! Patterns and paths are compared in one spelling: octets that no URL holds as they are become
//! `%XX`, and `%XX` of an unreserved octet becomes that octet.

use memchr::memmem;

/// Returns whether a pattern in [`of_pattern`]'s spelling matches a path in [`of_path`]'s spelling.
pub(crate) fn matches(pattern: &[u8], path: &[u8]) -> bool {
    match pattern.strip_suffix(b"$") {
        Some(pattern) => matches_whole(pattern, path),
        None => match_end(pattern, path).is_some(),
    }
}

/// Returns whether a pattern of octets and stars matches a text to its end.
pub(crate) fn matches_whole(pattern: &[u8], text: &[u8]) -> bool {
    let Some(star) = memchr::memrchr(b'*', pattern) else { return pattern == text };
    let last = &pattern[star + 1..];
    match_end(&pattern[..star], text).is_some_and(|end| text[end..].ends_with(last))
}

/// Returns the smallest offset at which a match of the pattern with the beginning of the text ends.
fn match_end(pattern: &[u8], text: &[u8]) -> Option<usize> {
    let mut pieces = pattern.split(|byte| *byte == b'*');
    let first = pieces.next().unwrap_or_default();
    let mut end = text.starts_with(first).then_some(first.len())?;
    for piece in pieces {
        let start = match piece {
            [] => 0,
            [byte] => memchr::memchr(*byte, &text[end..])?,
            _ => memmem::find(&text[end..], piece)?,
        };
        end += start + piece.len();
    }
    Some(end)
}

/// Appends a pattern in the common spelling. Stars stay stars; `$` is special only at the end.
pub(crate) fn of_pattern(pattern: &[u8], out: &mut Vec<u8>) {
    let (body, is_anchored) = match pattern.strip_suffix(b"$") {
        Some(body) => (body, true),
        None => (pattern, false),
    };
    normalise(body, b"*", out);
    if is_anchored {
        out.push(b'$');
    }
}

/// Appends path and query of a URL in the common spelling.
pub(crate) fn of_path(path: &[u8], out: &mut Vec<u8>) {
    normalise(path, b"", out);
}

/// Copies octets. Reserved octets of URLs (RFC 3986) stay, except for `*` and `$`, unless they are
/// in `kept_bytes`.
fn normalise(text: &[u8], kept_bytes: &[u8], out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let is_unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let mut index = 0;
    while let Some(&byte) = text.get(index) {
        index += 1;
        let encoded = match (byte, text.get(index), text.get(index + 1)) {
            (b'%', Some(high), Some(low)) => hex(*high).zip(hex(*low)),
            _ => None,
        };
        if let Some((high, low)) = encoded {
            index += 2;
            let octet = high << 4 | low;
            if is_unreserved(octet) {
                out.push(octet);
            } else {
                out.extend([b'%', HEX[usize::from(high)], HEX[usize::from(low)]]);
            }
        } else if is_unreserved(byte)
            || b":/?#[]@!&'()+,;=%".contains(&byte)
            || kept_bytes.contains(&byte)
        {
            out.push(byte);
        } else {
            out.extend([b'%', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
        }
    }
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|digit| digit as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(pattern: &str, path: &str) -> bool {
        let (mut spelled, mut spelled_path) = (Vec::new(), Vec::new());
        of_pattern(pattern.as_bytes(), &mut spelled);
        of_path(path.as_bytes(), &mut spelled_path);
        matches(&spelled, &spelled_path)
    }

    #[test]
    fn the_examples_of_rfc_9309_hold() {
        // Section 2.2.2, percent-encoding.
        assert!(found("/foo/bar?baz=quz", "/foo/bar?baz=quz"));
        assert!(found("/foo/bar?baz=http://foo.bar", "/foo/bar?baz=http://foo.bar"));
        assert!(found("/foo/bar/\u{30c4}", "/foo/bar/%E3%83%84"));
        assert!(found("/foo/bar/%E3%83%84", "/foo/bar/%e3%83%84"));
        assert!(found("/foo/bar/%62%61%7A", "/foo/bar/baz"));
        // Section 2.2.3, special characters.
        assert!(found("/path/file-with-a-%2A.html", "/path/file-with-a-*.html"));
        assert!(found("/path/foo-%24", "/path/foo-$"));
        assert!(found("/this/path/exactly$", "/this/path/exactly"));
        assert!(!found("/this/path/exactly$", "/this/path/exactly/not"));
        assert!(found("/this/*/exactly", "/this/path/is/exactly/so"));
    }

    #[test]
    fn stars_and_ends_match() {
        assert!(found("/", "/x") && found("/fish", "/fish.html") && found("/fish", "/fishheads/y"));
        assert!(
            !found("/fish", "/Fish.asp") && !found("/fish/", "/fish") && !found("fish", "/fish")
        );
        assert!(found("/*.php$", "/a/b.php") && !found("/*.php$", "/a.php?b"));
        assert!(found("/*.php", "/a.php?b") && found("*", "/x") && found("*$", "/x"));
        assert!(found("/a*a$", "/aa") && !found("/a*a$", "/a"));
        assert!(found("/**x**", "/yx") && found("/a$b", "/a$bc") && !found("/a$b", "/a"));
        assert!(found("/a b", "/a%20b") && found("/%zz", "/%zz"));
    }

    /// Matches by trying all places: the definition.
    fn naive(pattern: &[u8], path: &[u8]) -> bool {
        match pattern {
            [] => true,
            [b'$'] => path.is_empty(),
            [b'*', rest @ ..] => (0..=path.len()).any(|at| naive(rest, &path[at..])),
            [byte, rest @ ..] => path.first() == Some(byte) && naive(rest, &path[1..]),
        }
    }

    proptest! {
        #[test]
        fn the_leftmost_match_is_enough(pattern in "/[ab*]{0,8}[$]?", path in "/[ab]{0,10}") {
            let (pattern, path) = (pattern.as_bytes(), path.as_bytes());
            prop_assert_eq!(matches(pattern, path), naive(pattern, path));
        }
    }
}
