//! The parts of a Content-Type that matter, read from what servers really send.

/// Whether a Content-Type is `text/html` or `application/xhtml+xml`: what stands before the first `;` and nothing else.
pub fn is_html_media_type(content_type: &[u8]) -> bool {
    let end = memchr::memchr(b';', content_type).unwrap_or(content_type.len());
    names_html(content_type[..end].trim_ascii())
}

/// Whether the first word is HTML or XHTML, whatever follows.
pub(crate) fn resembles_html(content_type: &[u8]) -> bool {
    names_html(&content_type[..essence_len(content_type)])
}

fn names_html(essence: &[u8]) -> bool {
    essence.eq_ignore_ascii_case(b"text/html")
        || essence.eq_ignore_ascii_case(b"application/xhtml+xml")
}

/// The first non-empty `charset` parameter of a Content-Type, unquoted and trimmed. It need not name an encoding.
///
/// Looks for `charset`, blanks, `=`: whatever junk stands between the parameters (a missing `;`, a second media type,
/// an unclosed quote) is passed over.
pub fn charset_parameter(content_type: &[u8]) -> Option<&[u8]> {
    let mut rest = &content_type[essence_len(content_type)..];
    loop {
        let equals = memchr::memchr(b'=', rest)?;
        let before = rest[..equals].trim_ascii_end();
        let name = before.iter().rposition(|&byte| ends_name(byte)).map_or(0, |at| at + 1);
        let (value, after) = value(rest[equals + 1..].trim_ascii_start());
        if before[name..].eq_ignore_ascii_case(b"charset") && !value.is_empty() {
            return Some(value);
        }
        rest = after;
    }
}

/// Splits off the value that `text` begins with.
fn value(text: &[u8]) -> (&[u8], &[u8]) {
    if let [quote @ (b'"' | b'\''), quoted @ ..] = text {
        // An unclosed quote takes what an unquoted value would.
        if let Some(end) = memchr::memchr(*quote, quoted) {
            return (quoted[..end].trim_ascii(), &quoted[end + 1..]);
        }
        return unquoted(quoted);
    }
    unquoted(text)
}

fn unquoted(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(|&byte| ends_value(byte)).unwrap_or(text.len()))
}

fn essence_len(content_type: &[u8]) -> usize {
    content_type.iter().position(|&byte| ends_value(byte)).unwrap_or(content_type.len())
}

fn ends_value(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b';' | b',')
}

fn ends_name(byte: u8) -> bool {
    ends_value(byte) || matches!(byte, b'"' | b'\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_is_known_by_its_essence() {
        for html in [
            "text/html",
            "TEXT/HTML",
            "text/html;charset=utf-8",
            "text/html ; x",
            "application/xhtml+xml; profile=x",
        ] {
            assert!(
                is_html_media_type(html.as_bytes()) && resembles_html(html.as_bytes()),
                "{html}"
            );
        }
        for almost in ["text/html charset=utf-8", "text/html, text/html", "text/html,text/plain"] {
            assert!(
                !is_html_media_type(almost.as_bytes()) && resembles_html(almost.as_bytes()),
                "{almost}"
            );
        }
        for other in
            ["", "text/plain; text/html", "text/htmlx", "text", "application/xml", ";text/html"]
        {
            assert!(
                !is_html_media_type(other.as_bytes()) && !resembles_html(other.as_bytes()),
                "{other}"
            );
        }
    }

    #[test]
    fn charset_is_found_among_junk() {
        for (content_type, expected) in [
            ("text/html; charset=utf-8", Some("utf-8")),
            ("text/html;charset=\"utf-8\"", Some("utf-8")),
            ("text/html; Charset = 'KOI8-R' ; x=y", Some("KOI8-R")),
            ("text/html charset=utf-8", Some("utf-8")),
            ("text/html; charset=\"utf-8", Some("utf-8")),
            ("text/html; charset=; charset=big5", Some("big5")),
            ("text/html; boundary=\"charset=x\"; charset=euc-jp", Some("euc-jp")),
            ("text/html; xcharset=big5", None),
            ("text/html; charset", None),
            ("text/html; charset=", None),
            ("text/html", None),
            ("text/html; charset=a, text/html; charset=b", Some("a")),
            ("text/html;\r\n charset=gbk", Some("gbk")),
        ] {
            let found = charset_parameter(content_type.as_bytes());
            assert_eq!(found, expected.map(str::as_bytes), "{content_type}");
        }
    }

    #[test]
    fn a_million_equals_signs_take_linear_time() {
        let hostile = [b"text/html;".as_slice(), &b"a=\"".repeat(1_000_000)].concat();
        assert_eq!(charset_parameter(&hostile), None);
        let hostile = [b"text/html;".as_slice(), &b"a='\"".repeat(1_000_000)].concat();
        assert_eq!(charset_parameter(&hostile), None);
    }
}
