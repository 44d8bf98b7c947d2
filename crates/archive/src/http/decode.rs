//! Decodes a body: chunks first, then other transfer encodings, then content encodings, and within
//! each kind the last applied first.
//!
//! The decoder uses every readable part, whatever the server did wrong. If a body begins as another
//! encoding, the decoder uses that one. A body without an encoding is used unchanged. A damaged
//! body is used up to the damage, and checksums are ignored. A body is refused only for its size,
//! since an attacker can exploit only that.

use super::brotli::Brotli;
use super::chunked::{self, Chunking};
use super::coding::ContentEncoding;
use super::head::HttpHead;
use super::inflate::Inflate;
use super::layer::{BodyFault, DecodeLimits, Layer};
use super::sniff::{is_binary, looks_plain};
use super::zstd::Zstd;
use crate::limits::Limits;
use crate::memory_budget::MemoryBudget;

/// Decodes bodies. Each worker has one. It keeps the decoders of all encodings and two buffers.
/// Decoding allocates nothing once the buffers have grown to the size of the pages.
pub struct Decoder {
    inflate: Inflate,
    brotli: Brotli,
    zstd: Zstd,
    /// The output of the last decoded encoding.
    front: Vec<u8>,
    /// The input of that encoding, if it was the output of another one.
    back: Vec<u8>,
}

/// A body without its encodings, up to any damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodedBody<'a> {
    /// The body: a part of the block if no content encoding was decoded, else a buffer of the
    /// decoder.
    pub bytes: &'a [u8],
    /// The result of joining chunks.
    pub chunking: Chunking,
    /// Number of content encodings, and transfer encodings other than chunks, that were decoded.
    pub decoded_layers: usize,
    /// Whether the head lists a content encoding that the body does not have.
    pub has_wrong_encoding: bool,
    /// Whether the body was damaged or ended early, so that `bytes` is only the part before.
    pub is_cut: bool,
    /// The body as it is stored: its chunks joined, all other encodings present.
    pub payload: &'a [u8],
    /// Length of the body in bytes with its chunks.
    stored: u64,
}

impl DecodedBody<'_> {
    /// Returns whether the end of the body is missing, by its encodings or by the Content-Length in
    /// its head.
    pub(crate) fn ends_early(&self, head: &HttpHead<'_>) -> bool {
        // An empty body does not count as a cut chunk. A Content-Length is ignored beside chunks,
        // and has another meaning if the body was stored decoded.
        let short = !head.chunked
            && !self.has_wrong_encoding
            && head.content_length.is_some_and(|length| length > self.stored);
        self.is_cut || short || self.chunking == Chunking::Cut && self.stored > 0
    }
}

impl Default for Decoder {
    fn default() -> Self {
        Decoder::new()
    }
}

impl Decoder {
    /// Returns a decoder with empty buffers.
    pub fn new() -> Self {
        Decoder {
            inflate: Inflate::new(),
            brotli: Brotli::default(),
            zstd: Zstd::new(),
            front: Vec::new(),
            back: Vec::new(),
        }
    }

    /// Decodes the encodings that `head` lists for `body` ([`Http::split`] returns both). Chunks
    /// are joined in `body` itself.
    ///
    /// # Errors
    ///
    /// The head has a fault, or the body exceeds a limit. The contents of `body` are then
    /// unspecified.
    ///
    /// [`Http::split`]: crate::Http::split
    pub fn decode<'a>(
        &'a mut self,
        head: &HttpHead<'_>,
        body: &'a mut [u8],
        limits: &Limits,
    ) -> Result<DecodedBody<'a>, BodyFault> {
        self.decode_within(head, body, limits, &mut ())
    }

    /// As [`Decoder::decode`]. It asks `budget` before a buffer grows beyond 1 MiB.
    ///
    /// # Errors
    ///
    /// As [`Decoder::decode`].
    pub fn decode_within<'a>(
        &'a mut self,
        head: &HttpHead<'_>,
        body: &'a mut [u8],
        limits: &Limits,
        budget: &mut dyn MemoryBudget,
    ) -> Result<DecodedBody<'a>, BodyFault> {
        head.body?;
        let stored = body.len() as u64;
        let (chunking, length) =
            if head.chunked { chunked::join(body) } else { (Chunking::None, body.len()) };
        let body = &body[..length];
        let (decoded_layers, has_wrong_encoding, is_cut, payload) = (0, false, false, body);
        let mut decoded = DecodedBody {
            bytes: body,
            chunking,
            decoded_layers,
            has_wrong_encoding,
            is_cut,
            payload,
            stored,
        };

        let mut encodings = head.encodings.as_slice();
        let mut transfer = head.transfer_encodings.as_slice();
        let listed = encodings.len() + transfer.len();
        if head.encodings.too_many()
            || head.transfer_encodings.too_many()
            || listed > limits.content_encodings
        {
            if !looks_plain(body) {
                return Err(BodyFault::TooManyEncodings);
            }
            decoded.has_wrong_encoding = true;
            (encodings, transfer) = (&[], &[]);
        }
        let output_limits = DecodeLimits::new(limits, body.len(), budget);
        for &encoding in encodings.iter().chain(transfer).rev() {
            std::mem::swap(&mut self.front, &mut self.back);
            let input = if decoded.decoded_layers == 0 { body } else { &self.back };
            if input.is_empty() {
                // This is not a lie: responses to HEAD, status 304 and revisit records list
                // encodings of a body they do not have.
                std::mem::swap(&mut self.front, &mut self.back);
                break;
            }
            recycle(&mut self.front);
            let out = &mut self.front;
            let found = encoding.or_detected(input);
            decoded.has_wrong_encoding |= found != encoding;
            let layer = match found {
                ContentEncoding::Gzip => self.inflate.gzip(input, out, &output_limits),
                ContentEncoding::Deflate => self.inflate.deflate(input, out, &output_limits),
                ContentEncoding::Brotli => self.brotli.decode(input, out, &output_limits),
                ContentEncoding::Zstd => {
                    self.zstd.decode(input, out, limits.zstd_window_log, &output_limits)
                }
            }?;
            // deflate and brotli have no magic number. Text can look like the beginning of either,
            // and other compressed data like one that is damaged at once.
            let has_magic = matches!(found, ContentEncoding::Gzip | ContentEncoding::Zstd);
            let is_other = looks_plain(input) || !has_magic && out.is_empty() && is_binary(input);
            let layer = if layer == Layer::Cut && is_other { Layer::Other } else { layer };
            if layer == Layer::Other {
                decoded.has_wrong_encoding = true;
                std::mem::swap(&mut self.front, &mut self.back);
            } else {
                decoded.decoded_layers += 1;
                decoded.is_cut |= layer == Layer::Cut;
            }
        }
        if decoded.decoded_layers > 0 {
            decoded.bytes = &self.front;
        }
        if decoded.bytes.len() > limits.body_bytes {
            return Err(BodyFault::TooLarge);
        }
        Ok(decoded)
    }
}

/// Empties a buffer and keeps at most 2 MiB of its memory.
fn recycle(buffer: &mut Vec<u8>) {
    const KEEP: usize = 2 << 20;
    buffer.clear();
    buffer.shrink_to(KEEP);
}

#[cfg(test)]
mod tests;
