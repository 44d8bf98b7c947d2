//! Collects rows into record batches of a bounded size.

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use huller_row::{ColumnLayout, Columns, Row, RowSink};
use std::collections::VecDeque;

/// A collector of rows into batches of at most `most_rows` rows and `most_bytes` bytes of text. A
/// single row may have more bytes.
pub(crate) struct Batches {
    columns: Columns,
    most_rows: usize,
    most_bytes: usize,
    /// Bytes of text in `columns`.
    bytes: usize,
    /// Number of rows in full batches.
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

    /// Returns the next full batch.
    pub(crate) fn pop(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        self.full.pop_front()
    }

    /// Makes a batch of the remaining rows, if there are any.
    pub(crate) fn close(&mut self) {
        if self.columns.rows() > 0 {
            self.rows_before += self.columns.rows();
            self.bytes = 0;
            self.full.push_back(self.columns.finish());
        }
    }
}

/// Returns the bytes of the texts of a row that may be long.
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

    /// A row is cut only while it is added, so it is in no full batch.
    fn cut(&mut self, mark: usize) {
        self.columns.cut(mark.saturating_sub(self.rows_before));
    }
}
