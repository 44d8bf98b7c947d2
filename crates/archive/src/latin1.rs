//! Decodes short texts of unknown encoding, such as URLs, names and other header values.

use std::borrow::Cow;

/// Decodes bytes as UTF-8 if they are valid UTF-8, else as Latin-1, where each byte is one
/// character. Two URLs that differ in one byte therefore stay different, as in the indexes of web
/// archives.
///
/// ```
/// use huller_archive::utf8_or_latin1;
///
/// assert_eq!(utf8_or_latin1("http://x.test/\u{e9}".as_bytes()), "http://x.test/\u{e9}");
/// assert_eq!(utf8_or_latin1(b"http://x.test/\xe8"), "http://x.test/\u{e8}");
/// ```
pub fn utf8_or_latin1(bytes: &[u8]) -> Cow<'_, str> {
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
        assert_eq!(utf8_or_latin1(b"\xc3\xa9\xff"), "\u{c3}\u{a9}\u{ff}");
        let mut texts: Vec<_> =
            (0..=255).map(|byte| utf8_or_latin1(&[0xff, byte]).into_owned()).collect();
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), 256);
    }
}
