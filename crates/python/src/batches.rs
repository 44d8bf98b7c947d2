//! Rows as record batches of a bounded size.

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use huller_row::{ColumnLayout, Columns, Row, RowSink};
use std::collections::VecDeque;

/// Rows that become batches of at most so many rows, and so many bytes of text unless one row alone
/// has more.
pub(crate) struct Batches {
    columns: Columns,
    most_rows: usize,
    most_bytes: usize,
    /// Bytes of text in `columns`.
    bytes: usize,
    /// Rows in batches that are full.
    rows_before: usize,
    full: VecDeque<Result<RecordBatch, ArrowError>>,
}

impl Batches {
    pub(crate) fn new(layout: ColumnLayout, most_rows: usize, most_bytes: usize) -> Batches {
        Batches {
            columns: Columns::new(layout),
            most_rows,
            most_bytes,
            bytes: 0,
            rows_before: 0,
            full: VecDeque::new(),
        }
    }

    /// The next batch that is full.
    pub(crate) fn pop(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        self.full.pop_front()
    }

    /// Makes a batch of what is left, if anything is.
    pub(crate) fn close(&mut self) {
        if self.columns.rows() > 0 {
            self.rows_before += self.columns.rows();
            self.bytes = 0;
            self.full.push_back(self.columns.finish());
        }
    }
}

/// Bytes of the texts that a page may have much of.
fn bytes_of(row: &Row<'_>) -> usize {
    let len = |text: Option<&str>| text.map_or(0, str::len);
    let texts = row.texts.map_or(0, |texts| texts.texts.iter().map(String::len).sum());
    row.text.len()
        + texts
        + len(row.markdown)
        + len(row.html)
        + len(row.source_html)
        + len(row.blocks)
        + len(row.signals)
        + len(row.source)
        + len(row.comments)
        + len(row.description)
}

impl RowSink for Batches {
    fn row(&mut self, row: &Row<'_>) {
        let bytes = bytes_of(row);
        if self.columns.rows() == self.most_rows || self.bytes + bytes > self.most_bytes {
            self.close();
        }
        self.columns.row(row);
        self.bytes += bytes;
    }

    fn mark(&self) -> usize {
        self.rows_before + self.columns.rows()
    }

    /// A row is cut while it is being added, so what is cut is in no full batch.
    fn cut(&mut self, mark: usize) {
        self.columns.cut(mark.saturating_sub(self.rows_before));
    }
}
