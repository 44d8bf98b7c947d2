//! A detected archive that can be opened again at any of its members.

use super::detect::DetectedArchive;
use super::input_file::InputFile;
use super::input_place::InputPlace;
use super::raw_reader::RawReader;
use crate::container::Container;
use crate::container::container_reader::ContainerReader;
use crate::container::gzip::reader::GzipReader;
use crate::container::lz4::reader::Lz4Reader;
use crate::container::window::Window;
use crate::container::zstd::reader::ZstdReader;
use crate::error::ArchiveError;
use crate::format::Format;
use crate::limits::Limits;
use std::io;
use std::ops::Range;
use std::sync::Arc;

/// The place and the properties of an archive. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct ArchiveFile {
    pub(crate) name: Arc<str>,
    /// `None` for an input that can be read only once.
    pub(crate) place: Option<InputPlace>,
    pub(crate) limits: Limits,
    pub(crate) format: Format,
    pub(crate) container: Container,
    pub(crate) dictionary: Option<Arc<[u8]>>,
    /// Offset of the first member.
    pub(crate) start: u64,
    /// The range of the archive in the file, if it is only a part of it.
    pub(crate) part: Option<Range<u64>>,
}

impl ArchiveFile {
    pub(crate) fn new(
        name: &str,
        place: Option<InputPlace>,
        detected: &DetectedArchive,
        limits: &Limits,
    ) -> Self {
        ArchiveFile {
            name: Arc::from(name),
            place,
            limits: limits.clone(),
            format: detected.format,
            container: detected.container,
            dictionary: detected.dictionary.clone(),
            start: detected.start,
            part: None,
        }
    }

    /// Opens the file, and returns it with the offset at which the archive ends.
    pub(crate) fn file(&self) -> Result<(InputFile, u64), ArchiveError> {
        let not_seekable = || self.error(0, io::ErrorKind::NotSeekable.into());
        let place = self.place.as_ref().ok_or_else(not_seekable)?;
        let file = place.open().map_err(|error| self.error(0, error))?;
        let len = file.length().map_err(|error| self.error(0, error))?;
        let len = len.ok_or_else(not_seekable)?;
        Ok((file, self.part.as_ref().map_or(len, |part| part.end)))
    }

    /// Opens a window on the file from the member at `offset` on. `prepare` configures how its
    /// bytes are read.
    pub(crate) fn window(
        &self,
        offset: u64,
        limits: &Limits,
        prepare: impl FnOnce(RawReader) -> RawReader,
    ) -> Result<Window, ArchiveError> {
        let (file, len) = self.file()?;
        let raw = match &self.part {
            Some(part) => RawReader::open_part(file, offset..part.end),
            None => RawReader::file(file, len, offset),
        };
        let raw = raw.map_err(|error| self.error(offset, error))?;
        let raw = prepare(raw);
        let opening = self.format.opening();
        let reader = match self.container {
            Container::Plain => ContainerReader::Plain(raw),
            Container::Gzip => ContainerReader::Gzip(GzipReader::new(raw, opening)),
            Container::Lz4 => ContainerReader::Lz4(Lz4Reader::new(raw, opening)),
            Container::Zstd => ContainerReader::Zstd(ZstdReader::new(
                &self.name,
                raw,
                limits,
                opening,
                self.dictionary.clone(),
            )?),
        };
        Ok(Window::new(reader, opening))
    }

    /// Returns an I/O error at an offset of this file.
    pub(crate) fn error(&self, offset: u64, error: io::Error) -> ArchiveError {
        ArchiveError::io(&self.name, offset, error)
    }
}
