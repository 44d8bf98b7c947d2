//! Decodes whole zstd frames, in one call where possible.

use super::context::context;
use super::frame::FrameHeader;
use crate::limits::Limits;
use crate::memory_budget::UNASKED;
use std::sync::Arc;
use zstd_safe::{DCtx, InBuffer, OutBuffer, ResetDirective};

/// Decodes whole frames into a buffer that it keeps.
pub(crate) struct FrameDecoder {
    context: DCtx<'static>,
    dictionary: Option<Arc<[u8]>>,
    limits: Limits,
    output: Vec<u8>,
    filled: usize,
}

impl FrameDecoder {
    pub(crate) fn new(limits: &Limits) -> Self {
        FrameDecoder {
            context: context(limits, None).unwrap_or_default(),
            dictionary: None,
            limits: limits.clone(),
            output: Vec::new(),
            filled: 0,
        }
    }

    /// Sets the dictionary of the file that the next frames come from. Returns false if zstd
    /// refuses it.
    pub(crate) fn set_dictionary(&mut self, dictionary: Option<&Arc<[u8]>>) -> bool {
        let same = match (&self.dictionary, dictionary) {
            (Some(old), Some(new)) => Arc::ptr_eq(old, new),
            (None, None) => true,
            _ => false,
        };
        if !same {
            match context(&self.limits, dictionary.map(AsRef::as_ref)) {
                Ok(context) => self.context = context,
                Err(_) => return false,
            }
            self.dictionary = dictionary.cloned();
        }
        true
    }

    /// Returns the data of the last frame for which [`FrameDecoder::frame`] returned true.
    pub(crate) fn output(&mut self) -> &mut [u8] {
        &mut self.output[..self.filled]
    }

    /// Frees the output buffer if an unusually large frame has made it grow.
    pub(crate) fn trim(&mut self) {
        const MAX_KEPT_BYTES: usize = 2 << 20;
        if self.output.len() > MAX_KEPT_BYTES {
            self.output = Vec::new();
            self.filled = 0;
        }
    }

    /// Decodes the frame that fills `frame`. Returns false if it is damaged, its window is over the
    /// limit, or its data are longer than `cap` bytes. It calls `wait_for` before the output grows
    /// beyond 1 MiB.
    pub(crate) fn frame(
        &mut self,
        frame: &[u8],
        cap: usize,
        mut wait_for: impl FnMut(usize),
    ) -> bool {
        let Some(header) = FrameHeader::parse(frame) else { return false };
        if !header.is_within_limits(&self.limits)
            || header.content.is_some_and(|size| size > cap as u64)
        {
            return false;
        }
        match header.content {
            Some(size) => self.decode_known_size(frame, size as usize, &mut wait_for),
            None => self.decode_unknown_size(frame, cap, &mut wait_for),
        }
    }

    /// Decodes a frame that states its size.
    fn decode_known_size(
        &mut self,
        frame: &[u8],
        size: usize,
        wait_for: &mut dyn FnMut(usize),
    ) -> bool {
        if self.output.len() < size {
            let larger = size.next_power_of_two();
            if larger > UNASKED {
                wait_for(larger);
            }
            self.output = vec![0; larger];
        }
        // This passes the whole buffer, not `size` bytes of it: zstd's fast loops need space to
        // write past the end of the data.
        match self.context.decompress(&mut self.output[..], frame) {
            Ok(filled) => {
                self.filled = filled;
                true
            }
            Err(_) => false,
        }
    }

    /// Decodes a frame that does not state its size.
    fn decode_unknown_size(
        &mut self,
        frame: &[u8],
        cap: usize,
        wait_for: &mut dyn FnMut(usize),
    ) -> bool {
        let mut input = InBuffer::around(frame);
        self.filled = 0;
        loop {
            if self.filled == self.output.len() {
                if self.filled > cap {
                    break;
                }
                // One byte over the cap shows that the data are longer.
                let larger = (self.output.len() * 2).clamp(1 << 20, cap.max(1 << 20) + 1);
                if larger > UNASKED {
                    // The old buffer exists too while the new one is filled.
                    wait_for(larger + larger / 2);
                }
                self.output.resize(larger, 0);
            }
            let mut output = OutBuffer::around_pos(&mut self.output[..], self.filled);
            let state = self.context.decompress_stream(&mut output, &mut input);
            let filled = output.pos();
            let stuck = filled == self.filled && input.pos() == frame.len();
            self.filled = filled;
            match state {
                Ok(0) => return input.pos() == frame.len() && filled <= cap,
                Ok(_) if !stuck || filled == self.output.len() => {}
                _ => break,
            }
        }
        // The context is still within the frame.
        let _ = self.context.reset(ResetDirective::SessionOnly);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::frame::{FrameEnd, extent};
    use super::*;

    fn frame(data: &[u8], state_size: bool) -> Vec<u8> {
        let mut context = zstd_safe::CCtx::create();
        context.set_parameter(zstd_safe::CParameter::ChecksumFlag(true)).unwrap();
        context.set_parameter(zstd_safe::CParameter::ContentSizeFlag(state_size)).unwrap();
        let mut bytes = Vec::with_capacity(zstd_safe::compress_bound(data.len()));
        context.compress2(&mut bytes, data).unwrap();
        bytes
    }

    #[test]
    fn extents_are_those_of_the_library() {
        let data: Vec<u8> =
            (0..300_000_u32).flat_map(|i| (i.wrapping_mul(i) / 7).to_le_bytes()).collect();
        for size in [0, 1, 255, 256, 65_791, 65_792, 1_200_000] {
            for stated in [true, false] {
                let bytes = frame(&data[..size], stated);
                let more = [bytes.as_slice(), b"more"].concat();
                assert_eq!(zstd_safe::find_frame_compressed_size(&more), Ok(bytes.len()));
                assert_eq!(extent(&more), FrameEnd::Whole(bytes.len()), "{size}");
                assert_eq!(extent(&bytes[..bytes.len() - 1]), FrameEnd::Cut);
                let header = FrameHeader::parse(&bytes).unwrap();
                assert_eq!(header.content.unwrap_or(size as u64), size as u64);
                let mut decoder = FrameDecoder::new(&Limits::default());
                assert!(decoder.frame(&bytes, size, |_| {}), "{size} {stated}");
                assert_eq!(decoder.output(), &data[..size]);
                assert!(size == 0 || !decoder.frame(&bytes, size - 1, |_| {}));
                assert!(decoder.frame(&bytes, size, |_| {}));
                let mut bad = bytes.clone();
                *bad.last_mut().unwrap() ^= 1;
                assert!(!decoder.frame(&bad, size, |_| {}));
            }
        }
    }
}
