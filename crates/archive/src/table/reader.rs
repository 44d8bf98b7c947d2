//! Reads rows of a Parquet file as JSON objects, in order from any row on.

use super::column::{Column, PageSource};
use super::fault::TableFault;
use super::file::Table;
use super::json::ValueWriter;
use super::row::RowWriter;
use crate::record::{Fault, FaultReason, Position};
use std::io;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The result of a step.
pub(crate) enum ReadStep {
    /// The row with this number was read into [`TableReader::json`].
    Row(u64),
    /// Rows that cannot be read.
    Fault(Fault),
    End,
}

/// Reads rows in order. The rows and faults of a file are the same wherever reading begins. Damage
/// costs the rest of a part of a row group ([`Table::part_of`]).
pub(crate) struct TableReader {
    table: Arc<Table>,
    /// The next row, and the part that contains it.
    next: u64,
    part: Range<u64>,
    /// The row group whose columns are open.
    group: Option<usize>,
    columns: Vec<Column>,
    values: ValueWriter,
    json: Vec<u8>,
    /// Bytes of JSON, and values of lists, that the part may still produce.
    bytes_left: u64,
    listed_left: u64,
    /// Longest row in bytes.
    row_bytes: usize,
    /// Whether a row was longer.
    pub(crate) is_oversized: bool,
}

impl TableReader {
    /// Returns a reader that begins at row `row`. Rows have at most `row_bytes` bytes as JSON.
    pub(crate) fn new(table: Arc<Table>, row: u64, row_bytes: usize) -> TableReader {
        TableReader {
            table,
            next: row,
            part: row..row,
            group: None,
            columns: Vec::new(),
            values: ValueWriter::default(),
            json: Vec::new(),
            bytes_left: 0,
            listed_left: 0,
            row_bytes,
            is_oversized: false,
        }
    }

    pub(crate) fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// Returns the number of the next row.
    pub(crate) fn next_row(&self) -> u64 {
        self.next
    }

    /// Returns the last row that was read.
    pub(crate) fn json(&self) -> &[u8] {
        &self.json
    }

    /// Moves to a row. Moving forward is cheaper than moving back.
    pub(crate) fn seek(&mut self, row: u64) {
        if row < self.next {
            self.group = None;
        }
        if row != self.next {
            self.next = row;
            self.part = row..row;
        }
    }

    /// Reads the next row. It calls `wait_for` before giant pages take memory.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub(crate) fn read_next(&mut self, wait_for: &mut dyn FnMut(usize)) -> io::Result<ReadStep> {
        const MAX_KEPT_BYTES: usize = 1 << 20;
        if self.next >= self.table.rows() {
            return Ok(ReadStep::End);
        }
        self.json.clear();
        self.json.shrink_to(MAX_KEPT_BYTES);
        match self.read_or_panic(wait_for) {
            Ok(true) => {
                self.next += 1;
                Ok(ReadStep::Row(self.next - 1))
            }
            Ok(false) => {
                self.is_oversized = true;
                let rows = self.next..self.next + 1;
                self.next += 1;
                let problem = format!("it is longer than {} bytes", self.row_bytes);
                Ok(ReadStep::Fault(self.fault(FaultReason::TooLarge, &rows, &problem)))
            }
            Err((TableFault::Io(error), _)) => Err(error),
            Err((fault, column)) => {
                // A panic may have come before the part was known.
                let rows = self.next..self.part.end.max(self.next + 1);
                let reason = match fault {
                    TableFault::TooLarge(_) => FaultReason::TooLarge,
                    TableFault::Panicked => FaultReason::Panic,
                    _ => FaultReason::CorruptRows,
                };
                let name = column.map(|at| &self.table.schema.leaves[at].name);
                let problem = match name {
                    Some(name) => format!("column '{name}': {fault}"),
                    None => fault.to_string(),
                };
                self.next = rows.end;
                Ok(ReadStep::Fault(self.fault(reason, &rows, &problem)))
            }
        }
    }

    fn fault(&self, reason: FaultReason, rows: &Range<u64>, problem: &str) -> Fault {
        let (group, _) = self.table.group_of(rows.start);
        let last = rows.end - 1;
        let which = if rows.start == last {
            format!("row {last}")
        } else {
            format!("rows {} to {last}", rows.start)
        };
        Fault {
            reason,
            position: Position { member: None, stream_offset: Some(rows.start) },
            header: Vec::new(),
            block: Vec::new(),
            detail: format!("{which} (row group {group}): {problem}"),
            at_end: None,
        }
    }

    /// Calls [`TableReader::read`] and catches a panic of the decoder. The panic costs the rest of
    /// the part, as damage does, but not the run.
    fn read_or_panic(
        &mut self,
        wait_for: &mut dyn FnMut(usize),
    ) -> Result<bool, (TableFault, Option<usize>)> {
        catch_unwind(AssertUnwindSafe(|| self.read(wait_for))).unwrap_or_else(|_| {
            // The panic may have left these in any state. Pages that are kept for all readers are
            // whole, since they are entered after they are complete.
            self.group = None;
            self.columns.clear();
            self.values = ValueWriter::default();
            Err((TableFault::Panicked, None))
        })
    }

    /// Reads the next row. Returns false if it is too long. An error has the index of the column,
    /// if there is one.
    fn read(
        &mut self,
        wait_for: &mut dyn FnMut(usize),
    ) -> Result<bool, (TableFault, Option<usize>)> {
        let table = Arc::clone(&self.table);
        let held = self.columns.iter().map(Column::large_page_bytes).sum();
        let mut source = PageSource { file: &table.file, pages: &table.pages, held, wait_for };
        if self.next >= self.part.end {
            self.begin_part(&table, &mut source)?;
            // Earlier rows of the part determine how much it may still hold.
            for _ in self.part.start..self.next {
                self.read_row(&table, &mut source)?;
            }
        }
        self.read_row(&table, &mut source)
    }

    fn read_row(
        &mut self,
        table: &Table,
        source: &mut PageSource<'_>,
    ) -> Result<bool, (TableFault, Option<usize>)> {
        self.json.clear();
        let mut writer = RowWriter {
            leaves: &table.schema.leaves,
            columns: &mut self.columns,
            source,
            values: &mut self.values,
            out: &mut self.json,
            most: self.row_bytes,
            is_too_large: false,
            listed: &mut self.listed_left,
            at: 0,
        };
        let result = writer.row(&table.schema);
        let (at, is_too_large) = (writer.at, writer.is_too_large);
        result.map_err(|fault| (fault, Some(at)))?;
        let Some(left) = self.bytes_left.checked_sub(self.json.len() as u64) else {
            let problem =
                "its rows are too long for its number of bytes; --max-decode-ratio sets the limit";
            return Err((TableFault::TooLarge(problem.to_owned()), None));
        };
        self.bytes_left = left;
        Ok(!is_too_large)
    }

    /// Moves to the first row of the part that contains the next row.
    fn begin_part(
        &mut self,
        table: &Table,
        source: &mut PageSource<'_>,
    ) -> Result<(), (TableFault, Option<usize>)> {
        self.part = table.part_of(self.next);
        let (group, rows) = table.group_of(self.next);
        if let Some(problem) = &table.groups[group].missing {
            return Err((TableFault::corrupt(problem.as_str()), None));
        }
        let row = self.part.start - rows.start;
        if self.group != Some(group) {
            let chunks = table.schema.leaves.iter().zip(&table.groups[group].chunks);
            let most = table.page_limits(group);
            self.columns.clear();
            self.columns.extend(
                chunks.zip(most).map(|((leaf, chunk), most)| Column::new(leaf, chunk, most)),
            );
            self.group = Some(group);
        }
        self.bytes_left = table.part_limit(group);
        self.listed_left = self.bytes_left;
        for (at, column) in self.columns.iter_mut().enumerate() {
            column.skip_to(row, source).map_err(|fault| (fault, Some(at)))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::store::input_file::InputFile;
    use std::path::Path;

    #[test]
    fn a_panic_costs_the_rest_of_its_part_and_is_told() {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tables/scalars-groups.parquet");
        let table = Table::open(InputFile::local(&path).unwrap(), "x", &Limits::default()).unwrap();
        assert!(table.groups.len() > 2);
        let mut reader = TableReader::new(Arc::new(table), 0, 1 << 20);
        let read = |reader: &mut TableReader| reader.read_next(&mut |_| ()).unwrap();
        assert!(matches!(read(&mut reader), ReadStep::Row(0)));
        // The decoder never leaves this state: its columns are gone, and the next row needs them.
        reader.columns.clear();
        let ReadStep::Fault(fault) = read(&mut reader) else { panic!("the columns are gone") };
        assert_eq!(fault.reason, FaultReason::Panic);
        assert_eq!(fault.position.stream_offset, Some(1));
        assert!(fault.detail.contains("panic"), "{}", fault.detail);
        let after = reader.part.end;
        assert!(matches!(read(&mut reader), ReadStep::Row(row) if row == after));
        assert!(!reader.json().is_empty());
    }
}
