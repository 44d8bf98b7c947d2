//! A hash table that finds equal items of one row: words, n-grams, lines.

use foldhash::fast::RandomState;
use std::hash::{BuildHasher, Hasher};

/// The part of a slot that holds bits of the hash.
const HASH_BITS: u64 = !(u32::MAX as u64);

/// Finds the entry that is equal to a new one. Entries are numbers. The caller compares the items
/// behind them, so collisions cost time but never change a result. Each process seeds the hash
/// differently, so an attacker cannot prepare collisions.
///
/// Open addressing. A slot holds the upper half of the hash and the entry plus one; 0 is free.
#[derive(Debug, Default)]
pub(crate) struct Table {
    /// Tag of the hash, and the entry plus one; 0 in a free slot.
    slots: Vec<u64>,
    /// Number of slots less one.
    mask: usize,
    seed: RandomState,
}

impl Table {
    /// Removes all entries and makes room for `max_entries` new ones.
    pub(crate) fn begin(&mut self, max_entries: usize) {
        /// Most slots that are kept for the next row.
        const MAX_KEPT_SLOTS: usize = 1 << 17;
        let slots = (max_entries * 2).next_power_of_two().max(16);
        self.slots.clear();
        if slots < MAX_KEPT_SLOTS {
            self.slots.shrink_to(MAX_KEPT_SLOTS);
        }
        self.slots.resize(slots, 0);
        self.mask = slots - 1;
    }

    /// Returns the hash of bytes.
    #[inline]
    pub(crate) fn hash_bytes(&self, bytes: &[u8]) -> u64 {
        let mut hasher = self.seed.build_hasher();
        // Leaves out the length, which `Hash` would add for slices.
        hasher.write(bytes);
        hasher.finish()
    }

    /// Returns the hash of a number.
    #[inline]
    pub(crate) fn hash_number(&self, number: u64) -> u64 {
        self.seed.hash_one(number)
    }

    /// Returns the hash of sixteen bytes.
    #[inline]
    pub(crate) fn hash_wide(&self, number: u128) -> u64 {
        self.seed.hash_one(number)
    }

    /// Returns the earlier entry with this hash for which `is_equal` is true. If there is no such
    /// entry, inserts `entry` and returns it. The caller inserts at most as many entries as it
    /// passed to [`Table::begin`].
    #[inline]
    pub(crate) fn find_or_insert(
        &mut self,
        hash: u64,
        entry: u32,
        is_equal: impl Fn(u32) -> bool,
    ) -> u32 {
        let mut slot = hash as usize & self.mask;
        loop {
            let held = self.slots[slot];
            if held == 0 {
                self.slots[slot] = (hash & HASH_BITS) | (u64::from(entry) + 1);
                return entry;
            }
            if (held ^ hash) & HASH_BITS == 0 {
                let known = (held as u32).wrapping_sub(1);
                if is_equal(known) {
                    return known;
                }
            }
            slot = (slot + 1) & self.mask;
        }
    }

    /// Returns the entry with this hash for which `is_equal` is true.
    #[inline]
    pub(crate) fn find(&self, hash: u64, is_equal: impl Fn(u32) -> bool) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let mut slot = hash as usize & self.mask;
        loop {
            let entry = self.slots[slot];
            if entry == 0 {
                return None;
            }
            let known = (entry as u32).wrapping_sub(1);
            if (entry ^ hash) & HASH_BITS == 0 && is_equal(known) {
                return Some(known);
            }
            slot = (slot + 1) & self.mask;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_things_are_found_and_collisions_told_apart() {
        let mut table = Table::default();
        table.begin(3);
        assert_eq!(table.find_or_insert(7, 0, |_| unreachable!("the table is empty")), 0);
        assert_eq!(table.find_or_insert(7, 1, |known| known == 0), 0);
        assert_eq!(table.find_or_insert(7, 1, |_| false), 1);
        assert_eq!(table.find_or_insert(7, 2, |known| known == 1), 1);
        assert_eq!(table.find(7, |known| known == 1), Some(1));
        assert_eq!(
            (table.find(7, |known| known == 2), table.find(1 << 40, |_| true)),
            (None, None)
        );
        assert_eq!(Table::default().find(7, |_| true), None);
        table.begin(1);
        assert_eq!(table.find_or_insert(7, 5, |_| unreachable!("begun anew")), 5);
    }
}
