//! Parses the headers and lengths of zstd frames.
//!
//! A frame states the lengths of its blocks, so its own length is found without decoding it.

use crate::limits::Limits;

/// The beginning of a frame.
pub(crate) const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Longest header of a frame, in bytes.
pub(crate) const HEADER_BYTES: usize = 18;

/// Length of the header of a skippable frame, in bytes.
pub(crate) const SKIPPABLE_HEADER_BYTES: usize = 8;

/// Returns whether `bytes` begin with the magic number of a frame, skippable or not.
pub(crate) fn begins_frame(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC) || begins_skippable(bytes)
}

fn begins_skippable(bytes: &[u8]) -> bool {
    matches!(bytes, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// Returns the content size in bytes of a skippable frame, if `bytes` begin with its whole header.
pub(crate) fn skippable(bytes: &[u8]) -> Option<u32> {
    let (head, _) = bytes.split_first_chunk::<SKIPPABLE_HEADER_BYTES>()?;
    let [.., s0, s1, s2, s3] = *head;
    begins_skippable(head).then(|| u32::from_le_bytes([s0, s1, s2, s3]))
}

/// The header of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameHeader {
    /// Size of the window, which is the memory that decoding needs, in bytes.
    pub(crate) window: u64,
    /// Size of the data in bytes, if the frame states it.
    pub(crate) content: Option<u64>,
    /// Number of the dictionary that the frame needs; 0 if it names none.
    pub(crate) dictionary: u32,
    /// Whether a checksum follows the blocks.
    pub(crate) checksum: bool,
    /// Length of the header in bytes.
    pub(crate) len: usize,
}

impl FrameHeader {
    /// Parses the header with which `bytes` begin. `None` if they begin differently, or hold only a
    /// part of it.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(&MAGIC)?;
        let descriptor = *rest.first()?;
        let single_segment = descriptor & 0x20 != 0;
        let mut at = 1;
        let mut number = |size: usize| -> Option<u64> {
            let field = rest.get(at..at + size)?;
            at += size;
            Some(field.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
        };
        let window = if single_segment { 0 } else { number(1)? };
        let dictionary = number([0, 1, 2, 4][usize::from(descriptor & 3)])?;
        let content = match descriptor >> 6 {
            0 if !single_segment => None,
            0 => Some(number(1)?),
            1 => Some(number(2)? + 256),
            2 => Some(number(4)?),
            _ => Some(number(8)?),
        };
        let base = 1_u64 << (10 + (window >> 3));
        let window = if single_segment { content? } else { base + base / 8 * (window & 7) };
        let checksum = descriptor & 4 != 0;
        let dictionary = dictionary as u32;
        (descriptor & 8 == 0).then_some(FrameHeader {
            window,
            content,
            dictionary,
            checksum,
            len: MAGIC.len() + at,
        })
    }

    /// Returns whether the window is within [`Limits::zstd_window_log`].
    pub(crate) fn is_within_limits(&self, limits: &Limits) -> bool {
        self.window <= 1 << limits.zstd_window_log
    }
}

/// Parses the header of a block. Returns whether it is the last of its frame, and the number of
/// bytes of the file after the header. `None` for the block type that the format reserves.
pub(crate) fn block_header(bytes: [u8; 3]) -> Option<(bool, usize)> {
    let [b0, b1, b2] = bytes;
    let header = u32::from_le_bytes([b0, b1, b2, 0]);
    let size = (header >> 3) as usize;
    let len = match header >> 1 & 3 {
        0 | 2 => size,
        1 => 1,
        _ => return None,
    };
    Some((header & 1 == 1, len))
}

/// The end of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrameEnd {
    /// The frame has this many bytes.
    Whole(usize),
    /// The frame ends after the bytes.
    Cut,
    /// The bytes begin differently, or a block has a bad header.
    Bad,
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
        let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk::<3>) else {
            return FrameEnd::Cut;
        };
        let Some((last, len)) = block_header(*block) else { return FrameEnd::Bad };
        at += block.len() + len;
        if last {
            let len = at + if header.checksum { 4 } else { 0 };
            return if len <= bytes.len() { FrameEnd::Whole(len) } else { FrameEnd::Cut };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_read() {
        let header = FrameHeader::parse(b"\x28\xb5\x2f\xfd\x00\xa8").unwrap();
        assert_eq!(header.window, 1 << 31);
        assert!(!header.is_within_limits(&Limits::default()));
    }

    #[test]
    fn skippable_frames_have_an_extent_too() {
        assert_eq!(extent(b"\x5a\x2a\x4d\x18\x03\0\0\0abcd"), FrameEnd::Whole(11));
        assert_eq!(extent(b"\x5a\x2a\x4d\x18\x05\0\0\0abcd"), FrameEnd::Cut);
        assert_eq!(extent(&[b'x'; 20]), FrameEnd::Bad);
    }
}
