//! Decodes the escapes of JSON strings.

use memchr::memchr;

/// Appends `text`, the inside of a string that the scanner has checked, with its escapes decoded.
/// Lone surrogates become U+FFFD.
pub(super) fn unescape(text: &str, out: &mut String) {
    // An escape is at least as long as its character.
    out.reserve(text.len());
    let mut rest = text;
    while let Some(at) = memchr(b'\\', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        let (char, length) = match rest.as_bytes().get(at + 1) {
            Some(b'b') => ('\u{8}', 2),
            Some(b'f') => ('\u{C}', 2),
            Some(b'n') => ('\n', 2),
            Some(b'r') => ('\r', 2),
            Some(b't') => ('\t', 2),
            Some(b'u') => decode_unicode_escape(&rest[at..]),
            // The escape is a quote, backslash or solidus.
            Some(&other) => (char::from(other), 2),
            None => break,
        };
        out.push(char);
        rest = &rest[at + length..];
    }
    out.push_str(rest);
}

/// Returns whether the `\uXXXX` with which `text` begins is a lone half of a pair, and the length
/// of the escape or pair in bytes.
pub(super) fn is_lone_surrogate(text: &str) -> (bool, usize) {
    let (char, length) = decode_unicode_escape(text);
    let is_literal = code_unit(text) == Some(u32::from(char::REPLACEMENT_CHARACTER));
    (char == char::REPLACEMENT_CHARACTER && !is_literal, length)
}

/// Returns the character of a `\uXXXX` or of a pair of them, and the length of the escape in bytes.
fn decode_unicode_escape(escape: &str) -> (char, usize) {
    const HIGH: std::ops::RangeInclusive<u32> = 0xD800..=0xDBFF;
    const LOW: std::ops::RangeInclusive<u32> = 0xDC00..=0xDFFF;
    let unit = code_unit(escape).unwrap_or(0xFFFD);
    if HIGH.contains(&unit)
        && let Some(low) = escape.get(6..).and_then(code_unit)
        && LOW.contains(&low)
    {
        let scalar = 0x1_0000 + ((unit - HIGH.start()) << 10) + (low - LOW.start());
        return (char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER), 12);
    }
    (char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER), 6)
}

/// Returns the number in the `\uXXXX` with which `text` begins.
fn code_unit(text: &str) -> Option<u32> {
    text.strip_prefix("\\u")?.get(..4).and_then(|digits| u32::from_str_radix(digits, 16).ok())
}
