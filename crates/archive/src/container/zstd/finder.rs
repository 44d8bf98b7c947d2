//! Finds zstd frames among arbitrary bytes.

use super::frame::{FrameHeader, MAGIC};
use crate::container::expected_start::ExpectedStart;
use crate::damage::finder::Finder;
use crate::limits::Limits;
use memchr::memmem;
use zstd_safe::{DCtx, InBuffer, OutBuffer, ResetDirective};

/// Number of bytes, from a candidate on, that are examined to decide whether a frame with the
/// wanted opening begins there. They hold a header and one block.
pub(crate) const TRIAL_BYTES: usize = (128 << 10) + 64;

/// Finds frames by their magic number and by decoding their first bytes.
pub(crate) struct FrameFinder {
    magic: memmem::Finder<'static>,
    context: DCtx<'static>,
    limits: Limits,
    opening: ExpectedStart,
}

impl FrameFinder {
    pub(crate) fn new(context: DCtx<'static>, limits: &Limits, opening: ExpectedStart) -> Self {
        const PATTERN: &[u8] = &MAGIC;
        FrameFinder {
            magic: memmem::Finder::new(PATTERN),
            context,
            limits: limits.clone(),
            opening,
        }
    }

    pub(crate) fn set_opening(&mut self, opening: ExpectedStart) {
        self.opening = opening;
    }
}

impl Finder for FrameFinder {
    const NAME: &'static str = "zstd frame";
    const TRIAL_BYTES: usize = TRIAL_BYTES;

    fn magic(&self) -> &memmem::Finder<'static> {
        &self.magic
    }

    fn begins_here(&mut self, bytes: &[u8]) -> bool {
        if !FrameHeader::parse(bytes).is_some_and(|header| header.is_within_limits(&self.limits)) {
            return false;
        }
        let mut data = [0; ExpectedStart::MAX_BYTES];
        let data = &mut data[..self.opening.bytes()];
        let mut input = InBuffer::around(bytes);
        let mut output = OutBuffer::around(&mut *data);
        while output.pos() < self.opening.bytes() {
            let before = (input.pos(), output.pos());
            let state = self.context.decompress_stream(&mut output, &mut input);
            if !matches!(state, Ok(1..)) || before == (input.pos(), output.pos()) {
                break;
            }
        }
        let filled = output.pos();
        let _ = self.context.reset(ResetDirective::SessionOnly);
        self.opening.matches(&data[..filled])
    }
}

#[cfg(test)]
mod tests {
    use super::super::context::context;
    use super::*;

    fn frame(data: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(zstd_safe::compress_bound(data.len()));
        zstd_safe::compress(&mut bytes, data, 3).unwrap();
        bytes
    }

    #[test]
    fn frames_are_found_by_their_opening() {
        let bytes = [frame(b"text"), MAGIC.to_vec(), frame(b"WARC/1.0")].concat();
        let limits = Limits::default();
        let mut finder =
            FrameFinder::new(context(&limits, None).unwrap(), &limits, ExpectedStart::Record);
        assert_eq!(finder.find_member(&bytes, 0, true), Ok(frame(b"text").len() + 4));
        assert_eq!(finder.find_member(&bytes, frame(b"text").len() + 5, true), Err(bytes.len()));
    }
}
