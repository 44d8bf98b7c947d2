//! Remembers the counts of pieces that are not tokens themselves.
//!
//! Names and parts of URLs occur again and again in the pages of a site, and joining their bytes
//! takes most of the time of a count.

use foldhash::fast::FixedState;
use std::hash::BuildHasher;

/// Longest piece that is remembered, in bytes.
const MAX_PIECE_BYTES: usize = 22;

/// Number of places. Together they take 128 KiB.
const PLACE_COUNT: usize = 1 << 12;

/// A piece and its number of tokens. Each token has at least one byte, so the number fits.
#[derive(Clone, Copy, Debug, Default)]
struct CachedCount {
    piece: [u8; MAX_PIECE_BYTES],
    /// 0 in an empty place.
    length: u8,
    tokens: u8,
}

/// Counts of pieces. A piece has one place, which the last piece with that place takes.
#[derive(Debug, Default)]
pub(super) struct PieceCache {
    hasher: FixedState,
    places: Vec<CachedCount>,
}

impl PieceCache {
    /// Returns the count of a piece, and calls `count` if it is not remembered.
    pub(super) fn get(&mut self, piece: &[u8], count: impl FnOnce() -> u64) -> u64 {
        if piece.is_empty() || piece.len() > MAX_PIECE_BYTES {
            return count();
        }
        if self.places.is_empty() {
            self.places.resize(PLACE_COUNT, CachedCount::default());
        }
        let slot = &mut self.places[self.hasher.hash_one(piece) as usize % PLACE_COUNT];
        if slot.piece[..usize::from(slot.length)] != *piece {
            slot.piece[..piece.len()].copy_from_slice(piece);
            (slot.length, slot.tokens) = (piece.len() as u8, count() as u8);
        }
        u64::from(slot.tokens)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_the_one_of_its_piece() {
        let mut cache = PieceCache::default();
        let mut counted = 0;
        for round in 0..2 {
            for number in 0..20_000_u64 {
                let piece = format!("{:>1$}", number, (number % 30) as usize);
                let tokens = cache.get(piece.as_bytes(), || {
                    counted += 1;
                    number % 20
                });
                assert_eq!(tokens, number % 20, "{round}");
            }
            assert_eq!(cache.get(b"", || 0), 0);
        }
        // The last piece that was counted has its place.
        assert_eq!(cache.get(b"last", || 7), 7);
        assert_eq!(cache.get(b"last", || 8), 7);
        assert!(counted > 20_000);
    }
}
