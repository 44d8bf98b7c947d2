//! Decodes bytes of any encoding to UTF-8.

use super::detection::Charset;
use encoding_rs::{DecoderResult, Encoding, UTF_8};

/// Decodes `page` to text, without its byte order mark.
///
/// Bytes that are invalid in the encoding become U+FFFD. The text is borrowed from `page` if `page`
/// is valid UTF-8 in that encoding, or is ASCII and the encoding extends ASCII. Otherwise it
/// replaces the contents of `buffer`. The buffer grows to the size that the encoding may need; the
/// next such call shrinks it to 2 MiB.
pub fn decode_into<'a>(page: &'a [u8], charset: Charset, buffer: &'a mut String) -> &'a str {
    match decode_counting(page, charset.encoding, buffer) {
        (Some(text), _) => text,
        (None, _) => buffer,
    }
}

/// Returns the text of `page` if it is borrowed from `page`; otherwise the text is in `buffer`.
/// Also returns the number of U+FFFD that replace invalid bytes.
pub(super) fn decode_counting<'a>(
    page: &'a [u8],
    encoding: &'static Encoding,
    buffer: &mut String,
) -> (Option<&'a str>, u64) {
    const KEEP: usize = 2 << 20;
    // The decoder is called again for each invalid place, and a call may examine its whole input.
    // With longer pieces, a page of only invalid bytes would take minutes.
    const CHUNK_BYTES: usize = 4 << 10;
    let page = match Encoding::for_bom(page) {
        Some((marked, length)) if marked == encoding => &page[length..],
        _ => page,
    };
    let borrowed = encoding == UTF_8
        || encoding.is_ascii_compatible() && Encoding::ascii_valid_up_to(page) == page.len();
    if borrowed && let Ok(text) = simdutf8::basic::from_utf8(page) {
        return (Some(text), 0);
    }

    buffer.clear();
    buffer.shrink_to(KEEP);
    if encoding == UTF_8 {
        return (None, decode_utf8(page, buffer));
    }
    let mut replaced = 0;
    let mut decoder = encoding.new_decoder_without_bom_handling();
    // A byte may become three bytes of UTF-8. Reserving in steps avoids three times the memory for
    // a very large page.
    let mut rest = page;
    loop {
        let piece = rest.len().min(CHUNK_BYTES);
        let last = piece == rest.len();
        if let Some(budget) = decoder.max_utf8_buffer_length(piece) {
            buffer.reserve(budget);
        }
        let (result, read) =
            decoder.decode_to_string_without_replacement(&rest[..piece], buffer, last);
        rest = &rest[read..];
        match result {
            DecoderResult::Malformed(..) => {
                replaced += 1;
                buffer.push(char::REPLACEMENT_CHARACTER);
            }
            DecoderResult::InputEmpty if last => return (None, replaced),
            DecoderResult::InputEmpty | DecoderResult::OutputFull => {}
        }
    }
}

/// Appends bytes that are not all UTF-8, and returns the number of U+FFFD. Its time does not depend
/// on the number of invalid places, unlike the decoder of all encodings, which is called once for
/// each.
fn decode_utf8(page: &[u8], buffer: &mut String) -> u64 {
    let mut replaced = 0;
    for chunk in page.utf8_chunks() {
        buffer.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            buffer.push(char::REPLACEMENT_CHARACTER);
            replaced += 1;
        }
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_testkit::random::Random;

    #[test]
    fn invalid_utf8_is_replaced_as_the_standard_says() {
        for seed in 0..200 {
            let mut bytes = Random::new(seed).bytes(300);
            bytes.extend_from_slice("häuser 家 \u{1F3E0}".as_bytes());
            bytes.truncate(300 + seed as usize % 16);
            let mut text = String::new();
            let replaced = decode_utf8(&bytes, &mut text);
            let (expected, _) = UTF_8.decode_without_bom_handling(&bytes);
            assert_eq!(text, expected);
            assert_eq!(replaced, expected.matches('\u{FFFD}').count() as u64);
        }
    }
}
