//! Divides the records of a plan among workers, and reads their bytes.

use super::plan;
use super::planned_file::PlannedFile;
use super::planned_file::PlannedRecords;
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
        let format = first_archive.unwrap_or(self.file.first_archive()).format;
        // The range to read next, which holds the records from `unread` on.
        let (mut read_range, mut unread): (Range<u64>, usize) = (0..0, 0);
        while self.next < plan.len() && ranges.len() < BATCH_RECORDS {
            let archive = self.file.archive_at(plan[self.next].offset);
            // A batch has one dialect.
            if archive.is_some_and(|archive| archive.format != format) {
                break;
            }
            let record_range = plan::read(plan, self.next);
            let merged = read_range.start..read_range.end.max(record_range.end);
            let is_near = !ranges.is_empty() && record_range.start <= read_range.end + GAP_BYTES;
            let ahead = if is_near {
                merged.end - merged.start
            } else {
                record_range.end - record_range.start
            };
            let held = batch.bytes.len() as u64
                + if is_near { 0 } else { read_range.end - read_range.start };
            if !ranges.is_empty() && held + ahead > self.batch_bytes() {
                break;
            }
            if is_near {
                read_range = merged;
            } else {
                self.read(&read_range, &mut ranges[unread..], &mut batch.bytes)?;
                (read_range, unread) = (record_range.clone(), ranges.len());
            }
            // Relative to the range until that has been read.
            let start = (record_range.start - read_range.start) as usize;
            ranges.push(start..start + (record_range.end - record_range.start) as usize);
            self.next += 1;
        }
        self.read(&read_range, &mut ranges[unread..], &mut batch.bytes)?;
        let (file, records) = (Arc::clone(&self.file), first..self.next);
        batch.packing = Packing::Planned(PlannedRecords { file, records, bytes: ranges });
        batch.dialect = format.dialect();
        (batch.start, batch.starts_cleanly) = (first as u64, true);
        Ok(true)
    }

    fn batch_bytes(&self) -> u64 {
        self.file.first_archive().limits.batch_bytes.max(1) as u64
    }

    /// Reads a range of the file, and sets the ranges of its records in the batch. They are cut at
    /// the end of the file.
    fn read(
        &self,
        range: &Range<u64>,
        records: &mut [Range<usize>],
        batch: &mut Vec<u8>,
    ) -> io::Result<()> {
        let base = batch.len();
        let end = range.end.min(self.file.len).max(range.start);
        batch.resize(base + (end - range.start) as usize, 0);
        let mut filled = base;
        while filled < batch.len() {
            let offset = range.start + (filled - base) as u64;
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
