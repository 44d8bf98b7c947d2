//! Bytes of any encoding as UTF-8.

use super::detection::Charset;
use encoding_rs::{DecoderResult, Encoding, UTF_8};

/// The text of `page`, without its byte order mark.
///
/// Bytes that are invalid in the encoding become U+FFFD. The text is a part of `page` if the encoding is UTF-8 and `page` is
/// valid, or if `page` is ASCII and the encoding extends ASCII. Otherwise it replaces the contents of `buffer`, which grows as far
/// as the encoding may need, and at the next call frees memory beyond 8 MiB.
pub fn decode_into<'a>(page: &'a [u8], charset: Charset, buffer: &'a mut String) -> &'a str {
    match decode_counting(page, charset.encoding, buffer) {
        (Some(text), _) => text,
        (None, _) => buffer,
    }
}

/// The text of `page` if it is a part of `page`; otherwise the text is in `buffer`. With it the number of U+FFFD that stand for
/// invalid bytes.
pub(super) fn decode_counting<'a>(
    page: &'a [u8],
    encoding: &'static Encoding,
    buffer: &mut String,
) -> (Option<&'a str>, u64) {
    const KEEP: usize = 2 << 20;
    // The decoder is called once more for each invalid place, and a call may look at its whole input: with a longer piece, a page of
    // nothing but invalid bytes would take minutes.
    const PIECE: usize = 4 << 10;
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
    let mut replaced = 0;
    let mut decoder = encoding.new_decoder_without_bom_handling();
    // A byte may become three bytes of UTF-8. Reserving in steps avoids three times the memory for a very large page.
    let mut rest = page;
    loop {
        let piece = rest.len().min(PIECE);
        let last = piece == rest.len();
        if let Some(room) = decoder.max_utf8_buffer_length(piece) {
            buffer.reserve(room);
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
