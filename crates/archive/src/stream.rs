//! Reads any input from start to end and continues after damage.

use crate::batch::{Batch, Entry, Packing};
use crate::bundle::tar::TarReader;
use crate::bundle::zip::ZipReader;
use crate::container::window::Window;
use crate::error::ArchiveError;
use crate::format::Format;
use crate::jsonl::lines::LineReader;
use crate::limits::Limits;
use crate::planned::reader::PlannedReader;
use crate::record::{Fault, Position};
use crate::store::detect::{DetectedArchive, detect};
use crate::store::raw_reader::RawReader;
use crate::table::file::Table;
use crate::table::reader::{ReadStep, TableReader};
use crate::warc::reader::Flow;
use crate::warc::reader::RecordReader;
use std::io::{self, Read};
use std::sync::Arc;

/// Number of plain bytes after which a batch is full.
const BATCH_BYTES: usize = 1 << 20;

/// Number of entries after which a batch is full.
const BATCH_ENTRIES: usize = 4096;

/// The place at which a batch of a [`RecordStream`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchEnd {
    /// The batch is full.
    Full,
    /// The next member begins at this offset of the file, and no record is open.
    Border(u64),
    /// The input has ended.
    End,
}

/// Reads records and lines in order, continues after damage, and fills batches with them. Only this
/// type decides which bytes count as damage.
///
/// ```
/// use huller_archive::{Batch, Limits, RecordStream};
///
/// let warc = b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n";
/// let mut stream = RecordStream::from_reader(Box::new(&warc[..]), &Limits::default())?;
/// let mut batch = Batch::default();
/// while stream.next_batch(&mut batch)? {
///     assert_eq!(batch.entries.len(), 1);
/// }
/// # Ok::<(), huller_archive::ArchiveError>(())
/// ```
pub struct RecordStream {
    name: String,
    reader: Reader,
    /// The offset of the border with which the next batch begins, if it begins with a border.
    border_offset: Option<u64>,
    ended: bool,
    /// An offset that is added to positions in the plain stream, for an archive whose records have
    /// no position in the file.
    placed_at: Option<u64>,
    /// The streams that are read after the end: the next archives of the same file. A fault
    /// replaces a member that is not an archive.
    rest: Option<StreamSequence>,
}

/// Streams that are read one after another, and faults between them.
pub(crate) type StreamSequence =
    Box<dyn Iterator<Item = Result<Result<RecordStream, Box<Fault>>, ArchiveError>> + Send>;

enum Reader {
    Records(Box<RecordReader>),
    Lines(Box<LineReader>),
    Table(Box<TableReader>),
    Planned(Box<PlannedReader>),
    Tar(Box<TarReader>),
    Zip(Box<ZipReader>),
    Nothing,
}

impl RecordStream {
    /// Opens a stream over any reader, from its start.
    ///
    /// # Errors
    ///
    /// The input cannot be read, is empty, or is not an archive.
    pub fn from_reader(
        reader: Box<dyn Read + Send>,
        limits: &Limits,
    ) -> Result<Self, ArchiveError> {
        let name = "standard input";
        Ok(Self::detected(name, detect(name, RawReader::pipe(reader), None, limits)?, limits))
    }

    fn new(name: &str, reader: Reader, border_offset: Option<u64>) -> Self {
        let name = name.to_owned();
        RecordStream { name, reader, border_offset, ended: false, placed_at: None, rest: None }
    }

    /// Returns a stream over a detected input, from its start.
    pub(crate) fn detected(name: &str, detected: DetectedArchive, limits: &Limits) -> Self {
        Self::from_window(name, detected.window, detected.format, limits, true, None)
    }

    /// Returns a stream over a window. `whole` states that the window begins at the start of the
    /// input. `border_offset` is the offset of the border with which the stream begins, if it
    /// begins with a border.
    pub(crate) fn from_window(
        name: &str,
        window: Window,
        format: Format,
        limits: &Limits,
        whole: bool,
        border_offset: Option<u64>,
    ) -> Self {
        let reader = match format {
            Format::Warc | Format::Arc => {
                let (dialect, limits) = (format.dialect(), limits.clone());
                Reader::Records(Box::new(RecordReader::new(window, dialect, limits, whole)))
            }
            Format::Tar => {
                Reader::Tar(Box::new(TarReader::new(window, limits.record_bytes, whole)))
            }
            // Parquet and ZIP files have their own readers.
            Format::Jsonl | Format::Csv(_) | Format::Parquet | Format::Zip => {
                let lines = LineReader::new(window, limits.record_bytes, whole);
                Reader::Lines(Box::new(match format {
                    Format::Csv(separator) => lines.with_separator(separator),
                    _ => lines,
                }))
            }
        };
        Self::new(name, reader, border_offset)
    }

    /// Returns a stream over the rows of a Parquet file, beginning with row `row`.
    pub(crate) fn from_table(table: &Arc<Table>, row: u64, limits: &Limits) -> Self {
        let reader = TableReader::new(Arc::clone(table), row, limits.record_bytes);
        Self::new(table.name(), Reader::Table(Box::new(reader)), Some(row))
    }

    /// Returns a stream over the records of a plan, beginning with the next record of the reader.
    pub(crate) fn from_plan(name: &str, reader: PlannedReader) -> Self {
        let border_offset = Some(reader.next_record());
        Self::new(name, Reader::Planned(Box::new(reader)), border_offset)
    }

    /// Returns a stream over the files in a ZIP file.
    pub(crate) fn from_zip(name: &str, reader: ZipReader) -> Self {
        Self::new(name, Reader::Zip(Box::new(reader)), None)
    }

    /// Returns a stream without records.
    pub(crate) fn empty(name: &str) -> Self {
        Self::new(name, Reader::Nothing, None)
    }

    /// Removes the positions in the file from the records if `offset` is given. It is the offset in
    /// the file of an archive that is compressed as a whole.
    pub(crate) fn placed_at(mut self, offset: Option<u64>) -> Self {
        self.placed_at = offset;
        self
    }

    /// Appends streams that are read after the end.
    pub(crate) fn followed_by(mut self, rest: StreamSequence) -> Self {
        self.rest = Some(rest);
        self
    }

    /// Clears the batch and fills it with entries, at least one, until it has 1 MiB or 4,096
    /// entries. Returns false at the end of the input.
    ///
    /// # Errors
    ///
    /// The input cannot be read.
    pub fn next_batch(&mut self, batch: &mut Batch) -> Result<bool, ArchiveError> {
        self.next_batch_until(batch, u64::MAX)?;
        Ok(!batch.entries.is_empty())
    }

    /// Fills a batch as [`next_batch`](Self::next_batch), but ends it at the first border at offset
    /// `stop` or later. A border is the start of a member at which no record is open. The batch may
    /// then be empty.
    ///
    /// A caller that repairs the range before another batch passes the start of that batch. The
    /// offset in [`BatchEnd::Border`] shows whether the stream arrived at exactly that place. To
    /// continue, the caller calls again with a larger `stop`.
    ///
    /// # Errors
    ///
    /// The input cannot be read.
    pub fn next_batch_until(
        &mut self,
        batch: &mut Batch,
        stop: u64,
    ) -> Result<BatchEnd, ArchiveError> {
        batch.clear();
        batch.packing = Packing::Plain;
        if let Some(start) = self.border_offset.take() {
            batch.start = start;
            batch.starts_cleanly = true;
        }
        if self.ended {
            return Ok(BatchEnd::End);
        }
        while batch.bytes.len() < BATCH_BYTES && batch.entries.len() < BATCH_ENTRIES {
            let before = batch.entries.len();
            let flow = match &mut self.reader {
                Reader::Records(reader) => reader.read_next(batch, stop),
                Reader::Lines(reader) => reader.read_next(batch).map(flow),
                Reader::Tar(reader) => reader.read_next(batch).map(flow),
                Reader::Zip(reader) => reader.read_next(batch).map(flow),
                Reader::Table(reader) => table_step(reader, batch, stop),
                Reader::Planned(reader) => planned_step(reader, batch, stop),
                Reader::Nothing => Ok(Flow::End),
            };
            match flow {
                Ok(Flow::Entry) => {
                    if let Some(offset) = self.placed_at {
                        batch.entries[before..].iter_mut().for_each(|it| take_place(it, offset));
                    }
                }
                Ok(Flow::Border(offset)) => {
                    self.border_offset = Some(offset);
                    return Ok(BatchEnd::Border(offset));
                }
                Ok(Flow::End) => match self.rest.as_mut().and_then(Iterator::next) {
                    Some(Ok(Ok(next))) => {
                        (self.name, self.reader) = (next.name, next.reader);
                        self.placed_at = next.placed_at;
                    }
                    Some(Ok(Err(fault))) => batch.entries.push(Entry::Fault(*fault)),
                    Some(Err(error)) => return Err(error),
                    None => {
                        self.ended = true;
                        return Ok(BatchEnd::End);
                    }
                },
                Err(error) => return Err(ArchiveError::io(&self.name, self.bytes_read(), error)),
            }
        }
        Ok(BatchEnd::Full)
    }

    /// Returns the number of compressed bytes of the file that were read so far.
    pub fn bytes_read(&self) -> u64 {
        match &self.reader {
            Reader::Records(reader) => reader.window.reader().raw().offset(),
            Reader::Lines(reader) => reader.window().reader().raw().offset(),
            Reader::Table(table) => table.table().offset_of(table.next_row()),
            Reader::Planned(reader) => reader.bytes_read(),
            Reader::Tar(reader) => reader.window.reader().raw().offset(),
            Reader::Zip(reader) => reader.bytes_read(),
            Reader::Nothing => 0,
        }
    }

    /// Returns whether the stream reached a limit of
    /// [`Repairer::open_range`](crate::Repairer::open_range): the last offset that it may read, or
    /// the longest claimed length of a record.
    pub fn is_stopped(&self) -> bool {
        match &self.reader {
            Reader::Records(reader) => {
                reader.oversized || reader.window.reader().raw().is_stopped()
            }
            Reader::Lines(reader) => reader.window().reader().raw().is_stopped(),
            Reader::Table(reader) => reader.is_oversized,
            Reader::Planned(reader) => reader.is_oversized,
            Reader::Tar(reader) => reader.window.reader().raw().is_stopped(),
            Reader::Zip(_) | Reader::Nothing => false,
        }
    }
}

fn flow(more: bool) -> Flow {
    if more { Flow::Entry } else { Flow::End }
}

/// Removes the position in the file from an entry, and adds `offset` to the position in the plain
/// stream.
fn take_place(entry: &mut Entry, offset: u64) {
    let take = |position: &mut Position| {
        position.member = None;
        position.stream_offset = position.stream_offset.map(|at| at + offset);
    };
    match entry {
        Entry::Record { position, .. }
        | Entry::Line { position, .. }
        | Entry::File { position, .. } => take(position),
        Entry::Fault(fault) => {
            take(&mut fault.position);
            fault.at_end.iter_mut().for_each(take);
        }
    }
}

/// Reads the next row into the batch. Every row begins at a border.
fn table_step(reader: &mut TableReader, batch: &mut Batch, stop: u64) -> io::Result<Flow> {
    if reader.next_row() >= stop {
        return Ok(Flow::Border(reader.next_row()));
    }
    let entry = match reader.read_next(&mut |_| ())? {
        ReadStep::End => return Ok(Flow::End),
        ReadStep::Fault(fault) => Entry::Fault(fault),
        ReadStep::Row(row) => {
            let start = batch.bytes.len();
            batch.bytes.extend_from_slice(reader.json());
            let position = Position { member: None, stream_offset: Some(row) };
            Entry::Line { bytes: start..batch.bytes.len(), position, length: 0, line_end: 0 }
        }
    };
    batch.entries.push(entry);
    Ok(Flow::Entry)
}

/// Reads the next planned record into the batch. Every record begins at a border.
fn planned_step(reader: &mut PlannedReader, batch: &mut Batch, stop: u64) -> io::Result<Flow> {
    if reader.next_record() >= stop {
        return Ok(Flow::Border(reader.next_record()));
    }
    Ok(if reader.read_next(batch)? { Flow::Entry } else { Flow::End })
}
