//! Reads the few WARC and HTTP header fields that counting pages needs.

/// Splits an HTTP message into its header (with the empty line) and its body.
///
/// A message without an empty line is all header.
pub fn split_http(message: &[u8]) -> (&[u8], &[u8]) {
    let mut line = 0;
    while let Some(length) = message[line..].iter().position(|&byte| byte == b'\n') {
        let end = line + length + 1;
        if matches!(&message[line..end], b"\n" | b"\r\n") {
            return message.split_at(end);
        }
        line = end;
    }
    (message, &[])
}

/// Returns the trimmed value of the first field called `name`, in any letter case.
pub fn field<'a>(header: &'a [u8], name: &str) -> Option<&'a [u8]> {
    header.split(|&byte| byte == b'\n').find_map(|line| {
        let colon = line.iter().position(|&byte| byte == b':')?;
        let (key, value) = (&line[..colon], &line[colon + 1..]);
        key.eq_ignore_ascii_case(name.as_bytes()).then(|| value.trim_ascii())
    })
}

/// Returns whether an HTTP `Content-Type` is HTML: `text/html` or `application/xhtml+xml`.
///
/// Every peer, including those in Python, makes the same test for the letters `html`.
pub fn is_html(content_type: &[u8]) -> bool {
    content_type.windows(4).any(|window| window.eq_ignore_ascii_case(b"html"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_at_the_first_empty_line() {
        let message = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>\r\n\r\n";
        let (header, body) = split_http(message);
        assert!(header.ends_with(b"text/html\r\n\r\n"));
        assert_eq!(body, b"<p>\r\n\r\n");
        assert_eq!(split_http(b"A: 1\n\nbody").1, b"body");
        assert_eq!(split_http(b"no end").1, b"");
    }

    #[test]
    fn finds_fields_in_any_case() {
        let header = b"HTTP/1.1 200 OK\r\ncontent-TYPE:  text/HTML; charset=x \r\n\r\n";
        let value = field(header, "Content-Type");
        assert_eq!(value, Some(&b"text/HTML; charset=x"[..]));
        assert!(value.is_some_and(is_html));
        assert!(!is_html(b"text/plain"));
        assert_eq!(field(header, "Content-Length"), None);
    }
}
