//! Decodes the bytes of a page to text, for peers that take text only.
//!
//! The first of these decides: byte order mark, HTTP charset, valid UTF-8, `<meta charset>`,
//! detector. Valid UTF-8 comes before `<meta>`: on pages where the two disagree, `<meta>` is
//! usually wrong. Invalid bytes become U+FFFD.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;

/// Number of bytes in which `<meta charset>` is searched, as in the WHATWG prescan.
const PRESCAN: usize = 1024;

/// Decodes a page, or borrows it if it is already UTF-8.
pub fn decode<'a>(body: &'a [u8], http_charset: Option<&str>) -> Cow<'a, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(body) {
        return encoding.decode_without_bom_handling(&body[mark..]).0;
    }
    if let Some(encoding) = http_charset.and_then(|name| Encoding::for_label(name.as_bytes())) {
        return encoding.decode_without_bom_handling(body).0;
    }
    if let Ok(text) = std::str::from_utf8(body) {
        return Cow::Borrowed(text);
    }
    let encoding = meta_charset(body).unwrap_or_else(|| detect(body));
    encoding.decode_without_bom_handling(body).0
}

/// Returns the encoding named after the first `charset=` near the start of the page.
fn meta_charset(body: &[u8]) -> Option<&'static Encoding> {
    const KEY: &[u8] = b"charset=";
    let head = &body[..body.len().min(PRESCAN)];
    let at = head.windows(KEY.len()).position(|window| window.eq_ignore_ascii_case(KEY))?;
    let value = head[at + KEY.len()..].trim_ascii_start();
    let value = value.strip_prefix(b"\"").or(value.strip_prefix(b"'")).unwrap_or(value);
    let is_label = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_:".contains(byte);
    let end = value.iter().position(|byte| !is_label(byte)).unwrap_or(value.len());
    Encoding::for_label(&value[..end])
}

fn detect(body: &[u8]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(body, true);
    detector.guess(None, Utf8Detection::Allow)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf8_is_borrowed() {
        assert!(matches!(decode("<p>\u{e9}".as_bytes(), None), Cow::Borrowed("<p>\u{e9}")));
        assert!(matches!(decode("<p>\u{e9}".as_bytes(), Some("utf-8")), Cow::Borrowed(_)));
    }

    #[test]
    fn labels_are_followed() {
        assert_eq!(decode(b"\xe9", Some("cp1252")), "\u{e9}");
        assert_eq!(decode(b"<meta charset='windows-1251'>\xe9", None).chars().last(), Some('й'));
        assert_eq!(decode(b"\xff\xfea\0", None), "a");
    }
}
