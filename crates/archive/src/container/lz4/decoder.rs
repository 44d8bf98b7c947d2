//! Decodes whole LZ4 frames for the fast path.

use super::block::{HISTORY_BYTES, decode};
use super::frame::{BlockHeader, FrameHeader, xxh32};
use crate::memory_budget::UNASKED;

/// Decodes whole frames into a buffer that it keeps.
#[derive(Default)]
pub(crate) struct FrameDecoder {
    output: Vec<u8>,
    filled: usize,
}

impl FrameDecoder {
    /// Returns the data of the last frame for which [`FrameDecoder::frame`] returned true.
    pub(crate) fn output(&mut self) -> &mut [u8] {
        &mut self.output[..self.filled]
    }

    /// Frees the output buffer if an unusually large frame has made it grow.
    pub(crate) fn trim(&mut self) {
        const MAX_KEPT_BYTES: usize = 8 << 20;
        if self.output.len() > MAX_KEPT_BYTES {
            self.output = Vec::new();
            self.filled = 0;
        }
    }

    /// Decodes the frame that fills `frame`. Returns false if it is damaged, or its data are longer
    /// than `cap` bytes. It calls `wait_for` before the output grows beyond 1 MiB.
    pub(crate) fn frame(
        &mut self,
        frame: &[u8],
        cap: usize,
        mut wait_for: impl FnMut(usize),
    ) -> bool {
        self.filled = 0;
        let Some(header) = FrameHeader::parse(frame) else { return false };
        if header.dictionary || header.content.is_some_and(|size| size > cap as u64) {
            return false;
        }
        let mut rest = &frame[header.len..];
        loop {
            let Some((block, after)) = rest.split_first_chunk() else { return false };
            let Some(block) = BlockHeader::parse(*block, &header) else { return false };
            if block.len == 0 {
                return self.ends_well(&header, after);
            }
            let len = block.len + header.block_trailer();
            let Some((bytes, after)) = after.split_at_checked(len) else { return false };
            self.make_room(header.block_bytes, cap, &mut wait_for);
            let (before, output) = self.output.split_at_mut(self.filled);
            let history = &before[before.len().saturating_sub(HISTORY_BYTES)..];
            let Some(gained) = decode(bytes, block, &header, history, output) else {
                return false;
            };
            self.filled += gained;
            if self.filled > cap {
                return false;
            }
            rest = after;
        }
    }

    /// Makes space for another block, at most one block beyond `cap`.
    fn make_room(&mut self, block_bytes: usize, cap: usize, wait_for: &mut dyn FnMut(usize)) {
        let needed = self.filled + block_bytes;
        if self.output.len() < needed {
            let most = cap.saturating_add(block_bytes);
            let larger = needed.next_power_of_two().min(most).max(needed);
            if larger > UNASKED {
                // The old buffer exists too while the new one is filled.
                wait_for(larger + self.output.len());
            }
            self.output.resize(larger, 0);
        }
    }

    /// Returns whether the checksum and size after the blocks are right, and the frame ends there.
    fn ends_well(&self, header: &FrameHeader, trailer: &[u8]) -> bool {
        let data = &self.output[..self.filled];
        let checksum = || xxh32(data).to_le_bytes();
        trailer.len() == header.frame_trailer()
            && (!header.checksum || trailer == checksum())
            && header.content.is_none_or(|size| size == data.len() as u64)
    }
}
