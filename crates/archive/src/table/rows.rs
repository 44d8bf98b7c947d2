//! A range of the rows of a Parquet file.

use super::file::Table;
use std::ops::Range;
use std::sync::Arc;

/// Rows of a Parquet file for one worker to read.
#[derive(Clone, Debug)]
pub struct TableRows {
    pub(crate) table: Arc<Table>,
    pub(crate) rows: Range<u64>,
}

impl TableRows {
    pub(super) fn new(table: &Arc<Table>, rows: Range<u64>) -> TableRows {
        TableRows { table: Arc::clone(table), rows }
    }

    /// Returns the number of the row after the last one.
    pub fn end(&self) -> u64 {
        self.rows.end
    }
}
