//! Decodes `gzip` and `deflate`. The inflater receives only bare deflate streams: headers are read
//! before, so that one state serves for all. Checksums are ignored.

use super::coding::begins_zlib;
use super::layer::{BodyFault, DecodeLimits, Layer};
use super::sniff::looks_plain;
use crate::container::gzip::header::{MAGIC, MemberHeader, header_fields};
use crate::container::gzip::trailer::TRAILER_BYTES;
use flate2::{Decompress, FlushDecompress, Status};

pub(super) struct Inflate {
    state: Decompress,
}

impl Inflate {
    pub(super) fn new() -> Self {
        Inflate { state: Decompress::new(false) }
    }

    /// Decodes one gzip member after another. Bytes after the last one are ignored.
    pub(super) fn gzip(
        &mut self,
        input: &[u8],
        out: &mut Vec<u8>,
        limits: &DecodeLimits<'_>,
    ) -> Result<Layer, BodyFault> {
        if !input.starts_with(&MAGIC) {
            return Ok(Layer::Other);
        }
        let mut at = 0;
        while input[at..].starts_with(&MAGIC) {
            let MemberHeader::Whole(header) = header_fields(&input[at..], usize::MAX) else {
                return Ok(Layer::Cut);
            };
            at += header;
            let (consumed, layer) = self.inflate_raw_stream(&input[at..], at, out, limits)?;
            if layer != Layer::Whole {
                return Ok(layer);
            }
            at = input.len().min(at + consumed + TRAILER_BYTES);
        }
        Ok(Layer::Whole)
    }

    /// Decodes zlib. Decodes bare deflate if there is no zlib header, or if decoding as zlib gives
    /// no data.
    pub(super) fn deflate(
        &mut self,
        input: &[u8],
        out: &mut Vec<u8>,
        limits: &DecodeLimits<'_>,
    ) -> Result<Layer, BodyFault> {
        if begins_zlib(input) {
            let (_, layer) = self.inflate_raw_stream(&input[2..], 2, out, limits)?;
            if layer == Layer::Whole || !out.is_empty() {
                return Ok(layer);
            }
        }
        let (consumed, layer) = self.inflate_raw_stream(input, 0, out, limits)?;
        // A short text can begin with a whole deflate stream by chance, but hardly with one that
        // ends where the text does.
        if layer == Layer::Whole && consumed < input.len() && looks_plain(input) {
            return Ok(Layer::Other);
        }
        Ok(layer)
    }

    /// Inflates one bare stream and returns the number of bytes it read. `before` bytes of the body
    /// were read earlier.
    fn inflate_raw_stream(
        &mut self,
        input: &[u8],
        before: usize,
        out: &mut Vec<u8>,
        limits: &DecodeLimits<'_>,
    ) -> Result<(usize, Layer), BodyFault> {
        self.state.reset(false);
        let mut consumed = 0;
        loop {
            limits.reserve(out);
            let length = out.len();
            let result = self.state.decompress_vec(&input[consumed..], out, FlushDecompress::None);
            let progress = self.state.total_in() as usize > consumed || out.len() > length;
            consumed = self.state.total_in() as usize;
            limits.check(before + consumed, out.len())?;
            match result {
                Ok(Status::StreamEnd) => return Ok((consumed, Layer::Whole)),
                Ok(_) if progress => {}
                Ok(_) | Err(_) => return Ok((consumed, Layer::Cut)),
            }
        }
    }
}
