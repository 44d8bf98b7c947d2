//! Finds the end of a record's header.

use super::version_line::{VersionLine, version_line};
use crate::limits::Limits;
use memchr::memchr;

/// A search for the end of a header in a growing window. It examines each line once.
#[derive(Debug, Default)]
pub(crate) struct HeaderScan {
    /// Start of the first line whose end has not been seen.
    line: usize,
    /// Start of the field to which this line belongs.
    field: usize,
    /// End of the part of this line that has been searched.
    seen: usize,
}

/// The end of a header.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum HeaderEnd {
    /// The header has this many bytes, its blank line included.
    At(usize),
    /// Another version line comes before a blank line, after this many bytes.
    Interrupted(usize),
    /// The header or one of its lines is longer than its limit. The line at which this was found
    /// begins after this many bytes.
    TooLarge(usize),
    /// The header ends after the window.
    Beyond,
}

impl HeaderScan {
    /// Continues in `bytes`: those of the last call, from the start of the record on, and any that
    /// follow them.
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
        // The rest is an unfinished line. If it begins with a blank, it continues a field.
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

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &[u8] = b"WARC/1.0\r\nWARC-Type: x\r\nContent-Length: 2\r\n\r\nab\r\n\r\n";

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
}
