//! Stores the shingle sets of the rows that may be duplicates in a file: 4 bytes per shingle.
//! Memory is 12 bytes for each row of the run.

use huller_run::nameless;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Marks a row whose set is not wanted.
const NOT_WANTED: u64 = u64::MAX;

/// Marks a row whose set is wanted and still missing.
const WANTED: u64 = u64::MAX - 1;

/// Shingles that are read at a time: 64 KiB. Longer sets are read again for each comparison.
const SHINGLES_PER_READ: usize = 1 << 14;

/// Shingle sets by the numbers of their rows.
pub(crate) struct ShingleStore {
    file: BufWriter<File>,
    /// Offset of the set of each row, in shingles.
    starts: Vec<u64>,
    /// Number of shingles of each row.
    counts: Vec<u32>,
    /// Number of shingles in the file.
    written: u64,
}

impl ShingleStore {
    /// Bytes of memory for each row.
    pub(crate) const ROW_BYTES: u64 = (size_of::<u64>() + size_of::<u32>()) as u64;

    /// Creates a store for `rows` rows, with a file in `folder`.
    pub(crate) fn create(rows: usize, folder: &Path) -> io::Result<ShingleStore> {
        let file = BufWriter::with_capacity(1 << 18, nameless::create(folder)?);
        Ok(ShingleStore { file, starts: vec![NOT_WANTED; rows], counts: vec![0; rows], written: 0 })
    }

    /// Notes that the row's set will be needed.
    pub(crate) fn want(&mut self, row: u32) {
        self.starts[row as usize] = WANTED;
    }

    /// Returns whether the row's set is wanted and still missing.
    pub(crate) fn is_missing(&self, row: u32) -> bool {
        self.starts[row as usize] == WANTED
    }

    /// Returns which rows' sets are wanted, as one bit per row, 64 rows to a number.
    pub(crate) fn wanted_bits(&self) -> Vec<u64> {
        let bits = |starts: &[u64]| {
            starts.iter().rev().fold(0, |bits, start| bits << 1 | u64::from(*start == WANTED))
        };
        self.starts.chunks(64).map(bits).collect()
    }

    /// Stores the set of a row, which must be ascending.
    pub(crate) fn put(&mut self, row: u32, set: &[u32]) -> io::Result<()> {
        for shingle in set {
            self.file.write_all(&shingle.to_le_bytes())?;
        }
        self.starts[row as usize] = self.written;
        self.counts[row as usize] = set.len() as u32;
        self.written += set.len() as u64;
        Ok(())
    }

    /// Returns the sets, once all are stored.
    pub(crate) fn into_sets(self) -> io::Result<StoredSets> {
        let ShingleStore { file, starts, counts, .. } = self;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(StoredSets { file, starts, counts })
    }
}

/// The stored sets, for reading.
pub(crate) struct StoredSets {
    file: File,
    /// Offset of the set of each row, in shingles.
    starts: Vec<u64>,
    /// Number of shingles of each row.
    counts: Vec<u32>,
}

/// A set that is read in order, as often as it is needed.
#[derive(Debug, Default)]
pub(crate) struct StoredSet {
    /// Offset of the set in the file, in shingles.
    start: u64,
    /// Number of shingles of the set.
    count: u32,
    /// Number of its shingles up to the end of the current piece.
    read: u32,
    /// The shingles in memory.
    piece: Vec<u32>,
    /// Scratch buffer for the bytes of a piece.
    bytes: Vec<u8>,
}

impl StoredSets {
    /// Begins to read the set of a row. The set is empty if the row could not be read.
    pub(crate) fn get(&self, row: u32, set: &mut StoredSet) -> io::Result<()> {
        set.start = self.starts[row as usize];
        set.count = if set.start >= WANTED { 0 } else { self.counts[row as usize] };
        set.read = 0;
        set.piece.clear();
        self.next(set)
    }

    /// Reads the next piece of a set, in place of the last one. At the end of the set the piece is
    /// empty.
    fn next(&self, set: &mut StoredSet) -> io::Result<()> {
        let wanted = ((set.count - set.read) as usize).min(SHINGLES_PER_READ);
        set.piece.clear();
        if wanted > 0 {
            set.bytes.resize(wanted * size_of::<u32>(), 0);
            let offset = (set.start + u64::from(set.read)) * size_of::<u32>() as u64;
            self.file.read_exact_at(&mut set.bytes, offset)?;
            nameless::extend(&mut set.piece, &set.bytes);
            set.read += wanted as u32;
        }
        Ok(())
    }

    /// Returns to the beginning, which costs nothing if the whole set is in the piece.
    fn rewind(&self, set: &mut StoredSet) -> io::Result<()> {
        if set.piece.len() == set.count as usize {
            return Ok(());
        }
        set.read = 0;
        self.next(set)
    }

    /// Returns whether the Jaccard similarity of two sets is at least `min_similarity`. If one set
    /// is too small for that, neither is read further. So the cost is at most linear in the smaller
    /// set.
    pub(crate) fn are_similar(
        &self,
        left: &mut StoredSet,
        right: &mut StoredSet,
        min_similarity: f64,
    ) -> io::Result<bool> {
        let [smaller, larger] =
            [left.count.min(right.count), left.count.max(right.count)].map(f64::from);
        if smaller == 0. || smaller < min_similarity * larger {
            return Ok(false);
        }
        self.rewind(left)?;
        self.rewind(right)?;
        let (mut shared, mut left_at, mut right_at) = (0_u32, 0, 0);
        while !left.piece.is_empty() && !right.piece.is_empty() {
            while let (Some(first), Some(second)) =
                (left.piece.get(left_at), right.piece.get(right_at))
            {
                shared += u32::from(first == second);
                left_at += usize::from(first <= second);
                right_at += usize::from(second <= first);
            }
            if left_at == left.piece.len() {
                self.next(left)?;
                left_at = 0;
            }
            if right_at == right.piece.len() {
                self.next(right)?;
                right_at = 0;
            }
        }
        let union = f64::from(left.count) + f64::from(right.count) - f64::from(shared);
        Ok(f64::from(shared) >= min_similarity * union)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn check(sets: &[BTreeSet<u32>], min_similarity: f64) {
        let folder = tempfile::tempdir().unwrap();
        let mut store = ShingleStore::create(sets.len() + 1, folder.path()).unwrap();
        (0..=sets.len()).for_each(|row| store.want(row as u32));
        for (row, set) in sets.iter().enumerate().rev() {
            store.put(row as u32, &set.iter().copied().collect::<Vec<_>>()).unwrap();
            assert!(!store.is_missing(row as u32));
        }
        let stored = store.into_sets().unwrap();
        let [mut left, mut right] = [StoredSet::default(), StoredSet::default()];
        for (row, first) in sets.iter().enumerate() {
            stored.get(row as u32, &mut left).unwrap();
            for (other_row, second) in sets.iter().enumerate() {
                stored.get(other_row as u32, &mut right).unwrap();
                let shared = first.intersection(second).count() as f64;
                let union = first.union(second).count() as f64;
                let expected = union > 0. && shared / union >= min_similarity;
                // The second comparison uses the pieces that the first one read.
                for _ in 0..2 {
                    let found = stored.are_similar(&mut left, &mut right, min_similarity).unwrap();
                    assert_eq!(found, expected, "{row} {other_row}");
                }
            }
        }
        // A row without a set is similar to no row.
        stored.get(sets.len() as u32, &mut right).unwrap();
        assert!(!stored.are_similar(&mut left, &mut right, min_similarity).unwrap());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    proptest! {
        #[test]
        fn similarity_is_that_of_the_sets(sets in prop::collection::vec(prop::collection::btree_set(0_u32..40, 0..40), 1..6)) {
            for min_similarity in [0.1, 0.5, 0.75, 1.0] {
                check(&sets, min_similarity);
            }
        }
    }

    #[test]
    fn sets_of_several_pieces_are_compared_to_their_ends() {
        let count = SHINGLES_PER_READ as u32 * 2 + 100;
        let sets = [
            (0..count).collect(),
            (0..count).map(|n| n + count / 4).collect(),
            (0..SHINGLES_PER_READ as u32).collect(),
            (0..count).map(|n| n * 3).collect(),
        ];
        for min_similarity in [0.59, 0.6, 0.61, 0.1] {
            check(&sets, min_similarity);
        }
    }
}
