//! Opening an input anew at any of its members.

use crate::bundle::zip::{ZipFile, ZipReader};
use crate::error::ArchiveError;
use crate::format::{Container, Format};
use crate::limits::Limits;
use crate::planned::file::PlannedFile;
use crate::planned::reader::PlannedReader;
use crate::store::archive_file::ArchiveFile;
use crate::store::raw::Raw;
use crate::store::seen::Witness;
use crate::stream::RecordStream;
use crate::table::file::Table;
use std::io;
use std::sync::Arc;

/// Opens an input anew at any of its members. Cheap to clone, and may be sent to another thread.
#[derive(Clone, Debug)]
pub struct Repairer {
    pub(crate) archive: ArchiveFile,
    parts: Parts,
}

/// What offsets count.
#[derive(Clone, Debug)]
enum Parts {
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
    /// For an archive.
    pub(crate) fn new(archive: ArchiveFile) -> Self {
        Repairer { archive, parts: Parts::Members }
    }

    /// For a Parquet file.
    pub(crate) fn of_table(table: &Arc<Table>, limits: &Limits) -> Self {
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
        Repairer { archive, parts: Parts::Rows(Arc::clone(table)) }
    }

    /// For records of a plan.
    pub(crate) fn of_plan(file: &Arc<PlannedFile>) -> Self {
        Repairer { archive: file.first().clone(), parts: Parts::Planned(Arc::clone(file)) }
    }

    /// For a ZIP file of pages.
    pub(crate) fn of_zip(archive: ArchiveFile, zip: ZipFile) -> Self {
        Repairer { archive, parts: Parts::Files(zip) }
    }

    /// A stream from the member at `offset` on.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened again, or the input can be read only once. Such an input never
    /// needs this, since it is read as a stream from its beginning.
    pub fn at(&self, offset: u64) -> Result<RecordStream, ArchiveError> {
        self.stream(offset, &self.archive.limits, |raw| raw)
    }

    /// As [`Repairer::at`], but nothing from offset `stop` on is read, and no record of more than
    /// `record_bytes`. If the stream [comes to one of these limits](RecordStream::is_stopped), what
    /// it gave is not to be used: it would have gone on otherwise.
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
        let record_bytes = self.archive.limits.record_bytes.min(record_bytes);
        let limits = Limits { record_bytes, ..self.archive.limits.clone() };
        self.stream(offset, &limits, |raw| raw.stopped_at(stop))
    }

    /// As [`Repairer::at`]. What is read is shown to `witness`, which has seen the bytes before.
    pub(crate) fn at_seen_by(
        &self,
        offset: u64,
        witness: &Witness,
    ) -> Result<RecordStream, ArchiveError> {
        self.stream(offset, &self.archive.limits, |raw| raw.seen_by(witness.clone()))
    }

    fn stream(
        &self,
        offset: u64,
        limits: &Limits,
        prepare: impl FnOnce(Raw) -> Raw,
    ) -> Result<RecordStream, ArchiveError> {
        let archive = &self.archive;
        match &self.parts {
            Parts::Rows(table) => Ok(RecordStream::of_table(table, offset, limits)),
            Parts::Planned(file) => {
                let reader = PlannedReader::new(file, offset, limits);
                Ok(RecordStream::of_plan(&archive.name, reader))
            }
            Parts::Files(zip) => {
                let reader = ZipReader::new(zip, offset, limits.record_bytes);
                let reader = reader.map_err(|error| archive.error(offset, error))?;
                Ok(RecordStream::of_zip(&archive.name, reader))
            }
            Parts::Members => {
                let window = archive.window(offset, limits, prepare)?;
                let (format, whole) = (archive.format, offset == archive.start);
                let name = &archive.name;
                Ok(RecordStream::over(name, window, format, limits, whole, Some(offset)))
            }
        }
    }

    /// The Parquet file, if it is one.
    pub(crate) fn table(&self) -> Option<&Arc<Table>> {
        match &self.parts {
            Parts::Rows(table) => Some(table),
            Parts::Members | Parts::Planned(_) | Parts::Files(_) => None,
        }
    }

    /// The plan of its records, if it has one.
    pub(crate) fn plan(&self) -> Option<&Arc<PlannedFile>> {
        match &self.parts {
            Parts::Planned(file) => Some(file),
            Parts::Members | Parts::Rows(_) | Parts::Files(_) => None,
        }
    }

    /// An error at an offset of this input.
    pub(crate) fn error(&self, offset: u64, error: io::Error) -> ArchiveError {
        self.archive.error(offset, error)
    }
}
