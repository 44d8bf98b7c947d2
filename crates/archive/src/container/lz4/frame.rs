//! Parses the headers and lengths of LZ4 frames.

use crate::container::zstd::frame::{FrameEnd, SKIPPABLE_HEADER_BYTES, skippable};
use std::hash::Hasher;
use twox_hash::XxHash32;

/// The beginning of a frame.
pub(crate) const MAGIC: [u8; 4] = [0x04, 0x22, 0x4d, 0x18];

/// Longest header of a frame, in bytes.
pub(crate) const HEADER_BYTES: usize = 19;

/// The header of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameHeader {
    /// Most bytes of data in a block: 64 KiB to 4 MiB.
    pub(crate) block_bytes: usize,
    /// Whether a block may refer to the data of earlier blocks.
    pub(crate) linked: bool,
    /// Whether a checksum follows each block.
    pub(crate) block_checksum: bool,
    /// Whether a checksum of the data ends the frame.
    pub(crate) checksum: bool,
    /// Size of the data in bytes, if the frame states it.
    pub(crate) content: Option<u64>,
    /// Whether the frame needs a dictionary, which no archive provides.
    pub(crate) dictionary: bool,
    /// Length of the header in bytes.
    pub(crate) len: usize,
}

impl FrameHeader {
    /// Parses the header with which `bytes` begin. `None` if they begin differently, hold only a
    /// part of it, or its checksum is wrong.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(&MAGIC)?;
        let (&flags, &sizes) = (rest.first()?, rest.get(1)?);
        let has = |bit: u8| flags & 1 << bit != 0;
        let block_bytes = match sizes >> 4 {
            code @ 4..=7 => 1 << (8 + 2 * code),
            _ => return None,
        };
        if flags >> 6 != 1 || has(1) || sizes & 0x8f != 0 {
            return None;
        }
        let content_len = if has(3) { 8 } else { 0 };
        let end = 2 + content_len + if has(0) { 4 } else { 0 };
        let descriptor = rest.get(..end)?;
        let checksum = *rest.get(end)?;
        if (xxh32(descriptor) >> 8) as u8 != checksum {
            return None;
        }
        let content = descriptor[2..].first_chunk().filter(|_| has(3));
        Some(FrameHeader {
            block_bytes,
            linked: !has(5),
            block_checksum: has(4),
            checksum: has(2),
            content: content.map(|size| u64::from_le_bytes(*size)),
            dictionary: has(0),
            len: MAGIC.len() + end + 1,
        })
    }

    /// Returns the number of bytes after a block.
    pub(crate) fn block_trailer(&self) -> usize {
        if self.block_checksum { 4 } else { 0 }
    }

    /// Returns the number of bytes after the mark that ends the blocks.
    pub(crate) fn frame_trailer(&self) -> usize {
        if self.checksum { 4 } else { 0 }
    }
}

/// The four bytes before a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockHeader {
    /// Length of the block in bytes, without its checksum. 0 is the mark after the last block.
    pub(crate) len: usize,
    /// Whether its bytes are the data themselves.
    pub(crate) stored: bool,
}

impl BlockHeader {
    pub(crate) const BYTES: usize = 4;

    /// Parses the header of a block. `None` if the block is longer than the frame allows.
    pub(crate) fn parse(bytes: [u8; Self::BYTES], frame: &FrameHeader) -> Option<Self> {
        const STORED: u32 = 1 << 31;
        let word = u32::from_le_bytes(bytes);
        let len = (word & !STORED) as usize;
        (len <= frame.block_bytes).then_some(BlockHeader { len, stored: word & STORED != 0 })
    }
}

/// Finds the end of the frame, skippable or not, with which `bytes` begin.
pub(crate) fn extent(bytes: &[u8]) -> FrameEnd {
    if let Some(size) = skippable(bytes) {
        let len = SKIPPABLE_HEADER_BYTES + size as usize;
        return if len <= bytes.len() { FrameEnd::Whole(len) } else { FrameEnd::Cut };
    }
    let Some(header) = FrameHeader::parse(bytes) else {
        return if bytes.len() < HEADER_BYTES { FrameEnd::Cut } else { FrameEnd::Bad };
    };
    let mut at = header.len;
    loop {
        let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk) else {
            return FrameEnd::Cut;
        };
        let Some(block) = BlockHeader::parse(*block, &header) else { return FrameEnd::Bad };
        at += BlockHeader::BYTES;
        if block.len == 0 {
            at += header.frame_trailer();
            return if at <= bytes.len() { FrameEnd::Whole(at) } else { FrameEnd::Cut };
        }
        at += block.len + header.block_trailer();
    }
}

/// Returns the checksum that the format uses.
pub(crate) fn xxh32(bytes: &[u8]) -> u32 {
    let mut hasher = XxHash32::with_seed(0);
    hasher.write(bytes);
    // The hash has 32 bits.
    hasher.finish() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_of_a_real_frame_is_read() {
        // From a file in FastWARC's tests: linked blocks of 64 KiB, no checksums.
        let header = FrameHeader::parse(b"\x04\x22\x4d\x18\x40\x40\xc0").unwrap();
        let wanted = FrameHeader {
            block_bytes: 64 << 10,
            linked: true,
            block_checksum: false,
            checksum: false,
            content: None,
            dictionary: false,
            len: 7,
        };
        assert_eq!(header, wanted);
        assert_eq!(FrameHeader::parse(b"\x04\x22\x4d\x18\x40\x40\xc1"), None);
        assert_eq!(FrameHeader::parse(b"\x04\x22\x4d\x18\x40"), None);
    }

    #[test]
    fn a_frame_ends_after_its_last_block() {
        let frame = b"\x04\x22\x4d\x18\x40\x40\xc0\x03\0\0\x80abc\0\0\0\0";
        assert_eq!(extent(frame), FrameEnd::Whole(frame.len()));
        assert_eq!(extent(&[frame.as_slice(), b"more"].concat()), FrameEnd::Whole(frame.len()));
        for cut in 0..frame.len() {
            assert_eq!(extent(&frame[..cut]), FrameEnd::Cut, "{cut}");
        }
        assert_eq!(
            extent(b"\x04\x22\x4d\x18\x40\x40\xc0\x01\0\x01\x80aaaaaaaaaaaa"),
            FrameEnd::Bad
        );
        assert_eq!(extent(&[b'x'; 20]), FrameEnd::Bad);
    }
}
