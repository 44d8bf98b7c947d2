//! Writes the additional files of an input in runs with several formats, with the same rows in
//! each.

use crate::work::context::Context;
use crate::write::format_file::FormatFile;
use huller_row::{each_piece, layouts};
use huller_run::error::RunError;
use huller_run::part_file::rename_part;
use huller_run::plan::name_of;
use huller_run::run_files::marks::OutputMark;
use std::path::{Path, PathBuf};

/// The files of the additional formats, during writing. They get their names before the first file
/// does.
pub(crate) struct SecondaryOutputs {
    files: Vec<FormatFile>,
    /// Number of the formats, the first included.
    formats: usize,
    /// Whether a checkpoint has their marks.
    is_noted: bool,
}

impl SecondaryOutputs {
    /// Creates the files over the remains of earlier ones. Runs with one format have none.
    pub(crate) fn create(
        root: &Path,
        names: &[PathBuf],
        context: &Context<'_>,
    ) -> Result<SecondaryOutputs, RunError> {
        let formats = context.format.formats();
        let layouts = layouts(formats, context.layout);
        let other_formats = formats.iter().zip(&layouts).skip(1).zip(names);
        let files = other_formats
            .map(|((format, layout), name)| {
                FormatFile::create(root.join(name), name_of(name), (*format, layout), context)
            })
            .collect::<Result<_, _>>()?;
        Ok(SecondaryOutputs { files, formats: formats.len(), is_noted: false })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns the names of the files.
    pub(crate) fn names(&self) -> Vec<String> {
        self.files.iter().map(FormatFile::name).collect()
    }

    /// Appends a worker's result for a batch: the pieces of all formats, joined.
    pub(crate) fn write_piece(&mut self, joined: &[u8]) -> Result<(), RunError> {
        if self.is_empty() {
            return Ok(());
        }
        self.files.iter_mut().try_for_each(FormatFile::begin)?;
        each_piece(joined, self.formats, |number, piece| {
            // The first format is written elsewhere.
            match number.checked_sub(1).and_then(|number| self.files.get_mut(number)) {
                Some(file) => file.write_piece(piece),
                None => Ok(()),
            }
        })
    }

    /// Appends the end of each format, once.
    pub(crate) fn end(&mut self) -> Result<(), RunError> {
        self.files.iter_mut().try_for_each(FormatFile::end)
    }

    /// Returns the marks of the files once they have ended, for the last checkpoint. By these a run
    /// after a kill knows the files that have their names.
    pub(crate) fn take_ended(&mut self) -> Result<Vec<OutputMark>, RunError> {
        let has_ended = self.files.iter().all(FormatFile::has_ended);
        if !has_ended || std::mem::replace(&mut self.is_noted, true) {
            return Ok(Vec::new());
        }
        self.files.iter_mut().map(|file| file.mark(0)).collect()
    }

    /// Makes their bytes durable. The files keep the names of parts.
    pub(crate) fn sync_as_part(self, rows: u64) -> Result<Vec<(PathBuf, OutputMark)>, RunError> {
        self.files.into_iter().map(|file| file.sync_as_part(rows)).collect()
    }

    /// Removes parts whose bytes could not be made durable.
    pub(crate) fn discard_unsynced(self) {
        self.files.into_iter().for_each(FormatFile::discard_unsynced);
    }

    /// Removes files without rows, and files that an earlier run may have made of other bytes of
    /// the input.
    pub(crate) fn discard(self) -> Result<(), RunError> {
        self.files.into_iter().try_for_each(FormatFile::discard)
    }

    /// Removes the parts of an aborted input.
    pub(crate) fn abandon(self) {
        self.files.into_iter().for_each(FormatFile::abandon);
    }
}

/// Gives durable parts their final names, and returns their marks.
pub(crate) fn rename_all(aside: Vec<(PathBuf, OutputMark)>) -> Result<Vec<OutputMark>, RunError> {
    aside.into_iter().map(|(path, mark)| rename_part(&path).map(|()| mark)).collect()
}
