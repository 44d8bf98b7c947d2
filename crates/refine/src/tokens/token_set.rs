//! The set of the tokens that a piece may be.

use foldhash::fast::RandomState;
use std::collections::HashSet;

/// Longest token whose bytes are its key.
const MAX_INLINE_BYTES: usize = 15;

/// A set of tokens. Most lookups are of short pieces. Their bytes lie in the table itself, so that
/// a lookup reads one place of memory.
#[derive(Debug, Default)]
pub(super) struct TokenSet {
    short: HashSet<u128, RandomState>,
    long: HashSet<Box<[u8]>, RandomState>,
    /// Bytes of the longest token.
    longest: usize,
}

impl FromIterator<Vec<u8>> for TokenSet {
    fn from_iter<T: IntoIterator<Item = Vec<u8>>>(tokens: T) -> TokenSet {
        let mut set = TokenSet::default();
        for token in tokens {
            set.longest = set.longest.max(token.len());
            match short_key(&token) {
                Some(key) => _ = set.short.insert(key),
                None => _ = set.long.insert(token.into_boxed_slice()),
            }
        }
        set
    }
}

impl TokenSet {
    /// Returns whether the piece is a token of the set.
    #[inline]
    pub(super) fn contains(&self, piece: &[u8]) -> bool {
        match short_key(piece) {
            Some(key) => self.short.contains(&key),
            None => piece.len() <= self.longest && self.long.contains(piece),
        }
    }
}

/// Returns the bytes of a short piece with its length. No two pieces have the same key.
#[inline]
fn short_key(piece: &[u8]) -> Option<u128> {
    let length = piece.len();
    // Two loads that overlap cover a piece. Bytes that both have are equal.
    let ends = |first: u128, last: u128, size: usize| first | last << (8 * (length - size));
    let bytes = if length > MAX_INLINE_BYTES {
        return None;
    } else if let (Some(first), Some(last)) = (piece.first_chunk::<8>(), piece.last_chunk::<8>()) {
        ends(u64::from_le_bytes(*first).into(), u64::from_le_bytes(*last).into(), 8)
    } else if let (Some(first), Some(last)) = (piece.first_chunk::<4>(), piece.last_chunk::<4>()) {
        ends(u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into(), 4)
    } else {
        piece.iter().rev().fold(0, |bytes, byte| bytes << 8 | u128::from(*byte))
    };
    Some(bytes | (length as u128) << (8 * MAX_INLINE_BYTES))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_the_bytes_and_the_length() {
        for length in 0..=MAX_INLINE_BYTES {
            let piece: Vec<u8> = (0..length as u8).map(|at| at.wrapping_mul(37) ^ 0xA5).collect();
            let mut expected = [0; 16];
            expected[..length].copy_from_slice(&piece);
            expected[MAX_INLINE_BYTES] = length as u8;
            assert_eq!(short_key(&piece), Some(u128::from_le_bytes(expected)), "{length}");
        }
        assert_eq!(short_key(&[0; MAX_INLINE_BYTES + 1]), None);
    }

    #[test]
    fn only_tokens_are_in_the_set() {
        let tokens = ["", "a", "a\0", "token", "twelve bytes", "more than fifteen bytes"];
        let set: TokenSet = tokens.iter().map(|token| token.as_bytes().to_vec()).collect();
        assert!(tokens.iter().all(|token| set.contains(token.as_bytes())));
        for other in
            ["\0", "a\0\0", "tokeN", "twelve byte", "more than fifteen byte!", &"x".repeat(99)]
        {
            assert!(!set.contains(other.as_bytes()), "{other:?}");
        }
        assert!(!TokenSet::default().contains(b""));
    }
}
