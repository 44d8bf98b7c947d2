//! Short texts, such as URLs and names, whose encoding nothing states.

use std::borrow::Cow;

/// Bytes as UTF-8, or, if they are none, as Latin-1, in which each byte is a character. So no two texts of one encoding become one.
pub(crate) fn utf8_or_latin1(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|byte| char::from(*byte)).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_utf8_is_latin1() {
        assert_eq!(utf8_or_latin1("\u{e9}".as_bytes()), "\u{e9}");
        assert_eq!(utf8_or_latin1(b"\xe9x"), "\u{e9}x");
    }
}
