//! The interface of the decoders of single content encodings, which [`Decoder`](super::Decoder)
//! runs one after another: their limits and their results.

use super::head::HeadFault;
use crate::limits::Limits;
use crate::memory_budget::{MemoryBudget, UNASKED};
use std::cell::RefCell;

/// The reason why a body could not be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyFault {
    /// The response has no body.
    #[error(transparent)]
    Head(#[from] HeadFault),
    /// The body is longer than [`Limits::body_bytes`].
    #[error("HTTP body is longer than allowed")]
    TooLarge,
    /// The decoded body is more than [`Limits::decode_ratio`] times as long as the encoded one.
    #[error("HTTP body grows more than allowed when decoded")]
    Ratio,
    /// The head lists more encodings than [`Limits::content_encodings`], and the body is not plain
    /// text.
    #[error("HTTP body has more content encodings than allowed")]
    TooManyEncodings,
}

/// The result of decoding one encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    /// The body was decoded to its end.
    Whole,
    /// The body was decoded up to damage or an early end.
    Cut,
    /// Not decoded: the body does not have this encoding.
    Other,
}

/// The limits on the output of a decoder. Sizes are in bytes.
pub(super) struct DecodeLimits<'r> {
    /// The budget that is asked before the output grows beyond 1 MiB.
    budget: RefCell<&'r mut dyn MemoryBudget>,
    body_bytes: usize,
    ratio: usize,
    /// Length of the body before any decoding.
    encoded: usize,
}

impl<'r> DecodeLimits<'r> {
    /// Size above which the ratio is limited: a short page of blanks may legitimately compress to
    /// almost nothing.
    const RATIO_FROM: usize = 1 << 20;
    /// Smallest capacity to decode into.
    const SLICE: usize = 64 << 10;

    /// Returns the limits for a body of `encoded` bytes.
    pub(super) fn new(limits: &Limits, encoded: usize, budget: &'r mut dyn MemoryBudget) -> Self {
        let budget = RefCell::new(budget);
        DecodeLimits { budget, body_bytes: limits.body_bytes, ratio: limits.decode_ratio, encoded }
    }

    /// Returns the next length of a full output: double, but at most one byte above the limit,
    /// which is enough to detect an excess.
    pub(super) fn next_len(&self, len: usize) -> usize {
        let next = (len * 2).max(Self::SLICE).min(self.body_bytes.saturating_add(1)).max(len + 1);
        if next > UNASKED {
            // The old buffer exists too while the new one is filled.
            self.budget.borrow_mut().wait_for(next + len);
        }
        next
    }

    /// Reserves capacity for more output in `out`.
    pub(super) fn reserve(&self, out: &mut Vec<u8>) {
        if out.len() == out.capacity() {
            out.reserve_exact(self.next_len(out.len()) - out.len());
        }
    }

    /// Checks the size of the decoded output, and its ratio to the consumed input, against the
    /// limits. Both are in bytes.
    ///
    /// The ratio uses the bytes consumed so far, so a bomb is detected after its first MiB.
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
