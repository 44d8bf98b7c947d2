//! Finds the starts and ends of ARC records in plain bytes, with pure functions over slices as in
//! [`crate::warc::bounds`].

use super::line::{ArcLine, LINE_BYTES, header_line, header_within, is_plain_header};
use crate::limits::Limits;
use crate::warc::bounds::{SoundRecord, line_ends, record_len};
use crate::warc::version_line::VersionLine;
use memchr::memchr;

/// Returns the first plausible start of a record in `bytes`: a header line whose length is a
/// number. A header line may also be the end of another line. `whole` states that the input ends
/// with `bytes`. Otherwise candidates fewer than [`LINE_BYTES`] before their end are left to a
/// later call with more bytes. `line_start` states whether `bytes` begin at the start of a line.
pub(crate) fn find_start(bytes: &[u8], line_start: bool, whole: bool) -> Option<usize> {
    let last = if whole { bytes.len() } else { bytes.len().saturating_sub(LINE_BYTES) };
    let (mut start, mut at_line_start) = (0, line_start);
    while let Some(len) = memchr(b'\n', &bytes[start..]) {
        let end = start + len;
        // A header line ends in the digits of its length.
        if bytes[start..end].trim_ascii_end().last().is_some_and(u8::is_ascii_digit) {
            let from = start.max(end.saturating_sub(LINE_BYTES));
            let line = &bytes[from..end];
            let found = if at_line_start && from == start && is_plain_header(line) {
                Some(start)
            } else {
                header_within(line).map(|at| from + at)
            };
            if let Some(found) = found {
                return (found < last).then_some(found);
            }
        }
        (start, at_line_start) = (end + 1, true);
        if start >= last {
            break;
        }
    }
    None
}

/// Returns the record with which `bytes` begin, if it is sound, within the limits, and complete in
/// `bytes`.
pub(crate) fn sound_record(bytes: &[u8], limits: &Limits) -> Option<SoundRecord> {
    let VersionLine::Whole(header) = header_line(bytes) else { return None };
    let length = ArcLine::parse(&bytes[..header])?.content_length().ok()?;
    let len = record_len(header, length);
    if header > limits.header_line_bytes.min(limits.header_bytes)
        || len > limits.record_bytes as u64
        || len > bytes.len() as u64
    {
        return None;
    }
    let len = len as usize;
    Some(SoundRecord { header, len, end: len + line_ends(&bytes[len..]) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &[u8] = b"http://a/ 1.2.3.4 20010203040506 text/html 2\n";

    #[test]
    fn a_start_is_a_whole_line_or_the_end_of_one() {
        let find = |bytes: &[u8]| find_start(bytes, true, true);
        assert_eq!(find(LINE), Some(0));
        assert_eq!(find(&[b"junk\n", LINE].concat()), Some(5));
        assert_eq!(find(&[b"<p>cut", LINE].concat()), Some(6));
        assert_eq!(find(&LINE[..LINE.len() - 1]), None);
        assert_eq!(find(b"http://a/ 1.2.3.4 20010203040506 text/html -2\n"), None);
        assert_eq!(find(b"some 1 words 2\n"), None);
    }

    #[test]
    fn a_start_near_the_end_waits_for_what_follows() {
        let bytes = [b"x\n".repeat(50).as_slice(), LINE].concat();
        assert_eq!(find_start(&bytes, true, false), None);
        let more = [bytes.as_slice(), &[b'x'; LINE_BYTES]].concat();
        assert_eq!(find_start(&more, true, false), Some(100));
    }

    #[test]
    fn sound_records_only() {
        let limits = Limits::default();
        let bytes = [LINE, b"hi\n"].concat();
        let record = sound_record(&bytes, &limits).unwrap();
        assert_eq!(
            (record.header, record.len, record.end),
            (LINE.len(), LINE.len() + 2, bytes.len())
        );
        assert!(sound_record(&bytes[..=LINE.len()], &limits).is_none());
        assert!(sound_record(&bytes, &Limits { record_bytes: 10, ..limits }).is_none());
    }
}
