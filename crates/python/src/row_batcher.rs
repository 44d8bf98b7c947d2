//! Collects rows into record batches of a bounded size.

use arrow_array::RecordBatch;
use arrow_schema::ArrowError;
use huller_row::{ColumnLayout, Columns, Row, RowSink};
use std::collections::VecDeque;

/// Collects rows into batches of at most `max_rows` rows and `max_bytes` bytes of text. A single
/// row may exceed `max_bytes`.
pub(crate) struct RowBatcher {
    columns: Columns,
    max_rows: usize,
    max_bytes: usize,
    /// Bytes of text in `columns`.
    bytes: usize,
    /// Number of rows in full batches.
    finished_rows: usize,
    full: VecDeque<Result<RecordBatch, ArrowError>>,
}

impl RowBatcher {
    pub(crate) fn new(layout: ColumnLayout, max_rows: usize, max_bytes: usize) -> RowBatcher {
        RowBatcher {
            columns: Columns::new(layout),
            max_rows,
            max_bytes,
            bytes: 0,
            finished_rows: 0,
            full: VecDeque::new(),
        }
    }

    /// Returns the next full batch.
    pub(crate) fn pop(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        self.full.pop_front()
    }

    /// Makes a batch of the remaining rows, if there are any.
    pub(crate) fn flush(&mut self) {
        if self.columns.rows() > 0 {
            self.finished_rows += self.columns.rows();
            self.bytes = 0;
            self.full.push_back(self.columns.finish());
        }
    }
}

/// Returns the bytes of the texts of a row that may be long.
fn text_bytes(row: &Row<'_>) -> usize {
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

impl RowSink for RowBatcher {
    fn row(&mut self, row: &Row<'_>) {
        let bytes = text_bytes(row);
        if self.columns.rows() == self.max_rows || self.bytes + bytes > self.max_bytes {
            self.flush();
        }
        self.columns.row(row);
        self.bytes += bytes;
    }

    fn mark(&self) -> usize {
        self.finished_rows + self.columns.rows()
    }

    /// A row is cut only while it is added, so it is in no full batch.
    fn cut(&mut self, mark: usize) {
        self.columns.cut(mark.saturating_sub(self.finished_rows));
    }
}
