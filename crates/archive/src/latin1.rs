//! Short texts, such as URLs and names, whose encoding nothing states.

use std::borrow::Cow;

/// The bytes as text: as UTF-8 if they are valid UTF-8, else as Latin-1, where each byte is one character. So different byte strings of one
/// encoding stay different texts.
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
