//! Merges sorted runs of one file.

use super::pair::{Key, Pair};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// Fewest pairs of a run that are read at a time.
const MIN_PAIRS: usize = 256;

/// The pairs of all runs in order.
pub(super) struct Merge<'a, K> {
    runs: Vec<Run<'a>>,
    /// The next pair of each run that has more pairs.
    next: BinaryHeap<Reverse<(K, u32, usize)>>,
}

/// A run that is read piece by piece.
struct Run<'a> {
    file: &'a File,
    /// Offset of the bytes that have not been read yet.
    from: u64,
    /// Offset after the last byte of the run.
    end: u64,
    /// The bytes that are in memory.
    piece: Vec<u8>,
    /// Offset of the next pair in `piece`.
    at: usize,
    /// Bytes to read at a time, a multiple of a pair.
    step: usize,
}

impl<'a, K: Key> Merge<'a, K> {
    /// Merges runs that end at these offsets, with `memory` bytes.
    pub(super) fn new(file: &'a File, ends: &[u64], memory: usize) -> io::Result<Merge<'a, K>> {
        let pairs = (memory / ends.len().max(1) / Pair::<K>::BYTES).max(MIN_PAIRS);
        let step = pairs * Pair::<K>::BYTES;
        let (mut runs, mut start) = (Vec::with_capacity(ends.len()), 0);
        for end in ends {
            runs.push(Run { file, from: start, end: *end, piece: Vec::new(), at: 0, step });
            start = *end;
        }
        let mut merge = Merge { runs, next: BinaryHeap::with_capacity(ends.len()) };
        for run in 0..ends.len() {
            merge.refill_run(run)?;
        }
        Ok(merge)
    }

    pub(super) fn next(&mut self) -> io::Result<Option<Pair<K>>> {
        let Some(Reverse((key, row, run))) = self.next.pop() else { return Ok(None) };
        self.refill_run(run)?;
        Ok(Some(Pair::new(key, row)))
    }

    /// Puts the next pair of a run into `next`.
    fn refill_run(&mut self, run: usize) -> io::Result<()> {
        if let Some(pair) = self.runs[run].next::<K>()? {
            self.next.push(Reverse((pair.key(), pair.row(), run)));
        }
        Ok(())
    }
}

impl Run<'_> {
    fn next<K: Key>(&mut self) -> io::Result<Option<Pair<K>>> {
        if self.at == self.piece.len() {
            let bytes = (self.end - self.from).min(self.step as u64) as usize;
            if bytes == 0 {
                return Ok(None);
            }
            self.piece.resize(bytes, 0);
            self.file.read_exact_at(&mut self.piece, self.from)?;
            self.from += bytes as u64;
            self.at = 0;
        }
        let pair = &self.piece[self.at..self.at + Pair::<K>::BYTES];
        self.at += pair.len();
        Ok(Some(Pair::read(pair)))
    }
}
