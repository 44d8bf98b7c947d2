//! Undoing what wraps a body: chunks, then content encodings, the last applied first.
//!
//! The rule for everything a server can get wrong: what can be read is used. A body that isn't what its head says is
//! taken as it is; one that breaks in the middle is used up to there; a wrong checksum is no reason to lose a page.
//! Only sizes are refused, since they are what an attacker controls.

use super::HttpHead;
use super::brotli::Brotli;
use super::chunked::{self, Chunking};
use super::coding::ContentEncoding;
use super::inflate::Inflate;
use super::layer::{BodyFault, Caps, Layer, looks_plain};
use super::zstd::Zstd;
use crate::limits::Limits;

/// Decodes bodies. Belongs to one worker: it keeps the state of the inflaters and two buffers, so that decoding
/// allocates nothing once they have grown to what pages need.
pub struct Decoder {
    inflate: Inflate,
    brotli: Brotli,
    zstd: Zstd,
    /// The output of the encoding that was undone last.
    front: Vec<u8>,
    /// Its input, where several are laid over one another.
    back: Vec<u8>,
}

/// A body as the author of the page wrote it, as far as it could be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodedBody<'a> {
    /// The body; still a part of the block if no content encoding was undone.
    pub bytes: &'a [u8],
    /// What became of the chunks.
    pub chunking: Chunking,
    /// How many content encodings were undone.
    pub undone: usize,
    /// Whether a content encoding was listed that the body doesn't have.
    pub lie: bool,
    /// Whether an encoding broke or ended early, so that `bytes` is only what comes before.
    pub cut: bool,
}

impl Default for Decoder {
    fn default() -> Self {
        Decoder::new()
    }
}

impl Decoder {
    /// A decoder with empty buffers.
    pub fn new() -> Self {
        Decoder {
            inflate: Inflate::new(),
            brotli: Brotli::default(),
            zstd: Zstd::new(),
            front: Vec::new(),
            back: Vec::new(),
        }
    }

    /// Undoes what `head` says of `body` ([`Http::split`] gives both). Chunks are joined in `body` itself.
    ///
    /// # Errors
    ///
    /// There is no body, or it goes beyond a limit. The contents of `body` are unspecified then.
    ///
    /// [`Http::split`]: super::Http::split
    pub fn decode<'a>(
        &'a mut self,
        head: &HttpHead<'_>,
        body: &'a mut [u8],
        limits: &Limits,
    ) -> Result<DecodedBody<'a>, BodyFault> {
        head.body?;
        let (chunking, length) =
            if head.chunked { chunked::join(body) } else { (Chunking::None, body.len()) };
        let body = &body[..length];
        let mut decoded = DecodedBody { bytes: body, chunking, undone: 0, lie: false, cut: false };

        let mut encodings = head.encodings.as_slice();
        if head.encodings.too_many() {
            if !looks_plain(body) {
                return Err(BodyFault::TooManyEncodings);
            }
            decoded.lie = true;
            encodings = &[];
        }
        let caps = Caps::new(limits, body.len());
        for &encoding in encodings.iter().rev() {
            std::mem::swap(&mut self.front, &mut self.back);
            let input = if decoded.undone == 0 { body } else { &self.back };
            if input.is_empty() {
                // Nothing to undo, and nothing to say about it: HEAD, 304 and revisit records look like this.
                std::mem::swap(&mut self.front, &mut self.back);
                break;
            }
            recycle(&mut self.front);
            let out = &mut self.front;
            let layer = match encoding {
                ContentEncoding::Gzip => self.inflate.gzip(input, out, &caps),
                ContentEncoding::Deflate => self.inflate.deflate(input, out, &caps),
                ContentEncoding::Brotli => self.brotli.decode(input, out, &caps),
                ContentEncoding::Zstd => {
                    self.zstd.decode(input, out, limits.zstd_window_log, &caps)
                }
            }?;
            // deflate and brotli have no signature, and text can look like the beginning of either.
            let layer =
                if layer == Layer::Cut && looks_plain(input) { Layer::Other } else { layer };
            if layer == Layer::Other {
                decoded.lie = true;
                std::mem::swap(&mut self.front, &mut self.back);
            } else {
                decoded.undone += 1;
                decoded.cut |= layer == Layer::Cut;
            }
        }
        if decoded.undone > 0 {
            decoded.bytes = &self.front;
        }
        if decoded.bytes.len() > limits.body_bytes {
            return Err(BodyFault::TooLarge);
        }
        Ok(decoded)
    }
}

/// Empties a buffer; one that a giant left behind is cut back.
fn recycle(buffer: &mut Vec<u8>) {
    const KEEP: usize = 2 << 20;
    buffer.clear();
    buffer.shrink_to(KEEP);
}

#[cfg(test)]
mod tests;
