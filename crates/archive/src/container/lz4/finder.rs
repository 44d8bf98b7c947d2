//! Finds LZ4 frames among arbitrary bytes.

use super::block::decode_beginning;
use super::frame::{BlockHeader, FrameHeader, HEADER_BYTES, MAGIC};
use crate::container::expected_start::ExpectedStart;
use crate::damage::finder::Finder;
use memchr::memmem;

/// Number of bytes, from a candidate on, that are examined: a header, and enough of a block for an
/// opening at any compression.
const TRIAL_BYTES: usize = HEADER_BYTES + BlockHeader::BYTES + 2 * ExpectedStart::MAX_BYTES;

/// Finds frames by their magic number, the checksum of their header, and their first data.
pub(crate) struct FrameFinder {
    magic: memmem::Finder<'static>,
    opening: ExpectedStart,
    data: Vec<u8>,
}

impl FrameFinder {
    pub(crate) fn new(opening: ExpectedStart) -> Self {
        const PATTERN: &[u8] = &MAGIC;
        FrameFinder { magic: memmem::Finder::new(PATTERN), opening, data: Vec::new() }
    }

    pub(crate) fn set_opening(&mut self, opening: ExpectedStart) {
        self.opening = opening;
    }
}

impl Finder for FrameFinder {
    const NAME: &'static str = "LZ4 frame";
    const TRIAL_BYTES: usize = TRIAL_BYTES;

    fn magic(&self) -> &memmem::Finder<'static> {
        &self.magic
    }

    fn begins_here(&mut self, bytes: &[u8]) -> bool {
        let Some(header) = FrameHeader::parse(bytes) else { return false };
        let Some((block, rest)) = bytes[header.len..].split_first_chunk() else { return false };
        let Some(block) = BlockHeader::parse(*block, &header) else { return false };
        let rest = &rest[..rest.len().min(block.len)];
        let most = self.opening.bytes();
        if block.stored {
            return self.opening.matches(&rest[..rest.len().min(most)]);
        }
        self.data.clear();
        decode_beginning(rest, most, &mut self.data);
        self.opening.matches(&self.data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_testkit::pack::lz4;

    #[test]
    fn frames_are_found_by_their_opening() {
        let bytes = [lz4(b"text"), MAGIC.to_vec(), lz4(b"WARC/1.0")].concat();
        let mut finder = FrameFinder::new(ExpectedStart::Record);
        assert_eq!(finder.find_member(&bytes, 0, true), Ok(lz4(b"text").len() + 4));
        assert_eq!(finder.find_member(&bytes, lz4(b"text").len() + 5, true), Err(bytes.len()));
    }
}
