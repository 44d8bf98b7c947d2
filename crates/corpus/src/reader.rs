//! Reads a file of rows, chunk by chunk.

use crate::chunk::RowChunk;
use crate::chunk_end::{CHUNK, ChunkEnd};
use crate::error::CorpusError;
use crate::fault::RowFault;
use crate::file_name::is_plain;
use huller_archive::{ArchiveError, Batch, Container, Entry, Format, Input, Limits, RecordStream};
use huller_refine::Reason;
use std::path::Path;

/// Faults after which a chunk ends.
const MOST_FAULTS: usize = 1 << 14;

/// How many times the longest row a page of a Parquet file may be.
const PAGE_ROWS: usize = 4;

/// Reads a file of rows from its start to its end: JSON Lines, CSV or Parquet, plain or compressed. Its bytes say which it is.
pub struct RowReader {
    /// `None` for a file without rows, and after the last chunk.
    stream: Option<RecordStream>,
    container: Container,
    /// Whether rows are those of a table.
    is_table: bool,
    /// Longest row in bytes.
    longest: usize,
    /// Bytes after which a chunk ends: [`CHUNK`], or fewer in tests.
    step: u64,
    batch: Batch,
    /// The entry of the batch that is read next.
    next: usize,
    /// Where the next chunk begins.
    at: u64,
}

impl RowReader {
    /// Opens a file. Rows of more than [`Limits::record_bytes`] are skipped and counted.
    ///
    /// # Errors
    ///
    /// It cannot be read, or holds no rows but records, pages or anything else. An empty file has no rows, which is no error.
    pub fn open(path: &Path, limits: &Limits) -> Result<RowReader, CorpusError> {
        let longest = limits.record_bytes;
        let pages = Limits { record_bytes: longest.saturating_mul(PAGE_ROWS), ..limits.clone() };
        let mut input = Input::open(path, &pages);
        // What can be read only once is read with the higher limit; rows over the lower one are skipped all the same.
        if let Ok(opened) = &input
            && opened.format() != Format::Parquet
            && opened.len().is_some()
        {
            input = Input::open(path, limits);
        }
        match input {
            Ok(input) => RowReader::of_input(input, longest),
            Err(ArchiveError::Empty { .. }) => Ok(RowReader::new(None, Container::Plain, longest)),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads an input that is open. Rows of more than `longest` bytes are skipped and counted.
    ///
    /// # Errors
    ///
    /// It holds records or pages in place of rows.
    pub fn of_input(input: Input, longest: usize) -> Result<RowReader, CorpusError> {
        let (format, container) = (input.format(), input.container());
        let is_table = match format {
            Format::Jsonl => false,
            Format::Csv(_) | Format::Parquet => true,
            Format::Warc | Format::Arc | Format::Tar | Format::Zip => {
                return Err(CorpusError::NoRows { format });
            }
        };
        let reader = RowReader::new(Some(input.into_stream()?), container, longest);
        Ok(RowReader { is_table, ..reader })
    }

    fn new(stream: Option<RecordStream>, container: Container, longest: usize) -> RowReader {
        RowReader {
            stream,
            container,
            is_table: false,
            longest,
            step: CHUNK,
            batch: Batch::default(),
            next: 0,
            at: 0,
        }
    }

    /// Refuses a file whose name says that it is not compressed, and which is: for commands whose outputs are named and compressed as
    /// their inputs are.
    ///
    /// # Errors
    ///
    /// The name is that of rows that are not compressed, and the bytes are compressed.
    pub fn check_name(&self, name: &str) -> Result<(), CorpusError> {
        if self.container == Container::Plain || !is_plain(name) {
            return Ok(());
        }
        Err(CorpusError::Misnamed { name: name.to_owned(), container: self.container })
    }

    /// The next chunk, which holds rows or faults. `None` at the end of the file.
    ///
    /// # Errors
    ///
    /// The file cannot be read any further.
    pub fn next_chunk(&mut self) -> Result<Option<RowChunk>, CorpusError> {
        let chunk = if self.is_table { self.next_of_table()? } else { self.next_of_lines()? };
        self.at = chunk.end();
        Ok((!chunk.is_empty()).then_some(chunk))
    }

    /// Reads the next batch if all entries of this one are taken. False at the end of the file.
    fn fill(&mut self) -> Result<bool, CorpusError> {
        while self.next == self.batch.entries.len() {
            let Some(stream) = &mut self.stream else { return Ok(false) };
            self.next = 0;
            if !stream.next_batch(&mut self.batch)? {
                self.stream = None;
            }
        }
        Ok(true)
    }

    /// Lines, as many as [`ChunkEnd`] says, and what gave no row before, between and after them.
    fn next_of_lines(&mut self) -> Result<RowChunk, CorpusError> {
        let (step, longest) = (self.step, self.longest as u64);
        let end_of = move |start| ChunkEnd::new(step, longest, start);
        let (mut chunk, mut chunk_end) = (RowChunk::starting_at(self.at), end_of(self.at));
        // What lies between two rows is blank, unless it gave a fault.
        let mut is_after_fault = false;
        while self.fill()? {
            match &self.batch.entries[self.next] {
                Entry::Line { bytes, position, length, line_end }
                    if bytes.len() <= self.longest =>
                {
                    let start = position.stream_offset.unwrap_or(chunk.end());
                    let row = &self.batch.bytes[bytes.clone()];
                    let line = start..start + length;
                    if is_after_fault && !chunk.has_rows() {
                        chunk_end = end_of(start);
                    }
                    match chunk_end.take(&line, *line_end > 0) {
                        None => chunk.push(start, row, *line_end == 2, line.end),
                        Some(_) if is_after_fault => return Ok(chunk.followed_at(start)),
                        Some(next) if chunk.has_rows() => return Ok(chunk.followed_at(next)),
                        Some(next) => {
                            (chunk, chunk_end) = (RowChunk::starting_at(next), end_of(next));
                            continue;
                        }
                    }
                    is_after_fault = false;
                }
                entry => {
                    let (fault, place) = no_row(entry);
                    if chunk.faults().len() >= MOST_FAULTS {
                        let end = place.unwrap_or_default().max(chunk.last_row_end());
                        return Ok(chunk.followed_at(end));
                    }
                    chunk.push_fault(fault, place.map_or(0, |place| place + 1));
                    is_after_fault = true;
                }
            }
            self.next += 1;
        }
        Ok(chunk)
    }

    /// Rows of a table, as many batches as make a chunk.
    fn next_of_table(&mut self) -> Result<RowChunk, CorpusError> {
        let mut chunk = RowChunk::starting_at(self.at);
        let mut bytes = 0;
        while bytes < self.step && chunk.faults().len() < MOST_FAULTS && self.fill()? {
            for entry in &self.batch.entries {
                match entry {
                    Entry::Line { bytes: row, position, .. } if row.len() <= self.longest => {
                        let start = position.stream_offset.unwrap_or(chunk.end()).max(chunk.end());
                        bytes += row.len() as u64 + 1;
                        chunk.push(start, &self.batch.bytes[row.clone()], false, start + 1);
                    }
                    entry => {
                        let (fault, place) = no_row(entry);
                        chunk.push_fault(fault, place.map_or(0, |place| place + 1));
                    }
                }
            }
            self.next = self.batch.entries.len();
        }
        Ok(chunk)
    }
}

/// Why an entry gives no row, and where it begins in the file.
fn no_row(entry: &Entry) -> (RowFault, Option<u64>) {
    match entry {
        Entry::Fault(fault) => (fault.into(), fault.position.stream_offset),
        Entry::Line { position, .. } => (Reason::TooLarge.into(), position.stream_offset),
        Entry::Record { position, .. } | Entry::File { position, .. } => {
            (Reason::NotARow.into(), position.stream_offset)
        }
    }
}

#[cfg(test)]
mod tests;
