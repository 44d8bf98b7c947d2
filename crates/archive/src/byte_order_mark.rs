//! Passes over the byte order mark of UTF-8, which editors and spreadsheets write before a text.

/// The byte order mark of UTF-8.
pub(crate) const MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns a line without the byte order marks before it. Files that were put one after another
/// have them before any line.
///
/// ```
/// use huller_archive::without_mark;
///
/// assert_eq!(without_mark(b"\xef\xbb\xbfhttps://a.test/"), b"https://a.test/");
/// ```
pub fn without_mark(mut line: &[u8]) -> &[u8] {
    while let Some(rest) = line.strip_prefix(MARK) {
        line = rest;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_marks_before_a_line_are_passed_over() {
        for (line, expected) in [
            ("\u{feff}\u{feff}a\u{feff}".as_bytes(), "a\u{feff}".as_bytes()),
            ("\u{feff}".as_bytes(), b""),
            (b"\xef\xbba", b"\xef\xbba"),
            (b" a", b" a"),
            (b"", b""),
        ] {
            assert_eq!(without_mark(line), expected);
        }
    }
}
