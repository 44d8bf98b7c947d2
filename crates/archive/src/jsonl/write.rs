//! Writes strings of JSON, for rows.

use crate::charset::decode_page;
use std::io::Write;

/// Appends a text as a JSON string. It escapes the required characters, and also DEL and the C1
/// controls, which a terminal would obey.
fn push_string(text: &str, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    out.reserve(bytes.len() + 2);
    out.push(b'"');
    let mut from = 0;
    while let Some(length) = bytes[from..].iter().position(|byte| is_special(*byte)) {
        let at = from + length;
        let escape: &[u8] = match bytes[at] {
            b'"' => b"\\\"",
            b'\\' => b"\\\\",
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            b'\t' => b"\\t",
            0x8 => b"\\b",
            0xC => b"\\f",
            _ => b"",
        };
        out.extend_from_slice(&bytes[from..at]);
        from = at + 1;
        match (bytes[at], bytes.get(at + 1)) {
            _ if !escape.is_empty() => out.extend_from_slice(escape),
            // The first byte of U+0080 to U+00BF, of which the C1 controls are the first 32.
            (0xC2, Some(second @ 0x80..=0x9F)) => {
                push_code(*second, out);
                from += 1;
            }
            (0xC2, _) => out.push(0xC2),
            (control, _) => push_code(control, out),
        }
    }
    out.extend_from_slice(&bytes[from..]);
    out.push(b'"');
}

/// Appends bytes as a JSON string. Bytes that are not UTF-8 are decoded like those of a page, in
/// `decoded`.
pub(crate) fn push_text(bytes: &[u8], decoded: &mut String, out: &mut Vec<u8>) {
    if let Ok(text) = simdutf8::basic::from_utf8(bytes) {
        push_string(text, out);
    } else {
        let page = decode_page(bytes, None, None, usize::MAX, decoded);
        push_string(page.text, out);
    }
}

/// Returns the name of a column. Bytes that are not UTF-8 are decoded like those of a page.
pub(crate) fn name_of(bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        Ok(name) => name.to_owned(),
        Err(_) => decode_page(bytes, None, None, usize::MAX, &mut String::new()).text.to_owned(),
    }
}

fn is_special(byte: u8) -> bool {
    matches!(byte, 0..=0x1F | b'"' | b'\\' | 0x7F | 0xC2)
}

fn push_code(code: u8, out: &mut Vec<u8>) {
    // Writing to memory cannot fail.
    let _ = write!(out, "\\u{code:04x}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_read_back_by_others() {
        let all: String =
            (0..0x300).filter_map(char::from_u32).chain("日本\u{10FFFF}".chars()).collect();
        let mut out = Vec::new();
        push_string(&all, &mut out);
        assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), all);
        let text = String::from_utf8(out).unwrap();
        assert!(!text.chars().any(char::is_control), "{text}");
        let mut usual = serde_json::to_string(&all).unwrap();
        for code in 0x7F..0xA0 {
            let control = char::from_u32(code).unwrap().to_string();
            usual = usual.replace(&control, &format!("\\u{code:04x}"));
        }
        assert_eq!(text, usual);
    }

    #[test]
    fn bytes_in_other_encodings_are_decoded() {
        let (mut out, mut decoded) = (Vec::new(), String::new());
        push_text(b"<meta charset=koi8-r>\xF0\xD2\xC9", &mut decoded, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), "\"<meta charset=koi8-r>При\"");
    }
}
