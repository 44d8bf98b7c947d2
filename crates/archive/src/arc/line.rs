//! Parses the first line of an ARC record.
//!
//! Writers deviated from the format: URLs and media types hold blanks, and the date has 12 to 17
//! digits or comes before the address. The parser therefore first searches for the two recognisable
//! fields, IP address and date side by side. The URL comes before them; the last field is the
//! length.

use crate::warc::header::{ContentLengthError, digits};
use crate::warc::version_line::VersionLine;
use memchr::{memchr, memmem};

/// Longest header line in bytes, its line end included. A longer line is text that happens to begin
/// like one. Crawlers fetched URLs of at most 2 KiB.
pub(crate) const LINE_BYTES: usize = 8 << 10;

/// The beginning of the URL of the version block, which is the first record of a file.
const VERSION_BLOCK: &[u8] = b"filedesc://";

/// The beginnings of URLs that crawlers fetch.
const SCHEMES: [&[u8]; 5] = [b"http://", b"https://", b"dns:", b"ftp://", VERSION_BLOCK];

/// The fields of a header line, without its line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ArcLine<'a> {
    pub(crate) url: &'a [u8],
    pub(crate) ip: &'a [u8],
    /// Digits, `YYYYMMDDhhmmss`; any text in a version block.
    pub(crate) date: &'a [u8],
    /// It may be empty, or not a media type at all, such as `no-type`.
    pub(crate) media_type: &'a [u8],
    /// The length as text; see [`ArcLine::content_length`].
    pub(crate) length: &'a [u8],
}

impl<'a> ArcLine<'a> {
    /// Parses the line with which `bytes` begin; its line end may be missing.
    pub(crate) fn parse(bytes: &'a [u8]) -> Option<Self> {
        let line = without_line_end(bytes);
        if !begins_with_scheme(line) {
            return None;
        }
        Self::fields(line).or_else(|| Self::version_block(line))
    }

    /// Splits a line into fields, whatever its URL begins with.
    fn fields(line: &'a [u8]) -> Option<Self> {
        let mut from = 0;
        loop {
            // The blank that presumably ends the URL.
            let url = from + memchr(b' ', &line[from..])?;
            from = url + 1;
            let (first, after) = field(&line[from..])?;
            let (second, rest) = field(after)?;
            let (ip, date) = if is_date(second) && is_ip(first) {
                (first, second)
            } else if is_date(first) && is_ip(second) {
                (second, first)
            } else {
                continue;
            };
            let (media_type, length) = media_type_and_length(rest);
            return Some(ArcLine { url: &line[..url], ip, date, media_type, length });
        }
    }

    /// Splits the line of a version block, whose fields may hold any text, such as dashes.
    fn version_block(line: &'a [u8]) -> Option<Self> {
        if !line.starts_with(VERSION_BLOCK) {
            return None;
        }
        let url = memchr(b' ', line)?;
        let (ip, rest) = field(&line[url + 1..])?;
        let (date, rest) = field(rest)?;
        let (media_type, length) = media_type_and_length(rest);
        Some(ArcLine { url: &line[..url], ip, date, media_type, length })
    }

    /// Returns whether this is the first record of a file, which describes the file.
    pub(crate) fn is_version_block(&self) -> bool {
        self.url.starts_with(VERSION_BLOCK)
    }

    /// Returns the claimed length of the block in bytes.
    pub(crate) fn content_length(&self) -> Result<u64, ContentLengthError> {
        if self.length.is_empty() { Err(ContentLengthError::Missing) } else { digits(self.length) }
    }
}

/// Checks whether `bytes` begin with a header line.
pub(crate) fn header_line(bytes: &[u8]) -> VersionLine {
    let head = &bytes[..bytes.len().min(LINE_BYTES)];
    match memchr(b'\n', head) {
        Some(end) if ArcLine::parse(&head[..end]).is_some() => VersionLine::Whole(end + 1),
        None if bytes.len() < LINE_BYTES && may_begin(head) => VersionLine::Unfinished,
        _ => VersionLine::Absent,
    }
}

/// Returns the start of a header line within a line of text, if the rest of the line is one. That
/// happens if a block was cut off and the next record follows at once. Its URL must have a scheme
/// that crawlers fetch, and hold no blanks.
pub(crate) fn header_within(line: &[u8]) -> Option<usize> {
    let line = without_line_end(line);
    let fields = ArcLine::fields(line)?;
    fields.content_length().ok()?;
    let word = memchr::memrchr(b' ', fields.url).map_or(0, |blank| blank + 1);
    let found = SCHEMES.iter().filter_map(|scheme| memmem::find(&fields.url[word..], scheme)).min();
    found.map(|at| word + at)
}

/// Returns whether a line among damaged bytes is a header line: complete, with a length that is a
/// number.
pub(crate) fn is_plain_header(line: &[u8]) -> bool {
    ArcLine::parse(line).is_some_and(|line| line.content_length().is_ok())
}

/// Returns whether a line begins with a URL that crawlers fetch.
pub(crate) fn begins_with_known_scheme(line: &[u8]) -> bool {
    SCHEMES.iter().any(|scheme| line.starts_with(scheme))
}

/// Returns whether an unfinished line may become a header line.
fn may_begin(bytes: &[u8]) -> bool {
    const MAX_SCHEME_BYTES: usize = 16;
    let bytes = &bytes[..bytes.len().min(MAX_SCHEME_BYTES + 1)];
    let word = bytes.iter().take_while(|byte| is_scheme_byte(**byte)).count();
    match bytes.get(word) {
        Some(b':') => word > 0 && bytes[0].is_ascii_alphabetic(),
        Some(_) => false,
        None => word <= MAX_SCHEME_BYTES && bytes.first().is_none_or(u8::is_ascii_alphabetic),
    }
}

fn begins_with_scheme(line: &[u8]) -> bool {
    memchr(b':', line).is_some() && may_begin(line)
}

fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

fn without_line_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Returns the field with which `bytes` begin, and the bytes after its blank.
fn field(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = memchr(b' ', bytes)?;
    (end > 0).then(|| (&bytes[..end], &bytes[end + 1..]))
}

/// Returns the media type and the length from the fields after address and date. Version 2 has five
/// other fields between them.
fn media_type_and_length(rest: &[u8]) -> (&[u8], &[u8]) {
    let (before, length) = last_field(rest);
    let (mut media_type, mut cut) = (before, before);
    for _ in 0..5 {
        cut = last_field(cut).0;
    }
    let result = last_field(before_last(before, 4)).1;
    let is_version_2 = !cut.is_empty()
        && (result == b"-" || result.len() == 3 && result.iter().all(u8::is_ascii_digit));
    if is_version_2 {
        media_type = cut;
    }
    (media_type.trim_ascii(), length)
}

/// Returns the bytes before the last `count` fields.
fn before_last(bytes: &[u8], count: usize) -> &[u8] {
    (0..count).fold(bytes, |bytes, _| last_field(bytes).0)
}

/// Returns the bytes before the last field and its blank, and the last field.
fn last_field(bytes: &[u8]) -> (&[u8], &[u8]) {
    let bytes = bytes.trim_ascii_end();
    match memchr::memrchr(b' ', bytes) {
        Some(blank) => (&bytes[..blank], &bytes[blank + 1..]),
        None => (&[], bytes),
    }
}

fn is_date(field: &[u8]) -> bool {
    (12..=17).contains(&field.len()) && field.iter().all(u8::is_ascii_digit)
}

/// Returns whether a field can be an IP address of version 4 or 6, or a word for an unknown
/// address.
fn is_ip(field: &[u8]) -> bool {
    let is_address = |byte: &u8| byte.is_ascii_hexdigit() || matches!(byte, b'.' | b':');
    field == b"-"
        || field == b"unknown"
        || field.iter().all(is_address) && field.iter().any(|byte| matches!(byte, b'.' | b':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(line: &str) -> Option<[String; 5]> {
        let text = |bytes: &[u8]| bytes.escape_ascii().to_string();
        ArcLine::parse(line.as_bytes())
            .map(|line| [line.url, line.ip, line.date, line.media_type, line.length].map(text))
    }

    #[test]
    fn lines_of_both_versions_are_taken_apart() {
        for (line, wanted) in [
            (
                "http://a/ 1.2.3.4 20010203040506 text/html 77",
                ["http://a/", "1.2.3.4", "20010203040506", "text/html", "77"],
            ),
            (
                "http://a/x y&z 1.2.3.4 2001020304050607 text/html; charset=x 77\r\n",
                ["http://a/x y&z", "1.2.3.4", "2001020304050607", "text/html; charset=x", "77"],
            ),
            (
                "http://a/ 20010203040506 1.2.3.4 text/plain 285",
                ["http://a/", "1.2.3.4", "20010203040506", "text/plain", "285"],
            ),
            (
                "http://a/ 1.2.3.4 20010203040506 text/html 200 fac06 - 209 IA-1.arc 202",
                ["http://a/", "1.2.3.4", "20010203040506", "text/html", "202"],
            ),
            (
                "filedesc://IA.arc 0.0.0.0 19960923142103 text/plain 200 - - 0 IA.arc 122",
                ["filedesc://IA.arc", "0.0.0.0", "19960923142103", "text/plain", "122"],
            ),
            ("filedesc:// - - - 76", ["filedesc://", "-", "-", "-", "76"]),
            (
                "dns:a.b ::1 20010203040506 text/dns -2046788874",
                ["dns:a.b", "::1", "20010203040506", "text/dns", "-2046788874"],
            ),
            ("http://a/ - 20010203040506 77", ["http://a/", "-", "20010203040506", "", "77"]),
        ] {
            assert_eq!(fields(line), Some(wanted.map(str::to_owned)), "{line}");
        }
    }

    #[test]
    fn other_lines_are_no_headers() {
        for line in [
            "",
            "http://a/",
            "see http://a/ 1.2.3.4 20010203040506 text/html 77",
            "http://a/ 1.2.3.4 2001 text/html 77",
            "http://a/ beef 20010203040506 text/html 77",
            "1http://a/ 1.2.3.4 20010203040506 text/html 77",
            "WARC/1.0",
            "{\"url\":\"http://a/ 1.2.3.4 20010203040506 text/html 77",
        ] {
            assert_eq!(fields(line), None, "{line}");
        }
    }

    #[test]
    fn a_line_is_judged_once_its_end_is_there() {
        let line = b"http://a/ 1.2.3.4 20010203040506 text/html 77\n";
        assert_eq!(header_line(line), VersionLine::Whole(line.len()));
        for cut in 0..line.len() {
            assert_eq!(header_line(&line[..cut]), VersionLine::Unfinished, "{cut}");
        }
        assert_eq!(header_line(b"<html>"), VersionLine::Absent);
        assert_eq!(header_line(&[b'h'; 100]), VersionLine::Absent);
        assert_eq!(
            header_line(&[b"http:", [b'x'; LINE_BYTES].as_slice()].concat()),
            VersionLine::Absent
        );
    }

    #[test]
    fn a_header_is_found_after_a_block_that_was_cut() {
        let line = b"<p>some text http://x/ was<p>cuthttp://a/ 1.2.3.4 20010203040506 text/html 77";
        assert_eq!(header_within(line), Some(32));
        assert_eq!(header_within(b"<p>cut 1.2.3.4 20010203040506 text/html 77"), None);
        assert_eq!(header_within(b"http://a/ 1.2.3.4 20010203040506 text/html x"), None);
    }
}
