//! Finds the starts and ends of records in plain bytes.
//!
//! These are pure functions over slices. The fast path uses them on a whole member, the stream on a
//! growing window. They take linear time for any input: each examines a byte once, or a bounded
//! number of bytes from each candidate.

use super::header::WarcHeader;
use super::version_line::{VersionLine, version_line};
use crate::limits::Limits;
use memchr::{memchr, memchr_iter};

/// Number of bytes, from a candidate on, that are needed to judge it: a version line, and the name
/// of a field.
pub(crate) const START_BYTES: usize = 256;

/// Longest field name that makes a record plausible, in bytes.
const NAME_BYTES: usize = 96;

/// Returns the first plausible start of a record in `bytes`. `whole` states that the input ends
/// with `bytes`. Otherwise candidates fewer than [`START_BYTES`] before their end are left to a
/// later call with more bytes.
///
/// A plausible start is a version line before a line that looks like `Name: value`. A version line
/// in the middle of a line occurs after a record that was cut off. Prose about WARC may hold such
/// lines too, so a name that WARC uses must follow it. `line_start` states whether `bytes` begin at
/// the start of a line.
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

/// Returns the name of the field with which `bytes` begin.
fn field_name(bytes: &[u8]) -> Option<&[u8]> {
    let head = &bytes[..bytes.len().min(NAME_BYTES)];
    let name = head[..memchr(b':', head)?].trim_ascii_end();
    let token = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (!name.is_empty() && name.iter().all(token)).then_some(name)
}

/// Returns the length of `block` without the blank line that a writer puts after a block.
pub(crate) fn without_blank_line(block: &[u8]) -> usize {
    [&b"\r\n\r\n"[..], b"\n\n"]
        .iter()
        .find_map(|end| block.strip_suffix(*end))
        .unwrap_or(block)
        .len()
}

/// Returns the length in bytes of up to two line ends at the beginning of `bytes`.
pub(crate) fn line_ends(bytes: &[u8]) -> usize {
    let one = |bytes: &[u8]| match bytes {
        [b'\r', b'\n', ..] => 2,
        [b'\n', ..] => 1,
        _ => 0,
    };
    let first = one(bytes);
    first + one(&bytes[first..])
}

/// The lengths of a sound record, in bytes.
#[derive(Debug)]
pub(crate) struct SoundRecord {
    /// Header.
    pub(crate) header: usize,
    /// Header and block.
    pub(crate) len: usize,
    /// Header, block, and the line ends that follow.
    pub(crate) end: usize,
}

/// Returns the record with which `bytes` begin, if it is sound, within the limits, and complete in
/// `bytes`.
pub(crate) fn sound_record(bytes: &[u8], limits: &Limits) -> Option<SoundRecord> {
    let parsed = WarcHeader::parse(bytes)?;
    if !parsed.is_sound(limits) || parsed.is_first_segment() {
        return None;
    }
    let header = parsed.as_bytes().len();
    let len = record_len(header, parsed.content_length().ok()?);
    if len > limits.record_bytes as u64 || len > bytes.len() as u64 {
        return None;
    }
    let len = len as usize;
    Some(SoundRecord { header, len, end: len + line_ends(&bytes[len..]) })
}

/// Returns the length of header and block in bytes. The sum saturates, since a claimed
/// Content-Length may have any value.
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
        let record = sound_record(RECORD, &limits).unwrap();
        assert_eq!((record.header, record.len, record.end), (45, 47, 51));
        assert!(sound_record(&RECORD[..46], &limits).is_none());
        assert!(sound_record(RECORD, &Limits { record_bytes: 46, ..limits }).is_none());
    }
}
