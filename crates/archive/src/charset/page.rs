//! A page's bytes as text of bounded length.

use super::{Charset, UTF_8, decode_into, detect};

/// A page as UTF-8.
#[derive(Clone, Copy, Debug)]
pub struct PageText<'a> {
    /// The text.
    pub text: &'a str,
    /// What it was in.
    pub charset: Charset,
    /// Whether the page was longer than allowed, and was cut.
    pub truncated: bool,
}

/// Finds the encoding of a page and decodes its first `max_bytes`, borrowing them or filling `buffer`. A character that the
/// cut falls into is left out.
pub fn decode_page<'a>(
    bytes: &'a [u8],
    http_charset: Option<&[u8]>,
    url: Option<&str>,
    max_bytes: usize,
    buffer: &'a mut String,
) -> PageText<'a> {
    let truncated = bytes.len() > max_bytes;
    let mut bytes = &bytes[..bytes.len().min(max_bytes)];
    let charset = detect(bytes, http_charset, url);
    if truncated && charset.encoding == UTF_8 {
        bytes = without_cut_character(bytes);
    }
    PageText { text: decode_into(bytes, charset, buffer), charset, truncated }
}

/// UTF-8 without the beginning of a character that was cut off at the end.
fn without_cut_character(bytes: &[u8]) -> &[u8] {
    let tail = bytes.len().saturating_sub(3);
    match bytes[tail..].iter().rposition(|b| *b >= 0xC0) {
        Some(first) if std::str::from_utf8(&bytes[tail + first..]).is_err() => {
            &bytes[..tail + first]
        }
        _ => bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_leaves_whole_characters() {
        let mut buffer = String::new();
        let whole = "<p>\u{e4}\u{6771}x";
        for (most, expected) in [(3, 3), (4, 3), (5, 5), (6, 5), (7, 5), (8, 8), (9, 9), (10, 9)] {
            let page = decode_page(whole.as_bytes(), Some(b"utf-8"), None, most, &mut buffer);
            assert_eq!((page.text, page.truncated), (&whole[..expected], most < 9), "{most}");
        }
    }
}
