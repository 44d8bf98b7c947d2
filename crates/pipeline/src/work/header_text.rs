//! Values of headers as text.

use huller_archive::utf8_or_latin1;
use std::borrow::Cow;

/// Bytes of a header as text, which `buffer` holds where they are not UTF-8 ([`utf8_or_latin1`]).
pub(crate) fn header_text<'a>(bytes: &'a [u8], buffer: &'a mut String) -> &'a str {
    match utf8_or_latin1(bytes) {
        Cow::Borrowed(text) => text,
        Cow::Owned(text) => {
            *buffer = text;
            buffer
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_a_header_that_are_no_utf8_stay_apart() {
        let mut buffer = String::new();
        assert_eq!(header_text("http://ä/".as_bytes(), &mut buffer), "http://ä/");
        assert_eq!(header_text(b"http://x/\xff\xfe\"a", &mut buffer), "http://x/ÿþ\"a");
        assert_eq!(header_text(b"http://x/\xe9", &mut buffer), "http://x/é");
    }
}
