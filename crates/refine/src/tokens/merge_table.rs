//! The merges of a byte-pair encoding: pairs of tokens, and the token that each pair becomes.

use foldhash::fast::RandomState;
use std::collections::HashMap;

/// The merge of a pair of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PairMerge {
    /// Order of merging: the lowest rank first.
    pub(super) rank: u32,
    /// Number of the token that the pair becomes.
    pub(super) token: u32,
}

impl PairMerge {
    /// The value for a pair that has no merge.
    pub(super) const NEVER: PairMerge = PairMerge { rank: u32::MAX, token: u32::MAX };
}

/// The tokens of single bytes, and the merges of pairs.
#[derive(Debug)]
pub(super) struct MergeTable {
    /// For each byte, the number of its token.
    bytes: [u32; 256],
    /// Merges by both tokens of a pair, the left one in the upper half.
    merges: HashMap<u64, PairMerge, RandomState>,
}

/// Returns both tokens of a pair as one number.
fn pair_key(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

impl MergeTable {
    /// Creates the table of the single bytes of these tokens, without pairs.
    pub(super) fn new(tokens: &HashMap<Vec<u8>, u32>) -> Result<MergeTable, String> {
        let mut bytes = [0; 256];
        for byte in 0..=u8::MAX {
            bytes[usize::from(byte)] = *tokens.get([byte].as_slice()).ok_or_else(|| {
                format!("the byte {byte:#04x} has no token: this is not a byte-level vocabulary")
            })?;
        }
        Ok(MergeTable { bytes, merges: HashMap::default() })
    }

    /// Adds the merge of a pair.
    pub(super) fn insert(&mut self, left: u32, right: u32, merge: PairMerge) {
        self.merges.insert(pair_key(left, right), merge);
    }

    /// Returns the token of a byte.
    pub(super) fn token_of_byte(&self, byte: u8) -> u32 {
        self.bytes[usize::from(byte)]
    }

    /// Returns the merge of two tokens, or [`PairMerge::NEVER`].
    #[inline]
    pub(super) fn merge_of(&self, left: u32, right: u32) -> PairMerge {
        self.merges.get(&pair_key(left, right)).copied().unwrap_or(PairMerge::NEVER)
    }
}
