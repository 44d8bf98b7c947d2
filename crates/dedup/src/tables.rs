//! Tables (Parquet, CSV) as chunks of lines: each row as a JSON object.
//!
//! The place of a row in a Parquet file is its number, and in CSV the byte that it begins at, as the archive reader gives them.

use crate::chunk::{CHUNK, Chunk};
use crate::row_line::Fault;
use huller_archive::{
    ArchiveError, Batch, FaultReason, Limits, Position, Record, RecordStream, Unpacked, Unpacker,
    Visitor,
};
use std::io;
use std::path::Path;

/// How names of tables end.
pub(crate) const ENDINGS: [&str; 7] =
    [".parquet", ".csv", ".csv.gz", ".csv.zst", ".tsv", ".tsv.gz", ".tsv.zst"];

/// Whether a file is a table by its name.
pub(crate) fn is_table(name: &str) -> bool {
    ending(name).is_some()
}

/// The name of the output of a table, which has the rows as lines.
pub(crate) fn output_name(name: &str) -> Option<String> {
    let stem = &name[..name.len() - ending(name)?.len()];
    Some(format!("{stem}.jsonl.zst"))
}

fn ending(name: &str) -> Option<&'static str> {
    ENDINGS.into_iter().find(|ending| name.len() > ending.len() && name.ends_with(ending))
}

/// Reads a table chunk by chunk.
pub(crate) struct TableChunks {
    stream: RecordStream,
    unpacker: Unpacker,
    batch: Batch,
    /// Longest row in bytes.
    most: usize,
    /// Place after the last row.
    at: u64,
}

impl TableChunks {
    /// Opens a table. The pages of a Parquet file may take sixteen times as many bytes as the longest row, all together.
    pub(crate) fn open(path: &Path, most: usize) -> io::Result<TableChunks> {
        let limits = Limits { record_bytes: most.saturating_mul(4), ..Limits::default() };
        let stream = RecordStream::open(path, &limits).map_err(|error| to_io(&error))?;
        let unpacker = Unpacker::new(&limits);
        Ok(TableChunks { stream, unpacker, batch: Batch::default(), most, at: 0 })
    }

    /// The next chunk. `None` at the end of the table.
    pub(crate) fn next(&mut self) -> io::Result<Option<Chunk>> {
        let mut rows = Rows { most: self.most, chunk: Chunk::default(), end: self.at };
        while rows.chunk.bytes.len() < CHUNK && rows.chunk.table_faults.len() < CHUNK {
            if !self.stream.next_batch(&mut self.batch).map_err(|error| to_io(&error))? {
                break;
            }
            let unpacked = self.unpacker.unpack(&mut self.batch, &mut rows);
            debug_assert_eq!(unpacked, Unpacked::Complete, "a stream gives plain batches");
        }
        let Rows { mut chunk, end, .. } = rows;
        if chunk.bytes.is_empty() && chunk.table_faults.is_empty() {
            return Ok(None);
        }
        (chunk.start, chunk.length) = (self.at, end - self.at);
        self.at = end;
        Ok(Some(chunk))
    }
}

fn to_io(error: &ArchiveError) -> io::Error {
    io::Error::other(error.to_string())
}

/// Puts the rows of a table into a chunk.
struct Rows {
    most: usize,
    chunk: Chunk,
    /// Place after the last row.
    end: u64,
}

impl Visitor for Rows {
    fn record(&mut self, _: Record<'_>) {
        // A file that is named as a table and holds records.
        self.chunk.table_faults.push(Fault::NoTextKey);
    }

    fn line(&mut self, line: &[u8], position: Position) {
        let place = position.stream_offset.unwrap_or(self.end).max(self.end);
        self.end = place + 1;
        if line.len() > self.most {
            self.chunk.table_faults.push(Fault::TooLarge);
            return;
        }
        self.chunk.places.push(place);
        self.chunk.bytes.extend_from_slice(line);
        self.chunk.bytes.push(b'\n');
    }

    fn fault(&mut self, fault: &huller_archive::Fault) {
        self.end = self.end.max(fault.position.stream_offset.unwrap_or_default() + 1);
        self.chunk.table_faults.push(match fault.reason {
            FaultReason::TooLarge => Fault::TooLarge,
            FaultReason::BadRow => Fault::BadRow,
            _ => Fault::CorruptRows,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn outputs_of_tables_are_lines() {
        for (name, output) in [
            ("a/b.parquet", Some("a/b.jsonl.zst")),
            ("b.csv.gz", Some("b.jsonl.zst")),
            (".csv", None),
            ("b.jsonl", None),
        ] {
            assert_eq!((output_name(name).as_deref(), is_table(name)), (output, output.is_some()));
        }
    }

    #[test]
    fn rows_come_with_their_places_and_faults_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        fs::write(&path, "text,id\none,1\ntoo,many,values\n\"two\nlines\",2\n").unwrap();
        let mut chunks = TableChunks::open(&path, 100).unwrap();
        let chunk = chunks.next().unwrap().unwrap();
        let lines: Vec<_> = chunk.lines().collect();
        assert_eq!(
            lines,
            [(8, &br#"{"text":"one","id":"1"}"#[..]), (30, br#"{"text":"two\nlines","id":"2"}"#)]
        );
        assert_eq!(chunk.faults().collect::<Vec<_>>(), [Fault::BadRow]);
        assert!(chunk.end() > 30 && chunks.next().unwrap().is_none());
    }
}
