//! An open Parquet file: its footer, and the division of its rows.

use super::fault::TableFault;
use super::footer::{Footer, RowGroup};
use super::page::check_codec;
use super::schema::Schema;
use super::store::PageStore;
use super::words::{ENCRYPTED, MAGIC};
use crate::error::ArchiveError;
use crate::limits::Limits;
use crate::store::input_file::InputFile;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Most rows of a part.
const PART_ROWS: u64 = 64 << 10;

/// Least stored bytes for each part of a row group.
const STORED_PER_PART: u64 = 1024;

/// Number of bytes after the footer: its length, and the magic.
const TAIL: usize = 8;

/// An open Parquet file. Rows are numbered through all row groups.
#[derive(Debug)]
pub(crate) struct Table {
    name: Arc<str>,
    pub(super) file: InputFile,
    pub(super) len: u64,
    pub(super) schema: Schema,
    pub(super) groups: Vec<RowGroup>,
    /// The number of the first row of each group, and of the row after the last.
    first_rows: Vec<u64>,
    pub(super) pages: PageStore,
    pub(super) limits: Limits,
}

impl Table {
    /// Returns whether a file with this beginning is a Parquet file.
    pub(crate) fn is_table(head: &[u8]) -> bool {
        head.starts_with(MAGIC) || head.starts_with(ENCRYPTED)
    }

    /// Reads the footer of a file.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or is not a supported Parquet file.
    pub(crate) fn open(
        file: InputFile,
        name: &str,
        limits: &Limits,
    ) -> Result<Table, ArchiveError> {
        // The state after a panic is discarded.
        catch_unwind(AssertUnwindSafe(|| Table::read(file, name, limits)))
            .unwrap_or_else(|_| Err(damage_error(name, &TableFault::Panicked.to_string())))
    }

    fn read(file: InputFile, name: &str, limits: &Limits) -> Result<Table, ArchiveError> {
        let io_error = |error| ArchiveError::io(name, 0, error);
        let len = file.length().map_err(io_error)?.unwrap_or_default();
        let refused = |fault| match fault {
            TableFault::Io(error) => io_error(error),
            TableFault::Ended => damage_error(name, "its footer is incomplete"),
            fault => damage_error(name, &fault.to_string()),
        };
        let footer = read_footer(&file, len, limits).map_err(refused)?;
        let schema = Schema::from_footer(&footer).map_err(refused)?;
        let mut first_rows = vec![0];
        for group in &footer.groups {
            for chunk in &group.chunks {
                check_codec(chunk).map_err(refused)?;
            }
            // Their sum was checked.
            first_rows.push(first_rows[first_rows.len() - 1] + group.rows);
        }
        Ok(Table {
            name: Arc::from(name),
            file,
            len,
            schema,
            groups: footer.groups,
            first_rows,
            // This is enough for a page of each column of nearly any table.
            pages: PageStore::new(limits.record_bytes / 2),
            limits: limits.clone(),
        })
    }

    /// Returns the name of the file in errors.
    pub(crate) fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Returns the length of the file in bytes.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Returns the number of rows.
    pub(crate) fn rows(&self) -> u64 {
        self.first_rows[self.groups.len()]
    }

    /// Returns the approximate offset of a row in the file, so that progress and digests advance
    /// with the rows.
    pub(crate) fn offset_of(&self, row: u64) -> u64 {
        let rows = self.rows();
        if row >= rows {
            return self.len;
        }
        (u128::from(self.len) * u128::from(row) / u128::from(rows)) as u64
    }

    /// Returns the group of a row, and the rows of that group.
    pub(super) fn group_of(&self, row: u64) -> (usize, Range<u64>) {
        // Groups without rows begin where the next group does. This finds the last group that
        // begins there.
        let group = self.first_rows.partition_point(|first| *first <= row) - 1;
        let group = group.min(self.groups.len() - 1);
        (group, self.first_rows[group]..self.first_rows[group + 1])
    }

    /// Returns the part that contains a row: rows that are read together, of about twice
    /// [`Limits::batch_bytes`] before compression. It depends on the file and the limits.
    pub(crate) fn part_of(&self, row: u64) -> Range<u64> {
        let (group, rows) = self.group_of(row);
        let part = self.part_rows(group);
        let start = rows.start + (row - rows.start) / part * part;
        start..(start + part).min(rows.end)
    }

    /// Returns the number of rows in a part of a group.
    fn part_rows(&self, group: usize) -> u64 {
        let group = &self.groups[group];
        let part_bytes = (2 * self.limits.batch_bytes as u64).max(1);
        let parts = (plain_bytes(group) / part_bytes).max(group.rows / PART_ROWS);
        let parts = parts.clamp(1, stored_bytes(group) / STORED_PER_PART + 1);
        group.rows.div_ceil(parts).max(1)
    }

    /// Returns the limit for a part of a group: of its rows as JSON in bytes, and of its lists in
    /// values. A few bytes of a file can claim billions.
    pub(super) fn part_limit(&self, group: usize) -> u64 {
        const FREE: u64 = 1 << 20;
        let parts = self.groups[group].rows.div_ceil(self.part_rows(group)).max(1);
        let share = stored_bytes(&self.groups[group]) / parts;
        FREE.saturating_add(share.saturating_mul(self.limits.decode_ratio as u64))
    }

    /// Returns the most bytes that a page of each column of a group may take during its
    /// decompression. Their sum is bounded.
    pub(super) fn page_limits(&self, group: usize) -> Vec<usize> {
        let chunks = &self.groups[group].chunks;
        let bytes = |at: usize| u128::from(chunks[at].plain) + u128::from(chunks[at].length);
        let all: u128 = (0..chunks.len()).map(bytes).sum();
        let most = 2 * self.limits.record_bytes as u128;
        let share = |at: usize| if all <= most { most } else { most * bytes(at) / all };
        (0..chunks.len()).map(|at| share(at).min(bytes(at)) as usize).collect()
    }
}

fn stored_bytes(group: &RowGroup) -> u64 {
    group.chunks.iter().map(|chunk| chunk.length).sum()
}

fn plain_bytes(group: &RowGroup) -> u64 {
    group.chunks.iter().fold(0, |all, chunk| chunk.plain.saturating_add(all))
}

fn read_footer(file: &InputFile, len: u64, limits: &Limits) -> Result<Footer, TableFault> {
    let mut tail = [0; TAIL];
    let end = len.checked_sub((MAGIC.len() + TAIL) as u64).map(|end| end + MAGIC.len() as u64);
    let end = end.ok_or(TableFault::Ended)?;
    file.read_exact_at(&mut tail, end)?;
    if tail.ends_with(ENCRYPTED) {
        return Err(TableFault::corrupt("it is encrypted"));
    }
    if !tail.ends_with(MAGIC) {
        let problem =
            "it does not end like a Parquet file: it was cut off, or is still being written";
        return Err(TableFault::corrupt(problem));
    }
    let length = u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]);
    // The parsed footer takes a few times as many bytes.
    if length as usize > limits.record_bytes / 2 {
        let most = limits.record_bytes / 2;
        let problem = format!(
            "its footer has {length} bytes, more than the limit of {most}; the limit is half of \
             --max-record-bytes"
        );
        return Err(TableFault::Corrupt(problem));
    }
    let start = end.checked_sub(length.into()).ok_or(TableFault::Ended)?;
    let mut words = vec![0; length as usize];
    file.read_exact_at(&mut words, start)?;
    Footer::read(&words, len)
}

fn damage_error(name: &str, problem: &str) -> ArchiveError {
    ArchiveError::Table { name: name.to_owned(), problem: problem.to_owned() }
}
