//! Opening an input anew at any of its members.

use crate::container::feed::Feed;
use crate::container::gzip::feed::GzipFeed;
use crate::container::lz4::feed::Lz4Feed;
use crate::container::window::Window;
use crate::container::zstd::feed::ZstdFeed;
use crate::error::ArchiveError;
use crate::format::{Container, Format};
use crate::limits::Limits;
use crate::store::detect::Detected;
use crate::store::raw::Raw;
use crate::store::seen::Witness;
use crate::stream::RecordStream;
use crate::table::file::Table;
use std::fs::File;
use std::io;
use std::num::NonZeroU64;
use std::path::Path;
use std::sync::Arc;

/// Opens an input anew at any of its members. Cheap to clone, and may be sent to another thread.
#[derive(Clone, Debug)]
pub struct Repairer {
    name: Arc<str>,
    path: Option<Arc<Path>>,
    pub(crate) limits: Limits,
    pub(crate) format: Format,
    pub(crate) container: Container,
    pub(crate) dictionary: Option<Arc<[u8]>>,
    /// Offset of the first member.
    pub(crate) start: u64,
    /// A Parquet file, whose offsets are numbers of rows.
    table: Option<Arc<Table>>,
}

impl Repairer {
    /// For an input that has been detected. `path` is that of its file; `None` for what can be read only once.
    pub(crate) fn new(
        name: &str,
        path: Option<&Path>,
        detected: &Detected,
        limits: &Limits,
    ) -> Self {
        Repairer {
            name: Arc::from(name),
            path: path.map(Arc::from),
            limits: limits.clone(),
            format: detected.format,
            container: detected.container,
            dictionary: detected.dictionary.clone(),
            start: detected.start,
            table: None,
        }
    }

    /// For a Parquet file.
    pub(crate) fn of_table(table: &Arc<Table>, limits: &Limits) -> Self {
        Repairer {
            name: Arc::clone(table.name()),
            path: None,
            limits: limits.clone(),
            format: Format::Parquet,
            container: Container::Plain,
            dictionary: None,
            start: 0,
            table: Some(Arc::clone(table)),
        }
    }

    /// A stream from the member at `offset` on.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened again, or the input can be read only once. Such an input never needs this, since it is
    /// read as a stream from its beginning.
    pub fn at(&self, offset: u64) -> Result<RecordStream, ArchiveError> {
        self.stream(offset, &self.limits, |raw| raw)
    }

    /// As [`Repairer::at`], but nothing from offset `stop` on is read, and no record of more than `record_bytes`. If the stream
    /// [comes to one of these limits](RecordStream::is_stopped), what it gave is not to be used: it would have gone on otherwise.
    ///
    /// # Errors
    ///
    /// As [`Repairer::at`].
    pub fn between(
        &self,
        offset: u64,
        stop: u64,
        record_bytes: usize,
    ) -> Result<RecordStream, ArchiveError> {
        let record_bytes = self.limits.record_bytes.min(record_bytes);
        let limits = Limits { record_bytes, ..self.limits.clone() };
        self.stream(offset, &limits, |raw| raw.stopped_at(stop))
    }

    /// As [`Repairer::at`]. What is read is shown to `witness`, which has seen the bytes before.
    pub(crate) fn at_seen_by(
        &self,
        offset: u64,
        witness: &Witness,
    ) -> Result<RecordStream, ArchiveError> {
        self.stream(offset, &self.limits, |raw| raw.seen_by(witness.clone()))
    }

    /// As [`Repairer::at`], for a record of which a length in bytes is known, or none: little more than it is read at first.
    pub(crate) fn at_in_reads(
        &self,
        offset: u64,
        length: Option<NonZeroU64>,
    ) -> Result<RecordStream, ArchiveError> {
        const BEYOND: u64 = 4 << 10;
        const UNKNOWN: u64 = 60 << 10;
        let length = length.map_or(UNKNOWN, NonZeroU64::get).min(1 << 20) + BEYOND;
        self.stream(offset, &self.limits, |raw| raw.in_reads_of(length as usize))
    }

    fn stream(
        &self,
        offset: u64,
        limits: &Limits,
        prepare: impl FnOnce(Raw) -> Raw,
    ) -> Result<RecordStream, ArchiveError> {
        if let Some(table) = &self.table {
            return Ok(RecordStream::of_table(table, offset, limits));
        }
        let (file, len) = self.file()?;
        let raw = Raw::file(file, len, offset).map_err(|error| self.error(offset, error))?;
        let raw = prepare(raw);
        let opening = self.format.opening();
        let feed = match self.container {
            Container::Plain => Feed::Plain(raw),
            Container::Gzip => Feed::Gzip(GzipFeed::new(raw, opening)),
            Container::Lz4 => Feed::Lz4(Lz4Feed::new(raw, opening)),
            Container::Zstd => Feed::Zstd(ZstdFeed::new(
                &self.name,
                raw,
                limits,
                opening,
                self.dictionary.clone(),
            )?),
        };
        let (window, whole) = (Window::new(feed, opening), offset == self.start);
        let stream =
            RecordStream::over(&self.name, window, self.format, limits, whole, Some(offset));
        Ok(stream)
    }

    /// The Parquet file, if it is one.
    pub(crate) fn table(&self) -> Option<&Arc<Table>> {
        self.table.as_ref()
    }

    /// The file and its length.
    pub(crate) fn file(&self) -> Result<(File, u64), ArchiveError> {
        let path =
            self.path.as_ref().ok_or_else(|| self.error(0, io::ErrorKind::NotSeekable.into()))?;
        let file = File::open(path).map_err(|error| self.error(0, error))?;
        let len = file.metadata().map_err(|error| self.error(0, error))?.len();
        Ok((file, len))
    }

    /// An error at an offset of this input.
    pub(crate) fn error(&self, offset: u64, error: io::Error) -> ArchiveError {
        ArchiveError::io(&self.name, offset, error)
    }
}
