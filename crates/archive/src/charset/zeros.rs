//! Detects UTF-16 without a byte order mark by its zero bytes: markup is ASCII, so every other byte
//! of it is zero.

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

/// Number of bytes at the start of a page that are examined.
const LOOKED_AT: usize = 1 << 10;

/// Fewest pairs of bytes that give evidence.
const MIN_PAIRS: usize = 8;

/// Returns UTF-16 in the byte order that the zeros show; `None` if the page is not UTF-16.
pub(super) fn utf16(page: &[u8]) -> Option<&'static Encoding> {
    let (pairs, _) = page[..page.len().min(LOOKED_AT)].as_chunks::<2>();
    if pairs.len() < MIN_PAIRS || !pairs[..MIN_PAIRS].iter().flatten().any(|byte| *byte == 0) {
        return None;
    }
    let is_text = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
    let little = pairs.iter().filter(|pair| is_text(pair[0]) && pair[1] == 0).count();
    let big = pairs.iter().filter(|pair| pair[0] == 0 && is_text(pair[1])).count();
    if pairs.contains(&[0, 0]) || is_wide_utf8(&page[..page.len().min(LOOKED_AT)]) {
        return None;
    }
    // Half of a page's start is markup, whatever the script of its text.
    match (4 * little >= pairs.len(), 4 * big >= pairs.len()) {
        (true, false) if 8 * big <= little => Some(UTF_16LE),
        (false, true) if 8 * little <= big => Some(UTF_16BE),
        _ => None,
    }
}

/// Returns whether bytes are UTF-8 with characters beyond ASCII, perhaps cut at the end. UTF-16 is
/// seldom UTF-8 too, and then all its bytes are ASCII, as for letters below U+0800.
fn is_wide_utf8(bytes: &[u8]) -> bool {
    let is_utf8 = match str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    is_utf8 && !bytes.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(text: &str, is_big: bool) -> Vec<u8> {
        let bytes = |unit: u16| if is_big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn utf16_is_told_by_its_zeros() {
        for text in [
            "<!DOCTYPE html><html><head><meta charset=\"utf-16\"><title>Rain</title>",
            "<p>Rain fell all day.</p>",
            "<html><head><title>雨が一日中降っていた</title></head><body><p>雨が降った",
            "\n\n<html><body>Дождь шёл весь день, и дороги были закрыты",
            "<p>plain words",
        ] {
            assert_eq!(utf16(&encoded(text, false)), Some(UTF_16LE), "{text}");
            assert_eq!(utf16(&encoded(text, true)), Some(UTF_16BE), "{text}");
            assert_eq!(utf16(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn other_bytes_are_no_utf16() {
        let zeros = [0; 64];
        let mixed = [encoded("<html><body>", false), encoded("<html><body>", true)].concat();
        let stray = b"<p>Rain\0fell all day, and the roads were closed";
        let wide = "<html><body>Rain".chars().flat_map(|c| u32::from(c).to_le_bytes());
        let wide: Vec<u8> = wide.collect();
        let wide_utf8 = " \0\u{10000}\u{10000} \0\u{10000}".as_bytes();
        for bytes in [&zeros[..], &mixed, stray, &wide, wide_utf8, b"<\0p\0", b""] {
            assert_eq!(utf16(bytes), None, "{bytes:?}");
        }
    }
}
