//! Sorts records of bytes in bounded memory, and adds up the counts of equal records.
//!
//! Records fill a buffer. A full buffer is sorted and written to the disk as a run, in which each
//! record stands once. Runs are merged when there are many of them, so the number of open files is
//! bounded too.

use crate::nameless;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Most runs that are merged at a time.
const MOST_RUNS: usize = 32;

/// Least and most bytes of the buffer through which a run is read or written.
const LEAST_BUFFER: usize = 1 << 12;
const MOST_BUFFER: usize = 1 << 18;

/// A record in the buffer.
#[derive(Clone, Copy)]
struct Entry {
    /// Place of its first byte.
    start: usize,
    /// Number of its bytes.
    length: usize,
    count: u64,
}

/// Collects records with counts, and then reports each different record with its sum. A record has
/// fewer than 2^32 bytes.
pub struct SortedRecords {
    /// The bytes of the records, one after another.
    bytes: Vec<u8>,
    entries: Vec<Entry>,
    /// Bytes of memory for records.
    memory: usize,
    /// The folder for runs.
    folder: PathBuf,
    /// Runs on the disk. A run of level n + 1 was made of [`MOST_RUNS`] runs of level n.
    levels: Vec<Vec<File>>,
}

impl SortedRecords {
    /// Holds records in about `memory` bytes, and puts the others into files in `folder`. One
    /// record is held in any case.
    pub fn new(memory: usize, folder: &Path) -> SortedRecords {
        let (bytes, entries) = (Vec::new(), Vec::new());
        SortedRecords { bytes, entries, memory, folder: folder.to_owned(), levels: Vec::new() }
    }

    /// Adds a record, given in parts.
    ///
    /// # Errors
    ///
    /// The disk is full or fails.
    pub fn push(&mut self, parts: &[&[u8]], count: u64) -> io::Result<()> {
        let length = parts.iter().map(|part| part.len()).sum();
        if !self.entries.is_empty() && !self.has_room(length) {
            self.spill()?;
        }
        let start = self.bytes.len();
        for part in parts {
            self.bytes.extend_from_slice(part);
        }
        self.entries.push(Entry { start, length, count });
        Ok(())
    }

    /// Returns whether a record of this length fits. Grows the buffers within the memory.
    fn has_room(&mut self, length: usize) -> bool {
        let grown = |held: usize, capacity: usize, more: usize| {
            if held + more <= capacity { capacity } else { (held + more).max(2 * held) }
        };
        let bytes = grown(self.bytes.len(), self.bytes.capacity(), length);
        let entries = grown(self.entries.len(), self.entries.capacity(), 1);
        let needs_old = bytes > self.bytes.capacity() || entries > self.entries.capacity();
        // While a buffer grows, its old bytes are there too.
        let old = if needs_old { self.bytes.len() } else { 0 };
        if bytes + entries * size_of::<Entry>() + old > self.memory {
            return false;
        }
        self.bytes.reserve_exact(bytes - self.bytes.len());
        self.entries.reserve_exact(entries - self.entries.len());
        true
    }

    /// Sorts the records in memory.
    fn sort(&mut self) {
        let bytes = &self.bytes;
        let of = |entry: &Entry| &bytes[entry.start..entry.start + entry.length];
        self.entries.par_sort_unstable_by(|one, other| of(one).cmp(of(other)));
    }

    /// Reports the sorted records in memory, equal ones once.
    fn each_in_memory<E>(
        &self,
        mut each: impl FnMut(&[u8], u64) -> Result<(), E>,
    ) -> Result<(), E> {
        let of = |entry: &Entry| &self.bytes[entry.start..entry.start + entry.length];
        self.entries
            .chunk_by(|one, next| of(one) == of(next))
            .try_for_each(|equal| each(of(&equal[0]), equal.iter().map(|entry| entry.count).sum()))
    }

    /// Writes the records in memory to the disk as a run.
    #[cold]
    fn spill(&mut self) -> io::Result<()> {
        self.sort();
        let mut run = RunWriter::create(&self.folder)?;
        self.each_in_memory(|record, count| run.write(record, count))?;
        let mut run = run.finish()?;
        self.bytes.clear();
        self.entries.clear();
        for level in 0.. {
            if level == self.levels.len() {
                self.levels.push(Vec::new());
            }
            self.levels[level].push(run);
            if self.levels[level].len() < MOST_RUNS {
                break;
            }
            let full = std::mem::take(&mut self.levels[level]);
            run = merge_to_run(full, self.memory, &self.folder)?;
        }
        Ok(())
    }

    /// Reports all different records in ascending order, each with the sum of its counts.
    ///
    /// # Errors
    ///
    /// The disk fails, or `each` fails. `failed` converts errors of the disk.
    pub fn for_each<E>(
        mut self,
        failed: impl Fn(io::Error) -> E,
        mut each: impl FnMut(&[u8], u64) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.levels.is_empty() {
            self.sort();
            return self.each_in_memory(each);
        }
        if !self.entries.is_empty() {
            self.spill().map_err(&failed)?;
        }
        (self.bytes, self.entries) = (Vec::new(), Vec::new());
        // The last runs of a level are small. They are merged first.
        let mut runs: Vec<File> = self.levels.into_iter().flatten().collect();
        while runs.len() > MOST_RUNS {
            let first = runs.drain(..MOST_RUNS.min(runs.len() - MOST_RUNS + 1)).collect();
            let merged = merge_to_run(first, self.memory, &self.folder).map_err(&failed)?;
            runs.push(merged);
        }
        let mut merge = Merge::new(runs, self.memory).map_err(&failed)?;
        while merge.next().map_err(&failed)? {
            each(&merge.record, merge.count)?;
        }
        Ok(())
    }
}

/// Merges runs into one.
fn merge_to_run(runs: Vec<File>, memory: usize, folder: &Path) -> io::Result<File> {
    let mut merged = RunWriter::create(folder)?;
    let mut merge = Merge::new(runs, memory)?;
    while merge.next()? {
        merged.write(&merge.record, merge.count)?;
    }
    merged.finish()
}

/// Writes a run: for each record its length (4 bytes), its count (8 bytes), its bytes.
struct RunWriter(BufWriter<File>);

impl RunWriter {
    fn create(folder: &Path) -> io::Result<RunWriter> {
        Ok(RunWriter(BufWriter::with_capacity(MOST_BUFFER, nameless::create(folder)?)))
    }

    fn write(&mut self, record: &[u8], count: u64) -> io::Result<()> {
        let length = u32::try_from(record.len()).map_err(io::Error::other)?;
        self.0.write_all(&length.to_le_bytes())?;
        self.0.write_all(&count.to_le_bytes())?;
        self.0.write_all(record)
    }

    fn finish(self) -> io::Result<File> {
        let mut file = self.0.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        Ok(file)
    }
}

/// Reads a run.
struct RunFile {
    file: BufReader<File>,
    /// Bytes that are not read yet.
    left: u64,
}

impl RunFile {
    /// Reads the next record into `record`, and returns its count. `None` at the end of the run.
    fn next(&mut self, record: &mut Vec<u8>) -> io::Result<Option<u64>> {
        if self.left == 0 {
            return Ok(None);
        }
        let (mut length, mut count) = ([0; 4], [0; 8]);
        self.file.read_exact(&mut length)?;
        self.file.read_exact(&mut count)?;
        let length = u32::from_le_bytes(length);
        record.resize(length as usize, 0);
        self.file.read_exact(record)?;
        self.left = self.left.saturating_sub(12 + u64::from(length));
        Ok(Some(u64::from_le_bytes(count)))
    }
}

/// Merges runs, and adds up the counts of equal records.
struct Merge {
    runs: Vec<RunFile>,
    /// The next record of each run, the place of the run, and the record's count.
    next: BinaryHeap<Reverse<(Vec<u8>, usize, u64)>>,
    /// The record that [`Merge::next`] found.
    record: Vec<u8>,
    count: u64,
}

impl Merge {
    /// Begins to merge runs with half of the memory.
    fn new(runs: Vec<File>, memory: usize) -> io::Result<Merge> {
        let buffer = (memory / 2 / runs.len().max(1)).clamp(LEAST_BUFFER, MOST_BUFFER);
        let mut next = BinaryHeap::with_capacity(runs.len());
        let mut readers = Vec::with_capacity(runs.len());
        for (place, file) in runs.into_iter().enumerate() {
            let left = file.metadata()?.len();
            let mut run = RunFile { file: BufReader::with_capacity(buffer, file), left };
            let mut record = Vec::new();
            if let Some(count) = run.next(&mut record)? {
                next.push(Reverse((record, place, count)));
            }
            readers.push(run);
        }
        Ok(Merge { runs: readers, next, record: Vec::new(), count: 0 })
    }

    /// Goes to the next record. Returns false at the end.
    fn next(&mut self) -> io::Result<bool> {
        let mut is_first = true;
        while let Some(mut least) = self.next.peek_mut() {
            let Reverse((record, place, count)) = &mut *least;
            if is_first {
                self.record.clear();
                self.record.extend_from_slice(record);
                self.count = *count;
                is_first = false;
            } else if *record == self.record {
                self.count += *count;
            } else {
                return Ok(true);
            }
            match self.runs[*place].next(record)? {
                Some(next) => *count = next,
                None => {
                    PeekMut::pop(least);
                }
            }
        }
        Ok(!is_first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use std::fs;

    fn sums(memory: usize, records: &[(Vec<u8>, u64)]) -> Vec<(Vec<u8>, u64)> {
        let folder = tempfile::tempdir().unwrap();
        let mut sort = SortedRecords::new(memory, folder.path());
        for (record, count) in records {
            let (one, other) = record.split_at(record.len() / 2);
            sort.push(&[one, other], *count).unwrap();
        }
        let mut sums = Vec::new();
        let each = |record: &[u8], count| {
            sums.push((record.to_vec(), count));
            Ok(())
        };
        sort.for_each(|error| error, each).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        sums
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]
        #[test]
        fn records_come_in_order_with_their_sums(
            records in prop::collection::vec((prop::collection::vec(0_u8..3, 0..6), 0_u64..9), 0..3000)
        ) {
            let mut naive: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
            for (record, count) in &records {
                *naive.entry(record.clone()).or_default() += count;
            }
            let naive: Vec<_> = naive.into_iter().collect();
            // With no memory each record is a run, and runs are merged several times.
            for memory in [0, 1 << 10, 1 << 20] {
                prop_assert_eq!(&sums(memory, &records), &naive);
            }
        }
    }

    #[test]
    fn buffers_stay_within_the_memory() {
        let folder = tempfile::tempdir().unwrap();
        let mut sort = SortedRecords::new(1 << 16, folder.path());
        for number in 0..20_000_u32 {
            sort.push(&[&number.to_be_bytes()], 1).unwrap();
            let held = sort.bytes.capacity() + sort.entries.capacity() * size_of::<Entry>();
            assert!(held <= 1 << 16, "{held}");
        }
        assert!(sort.levels.iter().flatten().count() > 3);
    }
}
