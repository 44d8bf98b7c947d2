//! An archive of which the records of a plan are read.

use super::plan::Planned;
use crate::error::ArchiveError;
use crate::format::Format;
use crate::store::archive_file::ArchiveFile;
use crate::store::input_file::InputFile;
use std::io;
use std::sync::Arc;

/// An open archive and the plan of its records, which are in its order. All threads that read it share it.
#[derive(Debug)]
pub(crate) struct PlannedFile {
    pub(crate) archive: ArchiveFile,
    pub(crate) plan: Arc<[Planned]>,
    /// For reads at places of their own: nothing moves along it.
    pub(crate) file: InputFile,
    pub(crate) len: u64,
}

impl PlannedFile {
    /// # Errors
    ///
    /// The archive cannot be opened again, or its records have no offsets in the file.
    pub(crate) fn open(
        archive: ArchiveFile,
        plan: Arc<[Planned]>,
    ) -> Result<PlannedFile, ArchiveError> {
        if !matches!(archive.format, Format::Warc | Format::Arc) {
            let what = "an index leads to records of WARC and ARC files, and it is none";
            return Err(archive.error(0, io::Error::new(io::ErrorKind::InvalidData, what)));
        }
        let (file, len) = archive.file()?;
        Ok(PlannedFile { archive, plan, file, len })
    }

    /// Offset in the file of a planned record; the length of the file after the last.
    pub(crate) fn offset_of(&self, at: usize) -> u64 {
        self.plan.get(at).map_or(self.len, |planned| planned.offset.min(self.len))
    }
}
