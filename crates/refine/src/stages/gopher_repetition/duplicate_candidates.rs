//! Finds hashes that may occur twice among many.
//!
//! Two bit sets hold the hashes that occurred, and the hashes that occurred again. They are small
//! enough for the nearest cache; a table of all hashes is not. Two different hashes may share a
//! bit, so the result errs in one direction only: every hash that occurs twice is found.

/// A list of hashes that reports which of them may occur twice.
#[derive(Debug, Default)]
pub(super) struct DuplicateCandidates {
    /// Two sets: bits of hashes that occurred, and bits of hashes that occurred again.
    bits: Vec<[u64; 2]>,
    mask: u32,
    /// The bit of each hash, in the order of the hashes.
    places: Vec<u32>,
}

impl DuplicateCandidates {
    /// Begins a list of at most `max_entries` hashes.
    pub(super) fn begin(&mut self, max_entries: usize) {
        /// Bits per hash: about one in 32 hashes is reported by mistake.
        const BITS_PER_HASH: usize = 32;
        const MAX_KEPT_ENTRIES: usize = 1 << 16;
        let bits = (max_entries * BITS_PER_HASH).next_power_of_two().clamp(64, 1 << 31);
        self.mask = (bits - 1) as u32;
        self.bits.clear();
        self.bits.shrink_to(MAX_KEPT_ENTRIES / 4);
        self.bits.resize(bits / 64, [0; 2]);
        self.places.clear();
        self.places.shrink_to(MAX_KEPT_ENTRIES);
    }

    /// Adds the next hash.
    #[inline]
    pub(super) fn push(&mut self, hash: u64) {
        let bit_index = hash as u32 & self.mask;
        let bit = 1 << (bit_index % 64);
        let [once, again] = &mut self.bits[bit_index as usize / 64];
        *again |= *once & bit;
        *once |= bit;
        self.places.push(bit_index);
    }

    /// Returns whether another hash may equal the hash at this index. False after the last hash.
    #[inline]
    pub(super) fn may_be_twice(&self, index: usize) -> bool {
        let Some(bit_index) = self.places.get(index) else { return false };
        self.bits[*bit_index as usize / 64][1] >> (bit_index % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_twice_is_never_missed_and_little_else_is_taken_for_it() {
        let mut twice = DuplicateCandidates::default();
        for _ in 0..2 {
            twice.begin(1000);
            let hash = |n: u64| (n % 900).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
            (0..1000).for_each(|n| twice.push(hash(n)));
            assert!((0..100).chain(900..1000).all(|at| twice.may_be_twice(at)));
            let wrong = (100..900).filter(|at| twice.may_be_twice(*at)).count();
            assert!(wrong < 100, "{wrong} of 800");
            assert!(!twice.may_be_twice(1000));
        }
        twice.begin(0);
        assert!(!twice.may_be_twice(0));
    }
}
