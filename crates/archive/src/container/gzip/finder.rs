//! Finds gzip members among arbitrary bytes.

use super::header::{MAGIC, MemberHeader, member_header};
use crate::container::expected_start::ExpectedStart;
use crate::damage::finder::Finder;
use flate2::{Decompress, FlushDecompress};
use memchr::memmem;

/// Number of bytes, from a candidate on, that are examined to decide whether a member with the
/// wanted opening begins there.
pub(crate) const TRIAL_BYTES: usize = 16 << 10;

/// Longest name or comment in the header of a candidate, in bytes. The time to read one grows with
/// its length, and there may be a candidate every few bytes.
const TRIAL_NAME_BYTES: usize = 1 << 10;

/// Finds members by their magic number and by inflating their first bytes.
pub(crate) struct MemberFinder {
    magic: memmem::Finder<'static>,
    magic_back: memmem::FinderRev<'static>,
    inflate: Decompress,
    opening: ExpectedStart,
}

impl MemberFinder {
    pub(crate) fn new(opening: ExpectedStart) -> Self {
        const PATTERN: &[u8] = &MAGIC;
        MemberFinder {
            magic: memmem::Finder::new(PATTERN),
            magic_back: memmem::FinderRev::new(PATTERN),
            inflate: Decompress::new(false),
            opening,
        }
    }

    /// Returns the last member that begins after the first byte of `bytes` and at `to` or before.
    /// `whole` states that the input ends with `bytes`. Otherwise candidates too near to their end
    /// are ignored.
    pub(crate) fn find_last(&mut self, bytes: &[u8], to: usize, whole: bool) -> Option<usize> {
        let settled = if whole { bytes.len() } else { bytes.len().saturating_sub(TRIAL_BYTES) };
        let mut end = bytes.len().min(to.min(settled).saturating_add(MAGIC.len()));
        while let Some(at) = self.magic_back.rfind(&bytes[..end]).filter(|at| *at > 0) {
            if self.begins_here(&bytes[at..bytes.len().min(at + TRIAL_BYTES)]) {
                return Some(at);
            }
            end = at + MAGIC.len() - 1;
        }
        None
    }
}

impl Finder for MemberFinder {
    const NAME: &'static str = "gzip member";
    const TRIAL_BYTES: usize = TRIAL_BYTES;

    fn magic(&self) -> &memmem::Finder<'static> {
        &self.magic
    }

    fn begins_here(&mut self, bytes: &[u8]) -> bool {
        let MemberHeader::Whole(header) = member_header(bytes, TRIAL_NAME_BYTES) else {
            return false;
        };
        let mut data = [0; ExpectedStart::MAX_BYTES];
        let data = &mut data[..self.opening.bytes()];
        self.inflate.reset(false);
        // The result is ignored: an error after the first bytes does not make them wrong.
        let _ = self.inflate.decompress(&bytes[header..], data, FlushDecompress::None);
        let filled = (self.inflate.total_out() as usize).min(data.len());
        self.opening.matches(&data[..filled])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, GzBuilder};
    use std::io::Write;

    fn gzip(data: &[u8]) -> Vec<u8> {
        let mut encoder = GzBuilder::new().write(Vec::new(), Compression::default());
        encoder.write_all(data).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn only_members_with_the_right_opening_are_found() {
        let bytes =
            [gzip(b"text"), b"\x1f\x8b\x08\x00junk".to_vec(), gzip(b"warc/1.0"), gzip(b"{}")]
                .concat();
        let record = bytes.len() - gzip(b"{}").len() - gzip(b"warc/1.0").len();
        let mut records = MemberFinder::new(ExpectedStart::Record);
        assert_eq!(records.find_member(&bytes, 0, true), Ok(record));
        assert_eq!(records.find_member(&bytes, record + 1, true), Err(bytes.len()));
        assert_eq!(
            MemberFinder::new(ExpectedStart::Line).find_member(&bytes, 1, true),
            Ok(record + gzip(b"warc/1.0").len())
        );
    }

    #[test]
    fn candidates_near_the_end_wait() {
        let bytes = [vec![0; 100], gzip(b"WARC/1.0"), vec![0; TRIAL_BYTES - 50]].concat();
        let mut records = MemberFinder::new(ExpectedStart::Record);
        assert_eq!(records.find_member(&bytes, 0, false), Err(bytes.len() - TRIAL_BYTES));
        assert_eq!(records.find_member(&bytes, 0, true), Ok(100));
        let more = [bytes, vec![0; 50]].concat();
        assert_eq!(records.find_member(&more, 0, false), Ok(100));
    }
}
