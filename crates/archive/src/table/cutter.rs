//! Dividing a Parquet file among workers: each batch is a part of its rows, which the worker reads
//! itself.

use super::file::Table;
use super::rows::TableRows;
use crate::batch::{Batch, Packing};
use crate::store::input_file::InputFile;
use crate::store::seen::Witness;
use std::io;
use std::sync::Arc;

/// Hands out the rows of a file, part by part.
pub(crate) struct TableCutter {
    table: Arc<Table>,
    /// Its bytes are shown to the witness in their order, whatever workers read.
    file: InputFile,
    next: u64,
    witness: Witness,
}

impl TableCutter {
    /// Begins at a row.
    pub(crate) fn new(table: &Arc<Table>, row: u64, witness: &Witness) -> io::Result<TableCutter> {
        // Workers read at places of their own, so nothing else moves along this file.
        let file = table.file.try_clone()?;
        Ok(TableCutter { table: Arc::clone(table), file, next: row, witness: witness.clone() })
    }

    /// The number of the next row.
    pub(crate) fn next_row(&self) -> u64 {
        self.next
    }

    /// Bytes of the file that were handed out so far.
    pub(crate) fn bytes_read(&self) -> u64 {
        self.table.offset_of(self.next)
    }

    /// Clears the batch and gives it the next rows. False at the end.
    pub(crate) fn next(&mut self, batch: &mut Batch) -> io::Result<bool> {
        batch.clear();
        if self.next >= self.table.rows() {
            self.witness.see_up_to(self.table.len, &mut self.file)?;
            return Ok(false);
        }
        let end = self.table.part_of(self.next).end;
        batch.packing = Packing::Table(TableRows::new(&self.table, self.next..end));
        (batch.start, batch.seam) = (self.next, true);
        self.next = end;
        self.witness.see_up_to(self.bytes_read(), &mut self.file)?;
        Ok(true)
    }
}
