//! Sorts records of bytes in bounded memory, and adds up the counts of equal records.
//!
//! Records fill a buffer. A full buffer is written to the disk as a spill: a sorted file without
//! repeated records. Spills are merged when there are many of them, so the number of open files is
//! bounded too.

use crate::nameless;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// Most spills that are merged at a time.
const MAX_MERGED_SPILLS: usize = 32;

/// Least and most bytes of the buffer through which a spill is read or written.
const MIN_BUFFER_BYTES: usize = 1 << 12;
const MAX_BUFFER_BYTES: usize = 1 << 18;

/// A record in the buffer.
#[derive(Clone, Copy)]
struct BufferedRecord {
    /// Offset of its first byte in the buffer.
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
    buffered: Vec<BufferedRecord>,
    /// Bytes of memory for records.
    memory: usize,
    /// The folder for spills.
    folder: PathBuf,
    /// Spills on the disk. A spill of level n + 1 was merged from [`MAX_MERGED_SPILLS`] spills of
    /// level n.
    levels: Vec<Vec<File>>,
}

impl SortedRecords {
    /// Holds records in about `memory` bytes, and puts the others into files in `folder`. One
    /// record is held in any case.
    pub fn new(memory: usize, folder: &Path) -> SortedRecords {
        let (bytes, buffered) = (Vec::new(), Vec::new());
        SortedRecords { bytes, buffered, memory, folder: folder.to_owned(), levels: Vec::new() }
    }

    /// Adds a record, given in parts.
    ///
    /// # Errors
    ///
    /// The disk is full or fails.
    pub fn push(&mut self, parts: &[&[u8]], count: u64) -> io::Result<()> {
        let length = parts.iter().map(|part| part.len()).sum();
        if !self.buffered.is_empty() && !self.try_reserve(length) {
            self.spill()?;
        }
        let start = self.bytes.len();
        for part in parts {
            self.bytes.extend_from_slice(part);
        }
        self.buffered.push(BufferedRecord { start, length, count });
        Ok(())
    }

    /// Reserves memory for a record of this length. Returns false if the record does not fit.
    fn try_reserve(&mut self, length: usize) -> bool {
        let grown = |held: usize, capacity: usize, more: usize| {
            if held + more <= capacity { capacity } else { (held + more).max(2 * held) }
        };
        let bytes = grown(self.bytes.len(), self.bytes.capacity(), length);
        let buffered = grown(self.buffered.len(), self.buffered.capacity(), 1);
        let needs_old = bytes > self.bytes.capacity() || buffered > self.buffered.capacity();
        // While a buffer grows, its old bytes are there too.
        let old = if needs_old { self.bytes.len() } else { 0 };
        if bytes + buffered * size_of::<BufferedRecord>() + old > self.memory {
            return false;
        }
        self.bytes.reserve_exact(bytes - self.bytes.len());
        self.buffered.reserve_exact(buffered - self.buffered.len());
        true
    }

    /// Sorts the records in memory.
    fn sort(&mut self) {
        let bytes = &self.bytes;
        let of = |entry: &BufferedRecord| &bytes[entry.start..entry.start + entry.length];
        self.buffered.par_sort_unstable_by(|one, other| of(one).cmp(of(other)));
    }

    /// Reports the sorted records in memory, equal ones once.
    fn for_each_in_memory<E>(
        &self,
        mut each: impl FnMut(&[u8], u64) -> Result<(), E>,
    ) -> Result<(), E> {
        let of = |entry: &BufferedRecord| &self.bytes[entry.start..entry.start + entry.length];
        self.buffered
            .chunk_by(|one, next| of(one) == of(next))
            .try_for_each(|equal| each(of(&equal[0]), equal.iter().map(|entry| entry.count).sum()))
    }

    /// Writes the records in memory to the disk as a spill.
    #[cold]
    fn spill(&mut self) -> io::Result<()> {
        self.sort();
        let mut spill = SpillWriter::create(&self.folder)?;
        self.for_each_in_memory(|record, count| spill.write(record, count))?;
        let mut spill = spill.finish()?;
        self.bytes.clear();
        self.buffered.clear();
        for level in 0.. {
            if level == self.levels.len() {
                self.levels.push(Vec::new());
            }
            self.levels[level].push(spill);
            if self.levels[level].len() < MAX_MERGED_SPILLS {
                break;
            }
            let full = std::mem::take(&mut self.levels[level]);
            spill = merge_spills(full, self.memory, &self.folder)?;
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
            return self.for_each_in_memory(each);
        }
        if !self.buffered.is_empty() {
            self.spill().map_err(&failed)?;
        }
        (self.bytes, self.buffered) = (Vec::new(), Vec::new());
        // The last spills of a level are small. They are merged first.
        let mut spills: Vec<File> = self.levels.into_iter().flatten().collect();
        while spills.len() > MAX_MERGED_SPILLS {
            let first = spills
                .drain(..MAX_MERGED_SPILLS.min(spills.len() - MAX_MERGED_SPILLS + 1))
                .collect();
            let merged = merge_spills(first, self.memory, &self.folder).map_err(&failed)?;
            spills.push(merged);
        }
        let mut merge = Merge::new(spills, self.memory).map_err(&failed)?;
        while merge.next().map_err(&failed)? {
            each(&merge.record, merge.count)?;
        }
        Ok(())
    }
}

/// Merges spills into one.
fn merge_spills(spills: Vec<File>, memory: usize, folder: &Path) -> io::Result<File> {
    let mut merged = SpillWriter::create(folder)?;
    let mut merge = Merge::new(spills, memory)?;
    while merge.next()? {
        merged.write(&merge.record, merge.count)?;
    }
    merged.finish()
}

/// Writes a spill: for each record its length (4 bytes), its count (8 bytes), its bytes.
struct SpillWriter(BufWriter<File>);

impl SpillWriter {
    fn create(folder: &Path) -> io::Result<SpillWriter> {
        Ok(SpillWriter(BufWriter::with_capacity(MAX_BUFFER_BYTES, nameless::create(folder)?)))
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

/// Reads a spill.
struct SpillFile {
    file: BufReader<File>,
    /// Bytes that are not read yet.
    left: u64,
}

impl SpillFile {
    /// Reads the next record into `record`, and returns its count. `None` at the end of the spill.
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

/// Merges spills, and adds up the counts of equal records.
struct Merge {
    spills: Vec<SpillFile>,
    /// The next record of each spill, the index of the spill, and the record's count.
    next: BinaryHeap<Reverse<(Vec<u8>, usize, u64)>>,
    /// The record that [`Merge::next`] found.
    record: Vec<u8>,
    count: u64,
}

impl Merge {
    /// Begins to merge spills with half of the memory.
    fn new(spills: Vec<File>, memory: usize) -> io::Result<Merge> {
        let buffer = (memory / 2 / spills.len().max(1)).clamp(MIN_BUFFER_BYTES, MAX_BUFFER_BYTES);
        let mut next = BinaryHeap::with_capacity(spills.len());
        let mut readers = Vec::with_capacity(spills.len());
        for (index, file) in spills.into_iter().enumerate() {
            let left = file.metadata()?.len();
            let mut spill = SpillFile { file: BufReader::with_capacity(buffer, file), left };
            let mut record = Vec::new();
            if let Some(count) = spill.next(&mut record)? {
                next.push(Reverse((record, index, count)));
            }
            readers.push(spill);
        }
        Ok(Merge { spills: readers, next, record: Vec::new(), count: 0 })
    }

    /// Goes to the next record. Returns false at the end.
    fn next(&mut self) -> io::Result<bool> {
        let mut is_first = true;
        while let Some(mut least) = self.next.peek_mut() {
            let Reverse((record, index, count)) = &mut *least;
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
            match self.spills[*index].next(record)? {
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
            // With no memory each record is a spill, and spills are merged several times.
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
            let held =
                sort.bytes.capacity() + sort.buffered.capacity() * size_of::<BufferedRecord>();
            assert!(held <= 1 << 16, "{held}");
        }
        assert!(sort.levels.iter().flatten().count() > 3);
    }
}
