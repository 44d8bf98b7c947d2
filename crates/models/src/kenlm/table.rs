//! A hash table in the file, with linear probing.

use crate::bytes::Reader;
use crate::error::ModelError;
use std::ops::Range;

/// Most entries between two empty slots. Tables of KenLM have a few hundred, and a few thousand
/// with the least multipliers.
const MAX_RUN_ENTRIES: usize = 1 << 14;

/// A hash table in the file: entries that begin with a key. Key 0 is an empty slot.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// Byte range of the table.
    range: Range<usize>,
    /// Bytes of an entry.
    entry: usize,
    /// Number of slots.
    slots: u64,
}

/// The first slot of a key.
#[derive(Clone, Copy, Default)]
pub(super) struct Slot {
    /// Offset in the table, in bytes.
    at: usize,
    /// The key that the slot has.
    key: u64,
}

impl Table {
    /// Passes over a table for `count` entries of `entry` bytes, and calls `check` with the bytes
    /// of each entry after its key. `check` returns a problem, if there is one.
    pub(super) fn read(
        reader: &mut Reader<'_>,
        bytes: &[u8],
        (count, multiplier): (u64, f32),
        entry: usize,
        check: impl Fn(&[u8]) -> Option<&'static str>,
    ) -> Result<Table, ModelError> {
        // The conversion cuts the fraction off, and large numbers to the largest.
        #[expect(clippy::cast_sign_loss, reason = "counts and multipliers are not negative")]
        let slots = ((multiplier * count as f32) as u64).max(count.saturating_add(1));
        let range = reader.range(slots.saturating_mul(entry as u64))?;
        let table = Table { range, entry, slots };
        table.check(bytes, check)?;
        Ok(table)
    }

    /// Checks all entries, and that no search takes long.
    fn check(
        &self,
        bytes: &[u8],
        check: impl Fn(&[u8]) -> Option<&'static str>,
    ) -> Result<(), ModelError> {
        let damaged = |offset, problem| Err(ModelError::Damaged { offset, problem });
        // The run at the start continues the one at the end.
        let (mut run, mut first_run) = (0, None);
        let longest = MAX_RUN_ENTRIES.min(self.slots as usize - 1);
        for (slot, entry) in bytes[self.range.clone()].chunks_exact(self.entry).enumerate() {
            let (key, values) = entry.split_at(size_of::<u64>());
            if key == [0; 8] {
                first_run.get_or_insert(run);
                run = 0;
                continue;
            }
            run += 1;
            let offset = self.range.start + slot * self.entry;
            if run > longest {
                return damaged(offset, "a table has too few empty slots");
            }
            if let Some(problem) = check(values) {
                return damaged(offset, problem);
            }
        }
        if run + first_run.unwrap_or(run) > longest {
            return damaged(self.range.start, "a table has too few empty slots");
        }
        Ok(())
    }

    /// Returns the bytes of the entry with this key, after the key.
    #[inline]
    pub(super) fn find<'b>(&self, bytes: &'b [u8], key: u64) -> Option<&'b [u8]> {
        let slot = self.slot(bytes, key);
        self.find_from(bytes, key, slot)
    }

    /// Returns the first slot of a key, and the key that it has. The memory of several slots can be
    /// waited for together.
    #[inline]
    pub(super) fn slot(&self, bytes: &[u8], key: u64) -> Slot {
        let offset = (key % self.slots) as usize * self.entry;
        let first_key = bytes[self.range.clone()][offset..].first_chunk();
        Slot { at: offset, key: first_key.map_or(0, |key| u64::from_le_bytes(*key)) }
    }

    /// Returns what [`Table::find`] does, from the first slot of the key.
    #[inline]
    pub(super) fn find_from<'b>(&self, bytes: &'b [u8], key: u64, slot: Slot) -> Option<&'b [u8]> {
        if slot.key == 0 {
            return None;
        }
        let table = &bytes[self.range.clone()];
        let mut offset = slot.at;
        // A file that another program changes may have lost its empty slots.
        for _ in 0..=MAX_RUN_ENTRIES {
            let (found_key, values) = table[offset..offset + self.entry].split_first_chunk()?;
            match u64::from_le_bytes(*found_key) {
                0 => return None,
                found_key if found_key == key => return Some(values),
                _ => {}
            }
            offset += self.entry;
            if offset == table.len() {
                offset = 0;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(keys: &[u64]) -> Vec<u8> {
        keys.iter().flat_map(|key| key.to_le_bytes().into_iter().chain([*key as u8])).collect()
    }

    fn read(bytes: &[u8], count: u64) -> Result<Table, ModelError> {
        let odd = |values: &[u8]| (values[0] % 2 == 1).then_some("odd");
        Table::read(&mut Reader::new(bytes), bytes, (count, 1.5), 9, odd)
    }

    #[test]
    fn entries_are_found_around_the_end() {
        let bytes = table(&[24, 30, 0, 0, 16, 22]);
        let sound = read(&bytes, 4).unwrap();
        for key in [24, 30, 16, 22] {
            assert_eq!(sound.find(&bytes, key), Some(&[key as u8][..]));
        }
        assert_eq!((sound.find(&bytes, 36), sound.find(&bytes, 0)), (None, None));
    }

    #[test]
    fn tables_that_are_full_wrong_or_too_short_are_refused() {
        for (keys, count, problem) in [
            (&[2, 4, 6][..], 2, "too few empty"),
            (&[2, 0, 5], 2, "odd"),
            (&[2, 0], 2, "too early"),
            (&[0; 3], u64::MAX, "too early"),
        ] {
            let error = read(&table(keys), count).unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
        }
        let long: Vec<u64> = (0..3 * MAX_RUN_ENTRIES as u64).map(|slot| slot * 2).collect();
        assert!(read(&table(&long), 2 * MAX_RUN_ENTRIES as u64).is_err());
    }
}
