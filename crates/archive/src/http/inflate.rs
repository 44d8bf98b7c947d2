//! `gzip` and `deflate`. Headers are read here and the inflater is always run bare, so that one state serves for all
//! and checksums are not looked at.

use super::layer::{BodyFault, Caps, Layer, looks_plain};
use flate2::{Decompress, FlushDecompress, Status};

pub(super) struct Inflate {
    state: Decompress,
}

impl Inflate {
    pub(super) fn new() -> Self {
        Inflate { state: Decompress::new(false) }
    }

    /// One gzip member after another. Anything else behind a member is ignored.
    pub(super) fn gzip(
        &mut self,
        input: &[u8],
        out: &mut Vec<u8>,
        caps: &Caps,
    ) -> Result<Layer, BodyFault> {
        const MAGIC: &[u8] = b"\x1f\x8b\x08";
        const TRAILER: usize = 8;
        if !input.starts_with(MAGIC) {
            return Ok(Layer::Other);
        }
        let mut at = 0;
        while input[at..].starts_with(MAGIC) {
            let Some(header) = gzip_header(&input[at..]) else { return Ok(Layer::Cut) };
            at += header;
            let (consumed, layer) = self.bare(&input[at..], at, out, caps)?;
            if layer != Layer::Whole {
                return Ok(layer);
            }
            at = input.len().min(at + consumed + TRAILER);
        }
        Ok(Layer::Whole)
    }

    /// zlib, or bare deflate where there is no zlib header, or one that only seems to be one.
    pub(super) fn deflate(
        &mut self,
        input: &[u8],
        out: &mut Vec<u8>,
        caps: &Caps,
    ) -> Result<Layer, BodyFault> {
        if let &[method, flags, ..] = input {
            let preset_dictionary = flags & 0x20 != 0;
            let header = u16::from_be_bytes([method, flags]);
            if method & 0x0F == 8 && header.is_multiple_of(31) && !preset_dictionary {
                let (_, layer) = self.bare(&input[2..], 2, out, caps)?;
                if layer == Layer::Whole || !out.is_empty() {
                    return Ok(layer);
                }
            }
        }
        let (consumed, layer) = self.bare(input, 0, out, caps)?;
        // A short text can be a whole stream by chance; it hardly ends with the text.
        if layer == Layer::Whole && consumed < input.len() && looks_plain(input) {
            return Ok(Layer::Other);
        }
        Ok(layer)
    }

    /// Inflates one bare stream and gives the length in bytes of what it read. `before` bytes of the body were
    /// read already.
    fn bare(
        &mut self,
        input: &[u8],
        before: usize,
        out: &mut Vec<u8>,
        caps: &Caps,
    ) -> Result<(usize, Layer), BodyFault> {
        self.state.reset(false);
        let mut consumed = 0;
        loop {
            caps.reserve(out);
            let length = out.len();
            let result = self.state.decompress_vec(&input[consumed..], out, FlushDecompress::None);
            let progress = self.state.total_in() as usize > consumed || out.len() > length;
            consumed = self.state.total_in() as usize;
            caps.check(before + consumed, out.len())?;
            match result {
                Ok(Status::StreamEnd) => return Ok((consumed, Layer::Whole)),
                Ok(_) if progress => {}
                Ok(_) | Err(_) => return Ok((consumed, Layer::Cut)),
            }
        }
    }
}

/// Length in bytes of a gzip header, if all of it is there.
fn gzip_header(bytes: &[u8]) -> Option<usize> {
    const HEADER_CRC: u8 = 2;
    const EXTRA: u8 = 4;
    const NAME: u8 = 8;
    const COMMENT: u8 = 16;
    let flags = *bytes.get(3)?;
    let mut at = 10;
    if flags & EXTRA != 0 {
        let length = bytes.get(at..at + 2)?;
        at += 2 + usize::from(u16::from_le_bytes([length[0], length[1]]));
    }
    for text in [NAME, COMMENT] {
        if flags & text != 0 {
            at += memchr::memchr(0, bytes.get(at..)?)? + 1;
        }
    }
    if flags & HEADER_CRC != 0 {
        at += 2;
    }
    (at <= bytes.len()).then_some(at)
}
