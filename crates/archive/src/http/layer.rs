//! One content encoding undone: how that can end, and where its output must.
//!
//! What every decoder here takes and gives, so that [`Decoder`](super::Decoder) can lay one over another.

use super::HeadFault;
use crate::limits::Limits;

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

    /// Those for a body of `encoded` bytes.
    pub(super) fn new(limits: &Limits, encoded: usize) -> Self {
        Caps { body_bytes: limits.body_bytes, ratio: limits.decode_ratio, encoded }
    }

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

/// Whether bytes begin like text: no control characters that text has no use for in the first 256.
///
/// Of compressed data nine bytes in ten pass each, so that 256 of them don't. An empty body is plain.
pub(super) fn looks_plain(bytes: &[u8]) -> bool {
    let odd = |&byte: &u8| {
        byte == 0x7F || (byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0C | 0x1B))
    };
    !bytes.iter().take(256).any(odd)
}
