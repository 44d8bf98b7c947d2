//! Opens an input again at any of its members, where the fast path had to stop.

use crate::bundle::zip::{ZipFile, ZipReader};
use crate::container::Container;
use crate::error::ArchiveError;
use crate::format::Format;
use crate::limits::Limits;
use crate::planned::planned_file::PlannedFile;
use crate::planned::reader::PlannedReader;
use crate::store::archive_file::ArchiveFile;
use crate::store::prefix_digest::OrderedHasher;
use crate::store::raw_reader::RawReader;
use crate::stream::RecordStream;
use crate::table::file::Table;
use std::io;
use std::sync::Arc;

/// Opens an input again at any of its members. Cheap to clone, and can be sent to another thread.
#[derive(Clone, Debug)]
pub struct Repairer {
    pub(crate) archive: ArchiveFile,
    parts: OffsetUnit,
}

/// The unit of offsets in an input.
#[derive(Clone, Debug)]
enum OffsetUnit {
    /// Bytes of the file.
    Members,
    /// Rows of a Parquet file.
    Rows(Arc<Table>),
    /// Records of a plan.
    Planned(Arc<PlannedFile>),
    /// Bytes of a ZIP file of pages.
    Files(ZipFile),
}

impl Repairer {
    /// Returns a repairer for an archive.
    pub(crate) fn new(archive: ArchiveFile) -> Self {
        Repairer { archive, parts: OffsetUnit::Members }
    }

    /// Returns a repairer for a Parquet file.
    pub(crate) fn for_table(table: &Arc<Table>, limits: &Limits) -> Self {
        let archive = ArchiveFile {
            name: Arc::clone(table.name()),
            place: None,
            limits: limits.clone(),
            format: Format::Parquet,
            container: Container::Plain,
            dictionary: None,
            start: 0,
            part: None,
        };
        Repairer { archive, parts: OffsetUnit::Rows(Arc::clone(table)) }
    }

    /// Returns a repairer for records of a plan.
    pub(crate) fn for_plan(file: &Arc<PlannedFile>) -> Self {
        Repairer {
            archive: file.first_archive().clone(),
            parts: OffsetUnit::Planned(Arc::clone(file)),
        }
    }

    /// Returns a repairer for a ZIP file of pages.
    pub(crate) fn for_zip(archive: ArchiveFile, zip: ZipFile) -> Self {
        Repairer { archive, parts: OffsetUnit::Files(zip) }
    }

    /// Opens a stream from the member at `offset` on.
    ///
    /// # Errors
    ///
    /// The file cannot be opened again, or the input can be read only once. Such an input is always
    /// read as a stream from its beginning, so it needs no repairer.
    pub fn open_at(&self, offset: u64) -> Result<RecordStream, ArchiveError> {
        self.stream(offset, &self.archive.limits, |raw| raw)
    }

    /// As [`Repairer::open_at`], but reads only up to offset `stop`, and only records of at most
    /// `record_bytes`. If the stream [reaches one of these limits](RecordStream::is_stopped), the
    /// caller must discard its entries, since without the limit they could differ.
    ///
    /// # Errors
    ///
    /// As [`Repairer::open_at`].
    pub fn open_range(
        &self,
        offset: u64,
        stop: u64,
        record_bytes: usize,
    ) -> Result<RecordStream, ArchiveError> {
        let record_bytes = self.archive.limits.record_bytes.min(record_bytes);
        let limits = Limits { record_bytes, ..self.archive.limits.clone() };
        self.stream(offset, &limits, |raw| raw.with_stop(stop))
    }

    /// As [`Repairer::open_at`]. `hasher` has seen the bytes before `offset` and sees each byte
    /// that is read.
    pub(crate) fn open_hashed_at(
        &self,
        offset: u64,
        hasher: &OrderedHasher,
    ) -> Result<RecordStream, ArchiveError> {
        self.stream(offset, &self.archive.limits, |raw| raw.with_hasher(hasher.clone()))
    }

    fn stream(
        &self,
        offset: u64,
        limits: &Limits,
        prepare: impl FnOnce(RawReader) -> RawReader,
    ) -> Result<RecordStream, ArchiveError> {
        let archive = &self.archive;
        match &self.parts {
            OffsetUnit::Rows(table) => Ok(RecordStream::from_table(table, offset, limits)),
            OffsetUnit::Planned(file) => {
                let reader = PlannedReader::new(file, offset, limits);
                Ok(RecordStream::from_plan(&archive.name, reader))
            }
            OffsetUnit::Files(zip) => {
                let reader = ZipReader::new(zip, offset, limits.record_bytes);
                let reader = reader.map_err(|error| archive.error(offset, error))?;
                Ok(RecordStream::from_zip(&archive.name, reader))
            }
            OffsetUnit::Members => {
                let window = archive.window(offset, limits, prepare)?;
                let (format, whole) = (archive.format, offset == archive.start);
                let name = &archive.name;
                Ok(RecordStream::from_window(name, window, format, limits, whole, Some(offset)))
            }
        }
    }

    /// Returns the Parquet file, if the input is one.
    pub(crate) fn table(&self) -> Option<&Arc<Table>> {
        match &self.parts {
            OffsetUnit::Rows(table) => Some(table),
            OffsetUnit::Members | OffsetUnit::Planned(_) | OffsetUnit::Files(_) => None,
        }
    }

    /// Returns the plan of the records, if there is one.
    pub(crate) fn plan(&self) -> Option<&Arc<PlannedFile>> {
        match &self.parts {
            OffsetUnit::Planned(file) => Some(file),
            OffsetUnit::Members | OffsetUnit::Rows(_) | OffsetUnit::Files(_) => None,
        }
    }

    /// Returns an I/O error at an offset of this input.
    pub(crate) fn error(&self, offset: u64, error: io::Error) -> ArchiveError {
        self.archive.error(offset, error)
    }
}
