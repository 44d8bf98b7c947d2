//! The interface of the decoders of single content encodings, which [`Decoder`](super::Decoder)
//! runs one after another: the limits they take and the outcome they give.

use super::head::HeadFault;
use crate::limits::Limits;
use crate::room::{Room, UNASKED};
use std::cell::RefCell;

/// Why a body could not be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyFault {
    /// The response has no body.
    #[error(transparent)]
    Head(#[from] HeadFault),
    /// Longer than [`Limits::body_bytes`].
    #[error("HTTP body is longer than allowed")]
    TooLarge,
    /// Decoded it is more than [`Limits::decode_ratio`] times as long as encoded.
    #[error("HTTP body grows more than allowed by decoding")]
    Ratio,
    /// More encodings are listed than [`Limits::content_encodings`], and the body isn't plain text.
    #[error("HTTP body has more content encodings than allowed")]
    TooManyEncodings,
}

/// How far one encoding was undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    /// To its end.
    Whole,
    /// To where the body is damaged or ends early.
    Cut,
    /// Not at all: the body isn't in this encoding.
    Other,
}

/// The limits on the output of a decoder. Sizes in bytes.
pub(super) struct Caps<'r> {
    /// Is asked before the output grows beyond a MiB.
    room: RefCell<&'r mut dyn Room>,
    body_bytes: usize,
    ratio: usize,
    /// Length of the body before any decoding.
    encoded: usize,
}

impl<'r> Caps<'r> {
    /// Size above which the ratio is limited: a short page of blanks may well shrink to nothing.
    const RATIO_FROM: usize = 1 << 20;
    /// Least room to decode into.
    const SLICE: usize = 64 << 10;

    /// The limits for a body of `encoded` bytes.
    pub(super) fn new(limits: &Limits, encoded: usize, room: &'r mut dyn Room) -> Self {
        let room = RefCell::new(room);
        Caps { room, body_bytes: limits.body_bytes, ratio: limits.decode_ratio, encoded }
    }

    /// Length to which a full output may grow next: double, but at most one byte above the limit,
    /// which shows that it is exceeded.
    pub(super) fn next_len(&self, len: usize) -> usize {
        let next = (len * 2).max(Self::SLICE).min(self.body_bytes.saturating_add(1)).max(len + 1);
        if next > UNASKED {
            // While it grows the old one is there too.
            self.room.borrow_mut().wait_for(next + len);
        }
        next
    }

    /// Makes room for more output in the spare capacity of `out`.
    pub(super) fn reserve(&self, out: &mut Vec<u8>) {
        if out.len() == out.capacity() {
            out.reserve_exact(self.next_len(out.len()) - out.len());
        }
    }

    /// Refuses output of `decoded` bytes that is longer than the limit, or too long for the
    /// `consumed` bytes it was decoded from.
    ///
    /// Since the ratio is taken of the bytes consumed so far, a bomb is found after its first MiB.
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
