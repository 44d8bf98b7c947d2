//! Turns values of headers into text.

use huller_archive::utf8_or_latin1;
use std::borrow::Cow;

/// Returns bytes of a header as text. `buffer` holds the text if the bytes are not UTF-8
/// ([`utf8_or_latin1`]).
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
