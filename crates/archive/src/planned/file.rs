//! A file of which the records of a plan are read: an archive, or a WACZ with several.

use super::plan::Planned;
use crate::error::ArchiveError;
use crate::format::Format;
use crate::store::archive_file::ArchiveFile;
use crate::store::input_file::InputFile;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// An open file and the plan of its records, which are in its order. All threads that read it share
/// it.
#[derive(Debug)]
pub(crate) struct PlannedFile {
    /// In the order of their places, at least one.
    archives: Vec<ArchiveFile>,
    pub(crate) plan: Arc<[Planned]>,
    /// For reads at places of their own: nothing moves along it.
    pub(crate) file: InputFile,
    pub(crate) len: u64,
}

impl PlannedFile {
    /// # Errors
    ///
    /// The file cannot be opened again, or its records have no offsets in it.
    pub(crate) fn open(
        archive: ArchiveFile,
        plan: Arc<[Planned]>,
    ) -> Result<PlannedFile, ArchiveError> {
        if !matches!(archive.format, Format::Warc | Format::Arc) {
            let what = "an index leads to records of WARC and ARC files, and it is none";
            return Err(archive.error(0, io::Error::new(io::ErrorKind::InvalidData, what)));
        }
        let (file, len) = archive.file()?;
        Ok(PlannedFile { archives: vec![archive], plan, file, len })
    }

    /// As [`PlannedFile::open`], of a WACZ. `whole` is the file as one archive, and `archives` are
    /// those that are stored in it, in the order of their places.
    pub(crate) fn open_wacz(
        whole: &ArchiveFile,
        archives: Vec<ArchiveFile>,
        plan: Arc<[Planned]>,
    ) -> Result<PlannedFile, ArchiveError> {
        if archives.is_empty() {
            let what = "it is a WACZ with no sound archive that is stored, and an index leads to records of those alone; \
                        unpack its archives and name their folder by --archives";
            return Err(whole.error(0, io::Error::new(io::ErrorKind::InvalidData, what)));
        }
        let (file, len) = whole.file()?;
        Ok(PlannedFile { archives, plan, file, len })
    }

    /// The first archive.
    pub(crate) fn first(&self) -> &ArchiveFile {
        &self.archives[0]
    }

    /// The archive in which an offset lies. What lies between the archives of a WACZ lies in none.
    pub(crate) fn archive_at(&self, offset: u64) -> Option<&ArchiveFile> {
        let is_before = |it: &ArchiveFile| it.part.as_ref().is_some_and(|it| it.end <= offset);
        let archive = self.archives.get(self.archives.partition_point(is_before))?;
        archive.part.as_ref().is_none_or(|part| part.contains(&offset)).then_some(archive)
    }

    /// Offset in the file of a planned record; the length of the file after the last.
    pub(crate) fn offset_of(&self, at: usize) -> u64 {
        self.plan.get(at).map_or(self.len, |planned| planned.offset.min(self.len))
    }
}

/// Records of a plan that a worker is to decode.
#[derive(Clone, Debug)]
pub struct PlannedRecords {
    pub(crate) file: Arc<PlannedFile>,
    /// Which records of the plan.
    pub(crate) records: Range<usize>,
    /// Where the bytes of each lie in the batch.
    pub(crate) bytes: Vec<Range<usize>>,
}
