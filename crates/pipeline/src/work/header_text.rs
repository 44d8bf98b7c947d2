//! Values of headers as text.

/// Bytes of a header as text. Where they are not UTF-8, `buffer` holds a copy with each bad sequence replaced by U+FFFD.
pub(crate) fn header_text<'a>(bytes: &'a [u8], buffer: &'a mut String) -> &'a str {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text;
    }
    buffer.clear();
    for chunk in bytes.utf8_chunks() {
        buffer.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            buffer.push(char::REPLACEMENT_CHARACTER);
        }
    }
    buffer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_bytes_of_a_header_are_replaced_and_the_rest_is_kept() {
        let mut buffer = String::new();
        assert_eq!(header_text("http://ä/".as_bytes(), &mut buffer), "http://ä/");
        assert_eq!(
            header_text(b"http://x/\xff\xfe\"a", &mut buffer),
            "http://x/\u{fffd}\u{fffd}\"a"
        );
    }
}
