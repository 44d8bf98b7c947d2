//! Parses the media type and charset of a Content-Type, including the malformed ones that servers
//! send.

/// Returns whether a Content-Type is `text/html` or `application/xhtml+xml`. Case and parameters
/// are ignored.
pub fn is_html_media_type(content_type: &[u8]) -> bool {
    let end = memchr::memchr(b';', content_type).unwrap_or(content_type.len());
    names_html(content_type[..end].trim_ascii())
}

/// Returns whether the first word of a Content-Type is `text/html` or `application/xhtml+xml`,
/// whatever follows.
pub(crate) fn resembles_html(content_type: &[u8]) -> bool {
    names_html(&content_type[..essence_len(content_type)])
}

/// The kind of body that a Content-Type, or a guess of one, states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MediaKind {
    /// HTML or XHTML.
    Html,
    /// XML of unknown kind.
    Xml,
    /// Anything else.
    Other,
    /// Unknown: the value is not a media type, or one that servers use for an unknown type (WHATWG
    /// MIME Sniffing, section 7).
    Unknown,
}

/// Classifies the first media type in a Content-Type.
pub(crate) fn classify(content_type: &[u8]) -> MediaKind {
    let essence = &content_type[..essence_len(content_type)];
    let is = |known: &[u8]| essence.eq_ignore_ascii_case(known);
    if names_html(essence) {
        MediaKind::Html
    } else if is(b"text/xml") || is(b"application/xml") {
        MediaKind::Xml
    } else if is(b"unknown/unknown") || is(b"application/unknown") || is(b"*/*") {
        MediaKind::Unknown
    } else {
        let mut parts = essence.split(|&byte| byte == b'/');
        let is_type = [parts.next(), parts.next()].iter().all(|part| part.is_some_and(is_token));
        if is_type && parts.next().is_none() { MediaKind::Other } else { MediaKind::Unknown }
    }
}

/// Returns whether this is a token of HTTP.
fn is_token(text: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    !text.is_empty() && text.iter().all(is_part)
}

fn names_html(essence: &[u8]) -> bool {
    essence.eq_ignore_ascii_case(b"text/html")
        || essence.eq_ignore_ascii_case(b"application/xhtml+xml")
}

/// Returns the first non-empty `charset` parameter of a Content-Type, unquoted and trimmed. It may
/// be unknown.
///
/// Searches for `charset`, blanks and `=`, and skips any junk between the parameters: a missing
/// `;`, a second media type, an unclosed quote.
pub fn charset_parameter(content_type: &[u8]) -> Option<&[u8]> {
    let mut rest = &content_type[essence_len(content_type)..];
    loop {
        let equals = memchr::memchr(b'=', rest)?;
        let before = rest[..equals].trim_ascii_end();
        let name = before.iter().rposition(|&byte| ends_name(byte)).map_or(0, |at| at + 1);
        let (value, after) = split_value(rest[equals + 1..].trim_ascii_start());
        if before[name..].eq_ignore_ascii_case(b"charset") && !value.is_empty() {
            return Some(value);
        }
        rest = after;
    }
}

/// Splits `text` after the value with which it begins.
fn split_value(text: &[u8]) -> (&[u8], &[u8]) {
    if let [quote @ (b'"' | b'\''), quoted @ ..] = text {
        // After an unclosed quote the value ends where an unquoted one would.
        if let Some(end) = memchr::memchr(*quote, quoted) {
            return (quoted[..end].trim_ascii(), &quoted[end + 1..]);
        }
        return split_unquoted(quoted);
    }
    split_unquoted(text)
}

fn split_unquoted(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(|&byte| ends_value(byte)).unwrap_or(text.len()))
}

/// Returns the length in bytes of the first word of a Content-Type.
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
    fn html_is_recognised_by_its_media_type() {
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
