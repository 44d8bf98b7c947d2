//! Decodes the bytes of a page to text of bounded length.

use super::decode::decode_counting;
use super::detection::{Charset, CharsetSource, detect};
use super::overrule::{as_utf8_if_certain, overrule};
use encoding_rs::{UTF_8, UTF_16BE, UTF_16LE};
use memchr::memchr;

/// A page as UTF-8.
#[derive(Clone, Copy, Debug)]
pub struct PageText<'a> {
    /// The text.
    pub text: &'a str,
    /// The encoding of its bytes.
    pub charset: Charset,
    /// Whether the page was longer than the limit and was cut there.
    pub truncated: bool,
    /// Number of U+FFFD that replace bytes that are invalid in the encoding.
    pub replacements: u64,
}

/// Detects the encoding of a page and decodes its first `max_bytes` bytes, as [`detect`] and
/// [`decode_into`](super::decode_into) do. If the cut would be within a character of UTF-8, it is
/// made before it.
///
/// A declaration is overruled ([`CharsetSource::Overruled`]) in these cases:
///
/// * More characters are invalid in the declared encoding than valid, or the page is valid UTF-8
///   but invalid in the declared encoding. The encoding detected by the bytes must do much better.
/// * All bytes are valid in the declared encoding, such as windows-1252, and the page is UTF-8 with
///   some characters beyond ASCII.
/// * The declared encoding is UTF-16, and the page has no zero byte.
pub fn decode_page<'a>(
    bytes: &'a [u8],
    http_charset: Option<&[u8]>,
    url: Option<&str>,
    max_bytes: usize,
    buffer: &'a mut String,
) -> PageText<'a> {
    let truncated = bytes.len() > max_bytes;
    let mut bytes = &bytes[..bytes.len().min(max_bytes)];
    let charset = detect(bytes, http_charset, url);
    if truncated && charset.encoding == UTF_8 {
        bytes = without_cut_character(bytes);
    }
    let is_declared = matches!(charset.source, CharsetSource::Http | CharsetSource::Meta);
    if is_declared && is_utf16(charset) && memchr(0, bytes).is_none() {
        return decode_ignoring_label((bytes, truncated), url, buffer);
    }
    if is_declared && charset.encoding.is_single_byte() {
        let whole = if truncated { without_cut_character(bytes) } else { bytes };
        if let Some(text) = as_utf8_if_certain(whole) {
            let charset = Charset { encoding: UTF_8, source: CharsetSource::Overruled };
            return PageText { text, charset, truncated, replacements: 0 };
        }
    }
    let (borrowed, mut replaced) = decode_counting(bytes, charset.encoding, buffer);
    if let Some(text) = borrowed {
        return PageText { text, charset, truncated, replacements: replaced };
    }
    if replaced > 0
        && is_declared
        && let Some(encoding) = overrule(bytes, charset.encoding, replaced, buffer, url)
    {
        let (borrowed, remaining) = decode_counting(bytes, encoding, buffer);
        if remaining.saturating_mul(8) <= replaced {
            let charset = Charset { encoding, source: CharsetSource::Overruled };
            let text = borrowed.unwrap_or(buffer);
            return PageText { text, charset, truncated, replacements: remaining };
        }
        replaced = decode_counting(bytes, charset.encoding, buffer).1;
    }
    PageText { text: buffer, charset, truncated, replacements: replaced }
}

fn is_utf16(charset: Charset) -> bool {
    [UTF_16LE, UTF_16BE].contains(&charset.encoding)
}

/// Decodes a page whose label falsely states UTF-16. Markup in UTF-16 has a zero in every other
/// byte. The declaration in the page or its bytes decide instead.
fn decode_ignoring_label<'a>(
    (bytes, truncated): (&'a [u8], bool),
    url: Option<&str>,
    buffer: &'a mut String,
) -> PageText<'a> {
    let encoding = detect(bytes, None, url).encoding;
    let bytes = if encoding == UTF_8 && truncated { without_cut_character(bytes) } else { bytes };
    let (borrowed, replaced) = decode_counting(bytes, encoding, buffer);
    let charset = Charset { encoding, source: CharsetSource::Overruled };
    PageText { text: borrowed.unwrap_or(buffer), charset, truncated, replacements: replaced }
}

/// Returns UTF-8 without the first bytes of a character that was cut off at the end.
fn without_cut_character(bytes: &[u8]) -> &[u8] {
    let tail = bytes.len().saturating_sub(3);
    match bytes[tail..].iter().rposition(|b| *b >= 0xC0) {
        Some(first) if std::str::from_utf8(&bytes[tail + first..]).is_err() => {
            &bytes[..tail + first]
        }
        _ => bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_leaves_whole_characters() {
        let mut buffer = String::new();
        let whole = "<p>\u{e4}\u{6771}x";
        for (most, expected) in [(3, 3), (4, 3), (5, 5), (6, 5), (7, 5), (8, 8), (9, 9), (10, 9)] {
            let page = decode_page(whole.as_bytes(), Some(b"utf-8"), None, most, &mut buffer);
            assert_eq!((page.text, page.truncated), (&whole[..expected], most < 9), "{most}");
        }
    }

    /// Returns the text of a page that declares `declared`, with its encoding, the evidence, and
    /// the number of replacements.
    fn read(page: &[u8], declared: &str) -> (String, &'static str, &'static str, u64) {
        let mut buffer = String::new();
        let page = decode_page(page, Some(declared.as_bytes()), None, usize::MAX, &mut buffer);
        (page.text.to_owned(), page.charset.label(), page.charset.source.name(), page.replacements)
    }

    #[test]
    fn a_declaration_that_cannot_be_right_is_overruled() {
        use encoding_rs::{GBK, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252};
        for (encoding, text) in [
            (WINDOWS_1252, "Les élèves français préfèrent le café crème à la théière"),
            (WINDOWS_1251, "Московский государственный университет имени Ломоносова"),
            (GBK, "中华人民共和国是工人阶级领导的社会主义国家"),
            (SHIFT_JIS, "日本語の文字コードを判別するための文章です。"),
        ] {
            let page = encoding.encode(text).0;
            let label = Charset { encoding, source: CharsetSource::Meta }.label();
            assert_eq!(read(&page, "utf-8"), (text.to_owned(), label, "overruled", 0));
        }
        let text = "日本語の文字コードを判別するための文章です。 élèves";
        let utf8 = (text.to_owned(), "utf-8", "overruled", 0);
        assert_eq!(read(text.as_bytes(), "euc-jp"), utf8);
        // A declaration in the page has priority over a guess.
        let meta = [b"<meta charset=iso-8859-2>".as_slice(), b"Za\xBF\xF3\xB3\xE6"].concat();
        let (text, label, source, _) = read(&meta, "utf-8");
        assert!(
            text.ends_with("Zażółć") && (label, source) == ("iso-8859-2", "overruled"),
            "{text}"
        );
    }

    #[test]
    fn utf16_is_not_believed_of_bytes_without_a_zero() {
        for (text, label) in [("<p>odd", "utf-8"), ("<p>even", "utf-8"), ("<p>é 日本", "utf-8")]
        {
            for declared in ["utf-16", "utf-16le", "utf-16be", "unicode"] {
                assert_eq!(
                    read(text.as_bytes(), declared),
                    (text.to_owned(), label, "overruled", 0)
                );
            }
        }
        let latin1 = b"<meta charset=iso-8859-1><p>caf\xE9 cr\xE8me";
        assert_eq!(read(latin1, "utf-16").1, "windows-1252");
        let utf16: Vec<u8> = "<p>日本".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(&utf16, "utf-16"), ("<p>日本".to_owned(), "utf-16le", "http", 0));
    }

    #[test]
    fn utf8_that_is_declared_as_a_single_byte_encoding_is_read_as_utf8() {
        let text = "Les élèves français préfèrent le café";
        for declared in ["iso-8859-1", "windows-1251", "koi8-r"] {
            assert_eq!(read(text.as_bytes(), declared), (text.to_owned(), "utf-8", "overruled", 0));
        }
        // With one byte that is invalid in UTF-8, the declaration is kept.
        let mixed = [text.as_bytes(), b" caf\xE9"].concat();
        assert_eq!(read(&mixed, "iso-8859-1").1, "windows-1252");
        // A cut within a character, at the limit, is not such a byte.
        let mut buffer = String::new();
        let page = decode_page(text.as_bytes(), Some(b"latin1"), None, text.len() - 1, &mut buffer);
        assert_eq!((page.text, page.charset.label()), (&text[..text.len() - 2], "utf-8"));
    }

    #[test]
    fn utf8_that_is_declared_as_utf16_is_read_as_utf8() {
        for declared in ["utf-16", "utf-16le", "UTF-16BE", "unicode"] {
            for text in ["<p>Rain fell.</p>", "<p>Les élèves</p>", "odd", "雨が降った"] {
                let wanted = (text.to_owned(), "utf-8", "overruled", 0);
                assert_eq!(read(text.as_bytes(), declared), wanted, "{declared}");
            }
            let little: Vec<u8> =
                "<p>Rain fell.".encode_utf16().flat_map(u16::to_le_bytes).collect();
            assert_eq!(read(&little, declared).1, "utf-16le", "{declared}");
        }
        let meta = "<meta charset=utf-16><p>élève";
        assert_eq!(read(meta.as_bytes(), "").1, "utf-8");
    }

    #[test]
    fn a_declaration_that_may_be_right_stands_and_damage_is_counted() {
        let mixed = ["élèves français".as_bytes(), b" caf\xE9 ", "théière".as_bytes()].concat();
        let (text, label, source, replaced) = read(&mixed, "utf-8");
        assert_eq!((label, source, replaced), ("utf-8", "http", 1));
        assert_eq!(text, "élèves français caf\u{fffd} théière");
        // A U+FFFD that the page itself holds is not counted.
        assert_eq!(read("a\u{fffd}b".as_bytes(), "utf-8").3, 0);
        assert_eq!(read(b"\xEF\xBF\xBD\xC3\xA9\xC3\xA9\xC3", "utf-8").3, 1);
        // Any bytes are valid windows-1252, and two characters of UTF-8 may be chance.
        let mojibake = ("Ã©Ã¨".to_owned(), "windows-1252", "http", 0);
        assert_eq!(read("éè".as_bytes(), "latin1"), mojibake);
    }
}
