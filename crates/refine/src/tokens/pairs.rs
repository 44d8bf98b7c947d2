//! Which pairs of tokens join, and to what.

use foldhash::fast::RandomState;
use std::collections::HashMap;

/// What a pair of tokens joins to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Joined {
    /// The lowest rank is joined first.
    pub(super) rank: u32,
    pub(super) token: u32,
}

impl Joined {
    /// The pair does not join.
    pub(super) const NEVER: Joined = Joined { rank: u32::MAX, token: u32::MAX };
}

/// The tokens of single bytes, and the pairs that join.
#[derive(Debug)]
pub(super) struct Pairs {
    bytes: [u32; 256],
    /// By both tokens of a pair, the left one in the upper half.
    joined: HashMap<u64, Joined, RandomState>,
}

/// Both tokens of a pair as one number.
fn key(left: u32, right: u32) -> u64 {
    u64::from(left) << 32 | u64::from(right)
}

impl Pairs {
    /// The single bytes of these tokens. No pair joins yet.
    pub(super) fn new(tokens: &HashMap<Vec<u8>, u32>) -> Result<Pairs, String> {
        let mut bytes = [0; 256];
        for byte in 0..=u8::MAX {
            bytes[usize::from(byte)] = *tokens.get([byte].as_slice()).ok_or_else(|| {
                format!(
                    "there is no token for the byte {byte:#04x}: this is no byte-level vocabulary"
                )
            })?;
        }
        Ok(Pairs { bytes, joined: HashMap::default() })
    }

    /// Lets a pair join.
    pub(super) fn insert(&mut self, left: u32, right: u32, joined: Joined) {
        self.joined.insert(key(left, right), joined);
    }

    /// The token of a byte.
    pub(super) fn of_byte(&self, byte: u8) -> u32 {
        self.bytes[usize::from(byte)]
    }

    /// What two tokens join to.
    #[inline]
    pub(super) fn joined(&self, left: u32, right: u32) -> Joined {
        self.joined.get(&key(left, right)).copied().unwrap_or(Joined::NEVER)
    }
}
