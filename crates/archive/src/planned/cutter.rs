//! Divides the records of a plan among workers, and reads their bytes.

use super::file::PlannedFile;
use super::file::PlannedRecords;
use super::plan;
use crate::batch::{Batch, Packing};
use crate::store::prefix_digest::OrderedHasher;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// Most records of a batch.
const BATCH_RECORDS: usize = 4096;

/// Largest gap in bytes between records that are read in one call.
const GAP_BYTES: u64 = 16 << 10;

/// Divides a plan into batches, in its order.
pub(crate) struct PlannedCutter {
    file: Arc<PlannedFile>,
    next: usize,
    hasher: OrderedHasher,
}

impl PlannedCutter {
    /// Begins at a record of the plan. `hasher` has seen the records before it and sees each byte
    /// that is read.
    pub(crate) fn new(
        file: &Arc<PlannedFile>,
        next: usize,
        hasher: &OrderedHasher,
    ) -> PlannedCutter {
        PlannedCutter { file: Arc::clone(file), next, hasher: hasher.clone() }
    }

    /// Returns the number of the next record.
    pub(crate) fn next_record(&self) -> u64 {
        self.next as u64
    }

    /// Returns the number of bytes of the file up to the next record.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.file.offset_of(self.next)
    }

    /// Clears the batch and fills it with the next records. Returns false at the end.
    pub(crate) fn next(&mut self, batch: &mut Batch) -> io::Result<bool> {
        batch.clear();
        let (first, plan) = (self.next, &self.file.plan);
        if first >= plan.len() {
            return Ok(false);
        }
        // The range of each record's bytes.
        let mut ranges = Vec::new();
        let first_archive = self.file.archive_at(plan[first].offset);
        let format = first_archive.unwrap_or(self.file.first()).format;
        // The range to read next, which holds the records from `unread` on.
        let (mut stretch, mut unread): (Range<u64>, usize) = (0..0, 0);
        while self.next < plan.len() && ranges.len() < BATCH_RECORDS {
            let archive = self.file.archive_at(plan[self.next].offset);
            // A batch has one dialect.
            if archive.is_some_and(|archive| archive.format != format) {
                break;
            }
            let wanted = plan::read(plan, self.next);
            let merged = stretch.start..stretch.end.max(wanted.end);
            let is_near = !ranges.is_empty() && wanted.start <= stretch.end + GAP_BYTES;
            let ahead = if is_near { merged.end - merged.start } else { wanted.end - wanted.start };
            let held =
                batch.bytes.len() as u64 + if is_near { 0 } else { stretch.end - stretch.start };
            if !ranges.is_empty() && held + ahead > self.batch_bytes() {
                break;
            }
            if is_near {
                stretch = merged;
            } else {
                self.read(&stretch, &mut ranges[unread..], &mut batch.bytes)?;
                (stretch, unread) = (wanted.clone(), ranges.len());
            }
            // Relative to the range until that has been read.
            let start = (wanted.start - stretch.start) as usize;
            ranges.push(start..start + (wanted.end - wanted.start) as usize);
            self.next += 1;
        }
        self.read(&stretch, &mut ranges[unread..], &mut batch.bytes)?;
        let (file, records) = (Arc::clone(&self.file), first..self.next);
        batch.packing = Packing::Planned(PlannedRecords { file, records, bytes: ranges });
        batch.dialect = format.dialect();
        (batch.start, batch.starts_cleanly) = (first as u64, true);
        Ok(true)
    }

    fn batch_bytes(&self) -> u64 {
        self.file.first().limits.batch_bytes.max(1) as u64
    }

    /// Reads a range of the file, and sets the ranges of its records in the batch. They are cut at
    /// the end of the file.
    fn read(
        &self,
        stretch: &Range<u64>,
        records: &mut [Range<usize>],
        batch: &mut Vec<u8>,
    ) -> io::Result<()> {
        let base = batch.len();
        let end = stretch.end.min(self.file.len).max(stretch.start);
        batch.resize(base + (end - stretch.start) as usize, 0);
        let mut filled = base;
        while filled < batch.len() {
            let offset = stretch.start + (filled - base) as u64;
            match self.file.file.read_at(&mut batch[filled..], offset) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        batch.truncate(filled);
        for record in records {
            *record = (base + record.start).min(filled)..(base + record.end).min(filled);
            self.hasher.add(&batch[record.clone()]);
        }
        Ok(())
    }
}
