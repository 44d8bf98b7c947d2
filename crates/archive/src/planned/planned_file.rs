//! A file from which the records of a plan are read: an archive, or a WACZ with several.

use super::plan::PlannedRecord;
use crate::error::ArchiveError;
use crate::format::Format;
use crate::store::archive_file::ArchiveFile;
use crate::store::input_file::InputFile;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// An open file and the plan of its records, in the order of the file. All threads that read the
/// file share it.
#[derive(Debug)]
pub(crate) struct PlannedFile {
    /// The archives in the order of the file, at least one.
    archives: Vec<ArchiveFile>,
    pub(crate) plan: Arc<[PlannedRecord]>,
    /// The file, for reads at given offsets only; its own position is unused.
    pub(crate) file: InputFile,
    pub(crate) len: u64,
}

impl PlannedFile {
    /// Opens the archive's file for planned reads.
    ///
    /// # Errors
    ///
    /// The file cannot be opened again, or its format has no records with offsets.
    pub(crate) fn open(
        archive: ArchiveFile,
        plan: Arc<[PlannedRecord]>,
    ) -> Result<PlannedFile, ArchiveError> {
        if !matches!(archive.format, Format::Warc | Format::Arc) {
            let message =
                "an index leads to records of WARC and ARC files, but this file is neither";
            return Err(archive.error(0, io::Error::new(io::ErrorKind::InvalidData, message)));
        }
        let (file, len) = archive.file()?;
        Ok(PlannedFile { archives: vec![archive], plan, file, len })
    }

    /// Like [`PlannedFile::open`], for a WACZ. `whole` is the file as one archive. `archives` are
    /// the archives stored in it, in the order of the file.
    pub(crate) fn open_wacz(
        whole: &ArchiveFile,
        archives: Vec<ArchiveFile>,
        plan: Arc<[PlannedRecord]>,
    ) -> Result<PlannedFile, ArchiveError> {
        if archives.is_empty() {
            let message = "an index needs archives that are stored without compression, and this \
                        WACZ has none that is undamaged; unpack its archives and give their \
                        folder with --archives";
            return Err(whole.error(0, io::Error::new(io::ErrorKind::InvalidData, message)));
        }
        let (file, len) = whole.file()?;
        Ok(PlannedFile { archives, plan, file, len })
    }

    /// Returns the first archive.
    pub(crate) fn first_archive(&self) -> &ArchiveFile {
        &self.archives[0]
    }

    /// Returns the archive that contains an offset. `None` between the archives of a WACZ.
    pub(crate) fn archive_at(&self, offset: u64) -> Option<&ArchiveFile> {
        let ends_before =
            |archive: &ArchiveFile| archive.part.as_ref().is_some_and(|part| part.end <= offset);
        let archive = self.archives.get(self.archives.partition_point(ends_before))?;
        archive.part.as_ref().is_none_or(|part| part.contains(&offset)).then_some(archive)
    }

    /// Returns the offset in the file of a planned record. After the last record it is the length
    /// of the file.
    pub(crate) fn offset_of(&self, at: usize) -> u64 {
        self.plan.get(at).map_or(self.len, |planned| planned.offset.min(self.len))
    }
}

/// Records of a plan for one worker to decode.
#[derive(Clone, Debug)]
pub struct PlannedRecords {
    pub(crate) file: Arc<PlannedFile>,
    /// The range of records in the plan.
    pub(crate) records: Range<usize>,
    /// The range of each record's bytes in the batch.
    pub(crate) bytes: Vec<Range<usize>>,
}
