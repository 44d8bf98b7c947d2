//! zstd frames (RFC 8878), whole ones, and finding where they begin.
//!
//! A frame says where its blocks end, so its length is found without decoding it.

use crate::finder::{Finder, Opening};
use crate::limits::Limits;
use memchr::memmem;
use std::sync::Arc;
use zstd_safe::{DCtx, DParameter, InBuffer, OutBuffer, ResetDirective};

/// What a frame begins with.
pub(crate) const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// The error for a wrong checksum, as zstd gives it.
pub(crate) const CHECKSUM_WRONG: usize = 0_usize.wrapping_sub(22);

/// How much of the input is looked at to judge whether a frame that matters begins there: a header and one block.
pub(crate) const TRIAL_BYTES: usize = (128 << 10) + 64;

/// Longest header of a frame.
pub(crate) const HEADER_BYTES: usize = 18;

/// Size of a skippable frame without its content.
pub(crate) const SKIPPABLE_HEADER_BYTES: usize = 8;

/// The content size of a skippable frame, if `bytes` begin with one.
pub(crate) fn skippable(bytes: &[u8]) -> Option<u32> {
    let (head, _) = bytes.split_first_chunk::<SKIPPABLE_HEADER_BYTES>()?;
    let [m0, m1, m2, m3, s0, s1, s2, s3] = *head;
    (m0 & 0xf0 == 0x50 && [m1, m2, m3] == [0x2a, 0x4d, 0x18])
        .then(|| u32::from_le_bytes([s0, s1, s2, s3]))
}

/// The header of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FrameHeader {
    /// Memory that decoding asks for.
    pub(crate) window: u64,
    /// Size of the data, if the frame tells.
    pub(crate) content: Option<u64>,
    /// The dictionary it needs; 0 if it names none.
    pub(crate) dictionary: u32,
    /// Whether a checksum follows the blocks.
    pub(crate) checksum: bool,
    /// Length of the header.
    pub(crate) len: usize,
}

impl FrameHeader {
    /// Reads the header at the start of `bytes`. `None` if there is none, or not all of it.
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

    /// Whether decoding needs no more memory than is allowed.
    pub(crate) fn fits(&self, limits: &Limits) -> bool {
        self.window <= 1 << limits.zstd_window_log
    }
}

/// The header of a block: whether it is the last, and the length of what follows. `None` for one that can't be.
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

/// How far a frame goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// It is this long.
    Whole(usize),
    /// It goes on beyond the bytes there are.
    Cut,
    /// It is none.
    Bad,
}

/// The length of the frame, skippable or not, that `bytes` begin with.
pub(crate) fn extent(bytes: &[u8]) -> Extent {
    if let Some(size) = skippable(bytes) {
        let len = SKIPPABLE_HEADER_BYTES + size as usize;
        return if len <= bytes.len() { Extent::Whole(len) } else { Extent::Cut };
    }
    let Some(header) = FrameHeader::parse(bytes) else {
        return if bytes.len() < HEADER_BYTES { Extent::Cut } else { Extent::Bad };
    };
    let mut at = header.len;
    loop {
        let Some(block) = bytes.get(at..).and_then(<[u8]>::first_chunk::<3>) else {
            return Extent::Cut;
        };
        let Some((last, len)) = block_header(*block) else { return Extent::Bad };
        at += block.len() + len;
        if last {
            let len = at + if header.checksum { 4 } else { 0 };
            return if len <= bytes.len() { Extent::Whole(len) } else { Extent::Cut };
        }
    }
}

/// A decoding context with the limits and the dictionary of a file.
pub(crate) fn context(limits: &Limits, dictionary: Option<&[u8]>) -> Result<DCtx<'static>, String> {
    let mut context = DCtx::create();
    context
        .set_parameter(DParameter::WindowLogMax(limits.zstd_window_log))
        .and_then(|_| dictionary.map_or(Ok(0), |dictionary| context.load_dictionary(dictionary)))
        .map_err(|code| message(code).to_owned())?;
    Ok(context)
}

/// What zstd calls an error.
pub(crate) fn message(code: usize) -> &'static str {
    zstd_safe::get_error_name(code)
}

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

    /// Takes the dictionary of the file that the next frames come from. Tells whether it can be used.
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

    /// The data of the last frame that was decoded.
    pub(crate) fn output(&mut self) -> &mut [u8] {
        &mut self.output[..self.filled]
    }

    /// Gives back memory that only an unusually large frame needed.
    pub(crate) fn trim(&mut self) {
        const KEPT_BYTES: usize = 2 << 20;
        if self.output.len() > KEPT_BYTES {
            self.output = Vec::new();
            self.filled = 0;
        }
    }

    /// Decodes one frame, which must fill `frame` exactly, if its data are no more than `cap` bytes.
    pub(crate) fn frame(&mut self, frame: &[u8], cap: usize) -> bool {
        let Some(header) = FrameHeader::parse(frame) else { return false };
        if !header.fits(&self.limits) || header.content.is_some_and(|size| size > cap as u64) {
            return false;
        }
        match header.content {
            Some(size) => self.at_once(frame, size as usize),
            None => self.in_pieces(frame, cap),
        }
    }

    fn at_once(&mut self, frame: &[u8], size: usize) -> bool {
        if self.output.len() < size {
            self.output = vec![0; size.next_power_of_two()];
        }
        // zstd takes its fast loops only where it may write past the end, so it gets all the room there is.
        match self.context.decompress(&mut self.output[..], frame) {
            Ok(filled) => {
                self.filled = filled;
                true
            }
            Err(_) => false,
        }
    }

    /// The way for frames that don't tell their size.
    fn in_pieces(&mut self, frame: &[u8], cap: usize) -> bool {
        let mut input = InBuffer::around(frame);
        self.filled = 0;
        loop {
            if self.filled == self.output.len() {
                if self.filled > cap {
                    break;
                }
                // One byte more than allowed tells that there are more.
                let larger = (self.output.len() * 2).clamp(1 << 20, cap.max(1 << 20) + 1);
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
        // The frame was left in the middle.
        let _ = self.context.reset(ResetDirective::SessionOnly);
        false
    }
}

/// Finds frames by their magic number and by decoding their first bytes.
pub(crate) struct FrameFinder {
    magic: memmem::Finder<'static>,
    context: DCtx<'static>,
    limits: Limits,
    opening: Opening,
}

impl FrameFinder {
    pub(crate) fn new(context: DCtx<'static>, limits: &Limits, opening: Opening) -> Self {
        const PATTERN: &[u8] = &MAGIC;
        FrameFinder {
            magic: memmem::Finder::new(PATTERN),
            context,
            limits: limits.clone(),
            opening,
        }
    }

    pub(crate) fn set_opening(&mut self, opening: Opening) {
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
        if !FrameHeader::parse(bytes).is_some_and(|header| header.fits(&self.limits)) {
            return false;
        }
        let mut data = [0; Opening::BYTES];
        let mut input = InBuffer::around(bytes);
        let mut output = OutBuffer::around(&mut data[..]);
        while output.pos() < Opening::BYTES {
            let before = (input.pos(), output.pos());
            let state = self.context.decompress_stream(&mut output, &mut input);
            if !matches!(state, Ok(1..)) || before == (input.pos(), output.pos()) {
                break;
            }
        }
        let filled = output.pos();
        let _ = self.context.reset(ResetDirective::SessionOnly);
        self.opening.fits(&data[..filled])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(data: &[u8]) -> Vec<u8> {
        zstd_safe_frame(data, true)
    }

    fn zstd_safe_frame(data: &[u8], size: bool) -> Vec<u8> {
        let mut context = zstd_safe::CCtx::create();
        context.set_parameter(zstd_safe::CParameter::ChecksumFlag(true)).unwrap();
        context.set_parameter(zstd_safe::CParameter::ContentSizeFlag(size)).unwrap();
        let mut bytes = Vec::with_capacity(zstd_safe::compress_bound(data.len()));
        context.compress2(&mut bytes, data).unwrap();
        bytes
    }

    #[test]
    fn extents_are_those_of_the_library() {
        let data: Vec<u8> =
            (0..300_000_u32).flat_map(|i| (i.wrapping_mul(i) / 7).to_le_bytes()).collect();
        for size in [0, 1, 255, 256, 65_791, 65_792, 1_200_000] {
            for told in [true, false] {
                let bytes = zstd_safe_frame(&data[..size], told);
                let more = [bytes.as_slice(), b"more"].concat();
                assert_eq!(zstd_safe::find_frame_compressed_size(&more), Ok(bytes.len()));
                assert_eq!(extent(&more), Extent::Whole(bytes.len()), "{size}");
                assert_eq!(extent(&bytes[..bytes.len() - 1]), Extent::Cut);
                let header = FrameHeader::parse(&bytes).unwrap();
                assert_eq!(header.content.unwrap_or(size as u64), size as u64);
                let mut decoder = FrameDecoder::new(&Limits::default());
                assert!(decoder.frame(&bytes, size), "{size} {told}");
                assert_eq!(decoder.output(), &data[..size]);
                assert!(size == 0 || !decoder.frame(&bytes, size - 1));
                assert!(decoder.frame(&bytes, size));
                let mut bad = bytes.clone();
                *bad.last_mut().unwrap() ^= 1;
                assert!(!decoder.frame(&bad, size));
            }
        }
        assert_eq!(extent(b"\x5a\x2a\x4d\x18\x03\0\0\0abcd"), Extent::Whole(11));
        assert_eq!(extent(b"\x5a\x2a\x4d\x18\x05\0\0\0abcd"), Extent::Cut);
        assert_eq!(extent(&[b'x'; 20]), Extent::Bad);
    }

    #[test]
    fn windows_are_read() {
        let header = FrameHeader::parse(b"\x28\xb5\x2f\xfd\x00\xa8").unwrap();
        assert_eq!(header.window, 1 << 31);
        assert!(!header.fits(&Limits::default()));
    }

    #[test]
    fn frames_are_found_by_their_opening() {
        let bytes = [frame(b"text"), MAGIC.to_vec(), frame(b"WARC/1.0")].concat();
        let limits = Limits::default();
        let mut finder =
            FrameFinder::new(context(&limits, None).unwrap(), &limits, Opening::Record);
        assert_eq!(finder.find(&bytes, 0, true), Ok(frame(b"text").len() + 4));
        assert_eq!(finder.find(&bytes, 40, true), Err(bytes.len()));
    }
}
