//! The pairs of tokens that can be joined, and their results.

use foldhash::fast::RandomState;
use std::collections::HashMap;

/// The result of joining a pair of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PairMerge {
    /// Order of joining: the lowest rank first.
    pub(super) rank: u32,
    pub(super) token: u32,
}

impl PairMerge {
    /// The result for a pair that cannot be joined.
    pub(super) const NEVER: PairMerge = PairMerge { rank: u32::MAX, token: u32::MAX };
}

/// The tokens of single bytes, and the pairs that can be joined.
#[derive(Debug)]
pub(super) struct Pairs {
    bytes: [u32; 256],
    /// Results by both tokens of a pair, the left one in the upper half.
    joined: HashMap<u64, PairMerge, RandomState>,
}

/// Returns both tokens of a pair as one number.
fn key(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

impl Pairs {
    /// Creates the table of the single bytes of these tokens, without pairs.
    pub(super) fn new(tokens: &HashMap<Vec<u8>, u32>) -> Result<Pairs, String> {
        let mut bytes = [0; 256];
        for byte in 0..=u8::MAX {
            bytes[usize::from(byte)] = *tokens.get([byte].as_slice()).ok_or_else(|| {
                format!("the byte {byte:#04x} has no token: this is not a byte-level vocabulary")
            })?;
        }
        Ok(Pairs { bytes, joined: HashMap::default() })
    }

    /// Adds a pair that can be joined.
    pub(super) fn insert(&mut self, left: u32, right: u32, joined: PairMerge) {
        self.joined.insert(key(left, right), joined);
    }

    /// Returns the token of a byte.
    pub(super) fn token_of_byte(&self, byte: u8) -> u32 {
        self.bytes[usize::from(byte)]
    }

    /// Returns the result of joining two tokens.
    #[inline]
    pub(super) fn join(&self, left: u32, right: u32) -> PairMerge {
        self.joined.get(&key(left, right)).copied().unwrap_or(PairMerge::NEVER)
    }
}
