//! Divides a Parquet file among workers: each batch is a part of its rows, which the worker reads
//! itself.

use super::file::Table;
use super::rows::TableRows;
use crate::batch::{Batch, Packing};
use crate::store::input_file::InputFile;
use crate::store::prefix_digest::OrderedHasher;
use std::io;
use std::sync::Arc;

/// Assigns the rows of a file to batches, part by part.
pub(crate) struct TableCutter {
    table: Arc<Table>,
    /// The file, for showing its bytes to the hasher in order, whatever workers read.
    file: InputFile,
    next: u64,
    hasher: OrderedHasher,
}

impl TableCutter {
    /// Begins at row `row`.
    pub(crate) fn new(
        table: &Arc<Table>,
        row: u64,
        hasher: &OrderedHasher,
    ) -> io::Result<TableCutter> {
        // Workers read at given offsets, so only the cutter uses the position of this file.
        let file = table.file.try_clone()?;
        Ok(TableCutter { table: Arc::clone(table), file, next: row, hasher: hasher.clone() })
    }

    /// Returns the number of the next row.
    pub(crate) fn next_row(&self) -> u64 {
        self.next
    }

    /// Returns the number of bytes of the file that were assigned so far.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.table.offset_of(self.next)
    }

    /// Clears the batch and assigns the next rows to it. Returns false at the end.
    pub(crate) fn next(&mut self, batch: &mut Batch) -> io::Result<bool> {
        batch.clear();
        if self.next >= self.table.rows() {
            self.hasher.hash_up_to(self.table.len, &mut self.file)?;
            return Ok(false);
        }
        let end = self.table.part_of(self.next).end;
        batch.packing = Packing::Table(TableRows::new(&self.table, self.next..end));
        (batch.start, batch.starts_cleanly) = (self.next, true);
        self.next = end;
        self.hasher.hash_up_to(self.bytes_read(), &mut self.file)?;
        Ok(true)
    }
}
