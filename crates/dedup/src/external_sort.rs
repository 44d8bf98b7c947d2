//! Finds rows with the same key: sorts pairs of key and row in memory. If they do not fit, sorts
//! runs on the disk and merges them.

mod merge;
mod pair;

pub(crate) use pair::Key;

use huller_run::nameless;
use merge::Merge;
use pair::Pair;
use rayon::prelude::*;
use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

/// Collects pairs, and then reports each later row of a key together with the key's first row.
pub(crate) struct ExternalSort<K> {
    pairs: Vec<Pair<K>>,
    /// Most pairs in memory.
    most: usize,
    /// The folder for runs.
    folder: PathBuf,
    runs: Option<Runs>,
}

/// Sorted runs, one after another in a nameless file.
struct Runs {
    file: File,
    /// Offset of the end of each run, in bytes.
    ends: Vec<u64>,
}

/// Fewest pairs that are held, for any memory limit.
const MIN_PAIRS: usize = 1 << 10;

impl<K: Key> ExternalSort<K> {
    /// Bytes of a pair in memory.
    pub(crate) const PAIR: usize = size_of::<Pair<K>>();

    /// Holds pairs in `memory` bytes, and puts the others into a file in `folder`. `expected` is
    /// the likely number of pairs.
    pub(crate) fn new(memory: usize, folder: &Path, expected: usize) -> ExternalSort<K> {
        let max_pairs = (memory / Self::PAIR).max(MIN_PAIRS);
        let pairs = Vec::with_capacity(expected.min(max_pairs));
        ExternalSort { pairs, most: max_pairs, folder: folder.to_owned(), runs: None }
    }

    /// Adds a pair.
    ///
    /// # Errors
    ///
    /// The disk is full or fails.
    #[inline]
    pub(crate) fn push(&mut self, key: K, row: u32) -> io::Result<()> {
        if self.pairs.len() >= self.most {
            self.spill_pairs()?;
        }
        self.pairs.push(Pair::new(key, row));
        Ok(())
    }

    fn sort_pairs(&mut self) {
        self.pairs.par_sort_unstable_by_key(|pair| (pair.key(), pair.row()));
    }

    /// Writes the pairs in memory to the disk as a run.
    #[cold]
    fn spill_pairs(&mut self) -> io::Result<()> {
        self.sort_pairs();
        let mut runs = match self.runs.take() {
            Some(runs) => runs,
            None => Runs { file: nameless::create(&self.folder)?, ends: Vec::new() },
        };
        let mut out = BufWriter::with_capacity(1 << 18, &mut runs.file);
        for pair in &self.pairs {
            pair.write(&mut out)?;
        }
        out.flush()?;
        drop(out);
        runs.ends.push(runs.file.stream_position()?);
        self.pairs.clear();
        self.runs = Some(runs);
        Ok(())
    }

    /// Calls `link` with the first row of each key and each other row of it. Several threads may
    /// call, and each gets all rows of a key. In a single thread rows of a key come in ascending
    /// order.
    ///
    /// # Errors
    ///
    /// The disk cannot be read back.
    pub(crate) fn link(mut self, link: impl Fn(u32, u32) + Sync) -> io::Result<()> {
        if self.runs.is_none() {
            self.sort_pairs();
            cut_into_parts(&self.pairs).into_par_iter().for_each(|pairs| {
                for group in pairs.chunk_by(|left, right| left.key() == right.key()) {
                    let (first_pair, other_pairs) = group.split_first().expect("no group is empty");
                    for other_pair in other_pairs {
                        link(first_pair.row(), other_pair.row());
                    }
                }
            });
            return Ok(());
        }
        let mut first_pair: Option<Pair<K>> = None;
        self.merge_runs(|pair| {
            match first_pair {
                Some(first_pair) if first_pair.key() == pair.key() => {
                    link(first_pair.row(), pair.row());
                }
                _ => first_pair = Some(pair),
            }
            Ok(())
        })
    }

    /// Calls `each` with all pairs in order: by key, then by row.
    ///
    /// # Errors
    ///
    /// The disk cannot be read back, or `each` fails.
    pub(crate) fn for_each(
        mut self,
        mut each: impl FnMut(K, u32) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.runs.is_none() {
            self.sort_pairs();
            return self.pairs.iter().try_for_each(|pair| each(pair.key(), pair.row()));
        }
        self.merge_runs(|pair| each(pair.key(), pair.row()))
    }

    /// Calls `each` with every key that occurs in more than `often` pairs, in ascending order.
    ///
    /// # Errors
    ///
    /// The disk cannot be read back, or `each` fails.
    pub(crate) fn frequent(
        self,
        often: u64,
        mut each: impl FnMut(K) -> io::Result<()>,
    ) -> io::Result<()> {
        let (mut last_key, mut count) = (None, 0_u64);
        self.for_each(|key, _| {
            if last_key != Some(key) {
                (last_key, count) = (Some(key), 0);
            }
            count += 1;
            if count == often + 1 { each(key) } else { Ok(()) }
        })
    }

    /// Calls `each` with all pairs in order. Some pairs are on the disk.
    fn merge_runs(&mut self, mut each: impl FnMut(Pair<K>) -> io::Result<()>) -> io::Result<()> {
        if !self.pairs.is_empty() {
            self.spill_pairs()?;
        }
        let memory = self.most * Self::PAIR;
        self.pairs = Vec::new();
        let Some(Runs { file, ends }) = self.runs.take() else { return Ok(()) };
        let mut merge = Merge::new(&file, &ends, memory)?;
        while let Some(pair) = merge.next()? {
            each(pair)?;
        }
        Ok(())
    }
}

/// Cuts sorted pairs into parts for threads, between keys.
fn cut_into_parts<K: Key>(pairs: &[Pair<K>]) -> Vec<&[Pair<K>]> {
    const PART_PAIRS: usize = 1 << 16;
    let (mut parts, mut rest) = (Vec::new(), pairs);
    while rest.len() > PART_PAIRS {
        let last = rest[PART_PAIRS - 1].key();
        // A key may have millions of rows.
        let more = rest[PART_PAIRS..].partition_point(|pair| pair.key() == last);
        let (part, pairs_after) = rest.split_at(PART_PAIRS + more);
        parts.push(part);
        rest = pairs_after;
    }
    parts.push(rest);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::fs;
    use std::sync::Mutex;

    /// Returns all expected links.
    fn naive(pairs: &[(u64, u32)]) -> Vec<(u32, u32)> {
        let mut rows: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
        for (key, row) in pairs {
            rows.entry(*key).or_default().push(*row);
        }
        let mut links: Vec<_> = rows
            .into_values()
            .flat_map(|mut rows| {
                rows.sort_unstable();
                rows[1..].iter().map(|row| (rows[0], *row)).collect::<Vec<_>>()
            })
            .collect();
        links.sort_unstable();
        links
    }

    fn filled(memory: usize, folder: &Path, pairs: &[(u64, u32)]) -> ExternalSort<u64> {
        let mut sort = ExternalSort::new(memory, folder, 0);
        for (key, row) in pairs {
            sort.push(*key, *row).unwrap();
        }
        sort
    }

    fn check(pairs: &[(u64, u32)], memory: usize) {
        let folder = tempfile::tempdir().unwrap();
        let links = Mutex::new(Vec::new());
        let sort = filled(memory, folder.path(), pairs);
        sort.link(|first, row| links.lock().unwrap().push((first, row))).unwrap();
        let mut links = links.into_inner().unwrap();
        links.sort_unstable();
        assert_eq!(links, naive(pairs));
        let mut frequent = Vec::new();
        let sort = filled(memory, folder.path(), pairs);
        sort.frequent(2, |key| {
            frequent.push(key);
            Ok(())
        })
        .unwrap();
        let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
        for (key, _) in pairs {
            *counts.entry(*key).or_default() += 1;
        }
        let more: Vec<_> = counts.into_iter().filter(|(_, count)| *count > 2).collect();
        assert_eq!(frequent, more.into_iter().map(|(key, _)| key).collect::<Vec<_>>());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
        #[test]
        fn rows_of_one_key_are_linked(keys in prop::collection::vec(0_u64..2_000, 0..5_000)) {
            let pairs: Vec<_> = (0..).zip(keys).map(|(row, key)| (key, row)).collect();
            check(&pairs, 1 << 20);
            // With so little memory pairs go to the disk in runs.
            check(&pairs, 0);
        }
    }

    #[test]
    fn a_key_of_very_many_rows_is_one_group() {
        let pairs: Vec<_> = (0..200_000).map(|row| (u64::from(row / 150_000), row)).collect();
        check(&pairs, 1 << 24);
        check(&pairs, 1 << 16);
    }
}
