//! Undoing what wraps a body: chunks, then content encodings, the last applied first.
//!
//! The rule for everything a server can get wrong: what can be read is used. A body that isn't what its head says is
//! taken as it is; one that breaks in the middle is used up to there; a wrong checksum is no reason to lose a page.
//! Only sizes are refused, since they are what an attacker controls.

use super::brotli::Brotli;
use super::chunked::{self, Chunking};
use super::coding::ContentEncoding;
use super::inflate::Inflate;
use super::zstd::Zstd;
use super::{HeadFault, HttpHead};
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

/// Why a body is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyFault {
    /// There is no body.
    #[error(transparent)]
    Head(#[from] HeadFault),
    /// Longer than [`Limits::body_bytes`].
    #[error("HTTP body is longer than allowed")]
    TooLarge,
    /// It grows more than [`Limits::decode_ratio`] times by decoding.
    #[error("HTTP body grows more than allowed by decoding")]
    Ratio,
    /// More than [`Limits::content_encodings`], and it looks encoded.
    #[error("HTTP body has more content encodings than allowed")]
    TooManyEncodings,
}

/// How one encoding was undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    /// To its end.
    Whole,
    /// To where it breaks or ends early.
    Cut,
    /// Not at all: the input is something else.
    Other,
}

/// Where the output of a decoder must end. Sizes in bytes.
pub(super) struct Caps {
    body_bytes: usize,
    ratio: usize,
    /// Length of the body before any decoding.
    encoded: usize,
}

impl Caps {
    /// Ratios below this size are not looked at: a short page of blanks may well shrink to nothing.
    const RATIO_FROM: usize = 1 << 20;
    /// Least room to decode into, in bytes.
    const SLICE: usize = 64 << 10;

    /// Length to which a full output may grow next: doubled, but never far beyond what is allowed.
    pub(super) fn next_len(&self, len: usize) -> usize {
        (len * 2).max(Self::SLICE).min(self.body_bytes.saturating_add(1)).max(len + 1)
    }

    /// Makes room for more output in the spare capacity of `out`.
    pub(super) fn reserve(&self, out: &mut Vec<u8>) {
        if out.len() == out.capacity() {
            out.reserve_exact(self.next_len(out.len()) - out.len());
        }
    }

    /// Refuses output that has grown too long, at once or for the input read so far.
    ///
    /// The ratio is that of the moment: a bomb is seen when its first MiB comes out, not when 128 MiB have been filled.
    pub(super) fn check(&self, consumed: usize, decoded: usize) -> Result<(), BodyFault> {
        if decoded > self.body_bytes {
            return Err(BodyFault::TooLarge);
        }
        let least = consumed.min(self.encoded).max(1);
        if decoded > Self::RATIO_FROM && decoded > self.ratio.saturating_mul(least) {
            return Err(BodyFault::Ratio);
        }
        Ok(())
    }
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
        let caps =
            Caps { body_bytes: limits.body_bytes, ratio: limits.decode_ratio, encoded: body.len() };
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

/// Whether bytes begin like text: no control characters that text has no use for in the first 256.
///
/// Of compressed data nine bytes in ten pass each, so that 256 of them don't. An empty body is plain.
pub(super) fn looks_plain(bytes: &[u8]) -> bool {
    let odd = |&byte: &u8| {
        byte == 0x7F || (byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0C | 0x1B))
    };
    !bytes.iter().take(256).any(odd)
}

#[cfg(test)]
mod tests;
