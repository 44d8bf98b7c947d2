//! Where records begin and end in plain bytes.
//!
//! Pure functions over slices, shared by the fast path, which has a whole member before it, and by the stream, which
//! sees a growing window. Each one looks at a byte once, or at a bounded number of bytes from each candidate, so all of
//! them are linear whatever the bytes are.

use crate::header::{VersionLine, WarcHeader, version_line};
use crate::limits::Limits;
use memchr::{memchr, memchr_iter};

/// Bytes that must lie behind a candidate before it can be judged: a version line, and the name of a field.
pub(crate) const START_BYTES: usize = 256;

/// Longest field name that makes a record plausible.
const NAME_BYTES: usize = 96;

/// The first plausible start of a record in `bytes`, at which no more than `bytes.len() - START_BYTES` bytes may lie
/// before it unless `bytes` is `whole`, i.e. nothing follows.
///
/// Plausible is a version line followed by a line that looks like `Name: value`. Where the version line doesn't begin a
/// line (something was cut, and a record written behind it) the name must be one that WARC uses, for prose about WARC
/// exists. `line_start` tells whether `bytes` begin at the start of a line.
pub(crate) fn find_start(bytes: &[u8], line_start: bool, whole: bool) -> Option<usize> {
    const NAME: &[u8] = b"WARC";
    let last = if whole { bytes.len() } else { bytes.len().saturating_sub(START_BYTES) };
    // The slash is the rarest byte of `WARC/`.
    for slash in memchr_iter(b'/', bytes) {
        let Some(start) = slash.checked_sub(NAME.len()) else { continue };
        if start >= last {
            return None;
        }
        if bytes[start..slash].eq_ignore_ascii_case(NAME)
            && let VersionLine::Whole(len) = version_line(&bytes[start..])
            && let Some(name) = field_name(&bytes[start + len..])
        {
            let begins_line = if start == 0 { line_start } else { bytes[start - 1] == b'\n' };
            let begins_with = |prefix: &str| {
                name.get(..prefix.len()).is_some_and(|n| n.eq_ignore_ascii_case(prefix.as_bytes()))
            };
            if begins_line || begins_with("WARC-") || begins_with("Content-") {
                return Some(start);
            }
        }
    }
    None
}

/// The name of the field that `bytes` begin with.
fn field_name(bytes: &[u8]) -> Option<&[u8]> {
    let head = &bytes[..bytes.len().min(NAME_BYTES)];
    let name = head[..memchr(b':', head)?].trim_ascii_end();
    let token = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (!name.is_empty() && name.iter().all(token)).then_some(name)
}

/// Looks for the end of a header in a window that grows, without looking at a line twice.
#[derive(Debug, Default)]
pub(crate) struct HeaderScan {
    /// Start of the first line that has not been seen whole.
    line: usize,
    /// Start of the field which that line belongs to.
    field: usize,
    /// How far the line has been searched for its end.
    seen: usize,
}

/// What a [`HeaderScan`] found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum HeaderEnd {
    /// The header is this long, its blank line included.
    At(usize),
    /// At this place, before any blank line, another version line begins.
    Interrupted(usize),
    /// The header, or one of its lines, is over the limits; the line where this shows begins at this place.
    TooLarge(usize),
    /// It is not in the window yet.
    Beyond,
}

impl HeaderScan {
    /// Goes on in `bytes`, which begin with the record and are those of the last call or more.
    pub(crate) fn advance(&mut self, bytes: &[u8], limits: &Limits) -> HeaderEnd {
        while let Some(lf) = memchr(b'\n', &bytes[self.seen..]) {
            let end = self.seen + lf + 1;
            let line = &bytes[self.line..end];
            if self.line > 0 && matches!(line, b"\n" | b"\r\n") {
                let fits = end <= limits.header_bytes;
                return if fits { HeaderEnd::At(end) } else { HeaderEnd::TooLarge(self.line) };
            }
            if !matches!(line[0], b' ' | b'\t') {
                self.field = self.line;
            }
            if self.line > 0 && version_line(line) != VersionLine::Absent {
                return HeaderEnd::Interrupted(self.line);
            }
            if end - self.field > limits.header_line_bytes || end > limits.header_bytes {
                return HeaderEnd::TooLarge(self.line);
            }
            self.line = end;
            self.seen = end;
        }
        self.seen = bytes.len();
        // The rest is a line without its end; only if it can't be a fold does it begin a field.
        let unfinished = match bytes.get(self.line) {
            Some(b' ' | b'\t') => self.field,
            _ => self.line,
        };
        if bytes.len() - unfinished > limits.header_line_bytes || bytes.len() > limits.header_bytes
        {
            return HeaderEnd::TooLarge(self.line);
        }
        HeaderEnd::Beyond
    }
}

/// The length of `block` without the blank line that a writer puts behind a block.
pub(crate) fn without_blank_line(block: &[u8]) -> usize {
    [&b"\r\n\r\n"[..], b"\n\n"]
        .iter()
        .find_map(|end| block.strip_suffix(*end))
        .unwrap_or(block)
        .len()
}

/// The number of bytes of up to two line ends that `bytes` begin with.
pub(crate) fn line_ends(bytes: &[u8]) -> usize {
    let one = |bytes: &[u8]| match bytes {
        [b'\r', b'\n', ..] => 2,
        [b'\n', ..] => 1,
        _ => 0,
    };
    let first = one(bytes);
    first + one(&bytes[first..])
}

/// A record that is as it should be.
#[derive(Debug)]
pub(crate) struct Framed {
    /// Length of its header.
    pub(crate) header: usize,
    /// Length of header and block.
    pub(crate) len: usize,
    /// Length with the line ends that follow it.
    pub(crate) end: usize,
}

/// The record that `bytes` begin with, if it is sound, within the limits, and wholly there.
pub(crate) fn sound_record(bytes: &[u8], limits: &Limits) -> Option<Framed> {
    let parsed = WarcHeader::parse(bytes)?;
    if !parsed.is_sound(limits) {
        return None;
    }
    let header = parsed.as_bytes().len();
    let len = record_len(header, parsed.content_length().ok()?);
    if len > limits.record_bytes as u64 || len > bytes.len() as u64 {
        return None;
    }
    let len = len as usize;
    Some(Framed { header, len, end: len + line_ends(&bytes[len..]) })
}

/// Length of a record by the lengths of its parts; a claim may be anything.
pub(crate) fn record_len(header: usize, content_length: u64) -> u64 {
    content_length.saturating_add(header as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &[u8] = b"WARC/1.0\r\nWARC-Type: x\r\nContent-Length: 2\r\n\r\nab\r\n\r\n";

    #[test]
    fn a_start_needs_a_version_line_and_a_field() {
        let find = |bytes: &[u8]| find_start(bytes, true, true);
        assert_eq!(find(RECORD), Some(0));
        assert_eq!(find(&[b"junk\n", RECORD].concat()), Some(5));
        assert_eq!(find(&[b"cut", RECORD].concat()), Some(3));
        assert_eq!(find(b"xWARC/1.0\r\nA: b\r\n"), None);
        assert_eq!(find(b"x\nWARC/1.0\r\nA: b\r\n"), Some(2));
        assert_eq!(find(b"WARC/1.0\r\n\r\n"), None);
        assert_eq!(find(b"WARC/1.0\r\nsome words: b\r\n"), None);
        assert_eq!(find(b"WARC/1.0 x WARC/1.0\r\nWARC/1.0\r\n\r\n"), None);
        assert_eq!(find_start(b"WARC/1.0\r\nA: b\r\n", false, true), None);
        assert_eq!(find(b"ARC/1.0\r\nA: b\r\n"), None);
    }

    #[test]
    fn a_start_near_the_end_waits_for_what_follows() {
        let bytes = [b"\n".repeat(100).as_slice(), RECORD].concat();
        assert_eq!(find_start(&bytes, true, false), None);
        let more = [bytes.as_slice(), &[b'x'; START_BYTES]].concat();
        assert_eq!(find_start(&more, true, false), Some(100));
    }

    #[test]
    fn header_scan_gives_the_same_at_every_split() {
        let limits = Limits::default();
        let folded = b"WARC/1.0\r\nA: b\r\n c\r\n\r\nblock\n\n";
        let interrupted = b"WARC/1.0\r\nA: b\r\nWARC/1.1\r\nC: d\r\n\r\n";
        let cases = [
            (RECORD, HeaderEnd::At(45)),
            (folded, HeaderEnd::At(22)),
            (interrupted, HeaderEnd::Interrupted(16)),
        ];
        for (bytes, expected) in cases {
            for step in 1..bytes.len() {
                let mut scan = HeaderScan::default();
                let found = (step..bytes.len() + step)
                    .step_by(step)
                    .map(|end| scan.advance(&bytes[..end.min(bytes.len())], &limits))
                    .find(|end| *end != HeaderEnd::Beyond);
                assert_eq!(found.as_ref(), Some(&expected), "{step}");
            }
        }
    }

    #[test]
    fn header_scan_keeps_to_the_limits() {
        let limits = Limits { header_bytes: 60, header_line_bytes: 20, ..Limits::default() };
        let scan = |bytes: &[u8]| HeaderScan::default().advance(bytes, &limits);
        assert_eq!(scan(b"WARC/1.0\r\nA: 0123456789"), HeaderEnd::Beyond);
        assert_eq!(scan(b"WARC/1.0\r\nA: 012345678901234567"), HeaderEnd::TooLarge(10));
        assert_eq!(scan(b"WARC/1.0\r\nA: 0123\r\n 0123\r\n 0123\r\n\r\n"), HeaderEnd::TooLarge(26));
        assert_eq!(
            scan(&[b"WARC/1.0\r\n".as_slice(), &b"A: b\r\n".repeat(9)].concat()),
            HeaderEnd::TooLarge(58)
        );
    }

    #[test]
    fn trailing_lines_are_counted() {
        for (bytes, ends) in [
            ("", 0),
            ("\r\n", 2),
            ("\r\n\r\n", 4),
            ("\n\n\n", 2),
            ("\n\r\nx", 3),
            ("\r", 0),
            ("x\n", 0),
        ] {
            assert_eq!(line_ends(bytes.as_bytes()), ends, "{bytes:?}");
        }
        assert_eq!(without_blank_line(b"ab\r\n\r\n"), 2);
        assert_eq!(without_blank_line(b"ab\n\n\n"), 3);
        assert_eq!(without_blank_line(b"ab\r\n"), 4);
    }

    #[test]
    fn sound_records_only() {
        let limits = Limits::default();
        let framed = sound_record(RECORD, &limits).unwrap();
        assert_eq!((framed.header, framed.len, framed.end), (45, 47, 51));
        assert!(sound_record(&RECORD[..46], &limits).is_none());
        assert!(sound_record(RECORD, &Limits { record_bytes: 46, ..limits }).is_none());
    }
}
