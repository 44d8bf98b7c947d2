//! Writes the files of an input in the side tables of the run.

use crate::work::context::Context;
use crate::work::side_encoder::SideEncoder;
use crate::write::format_file::FormatFile;
use huller_row::each_piece;
use huller_run::durable::sync_folder;
use huller_run::error::RunError;
use huller_run::part_file::rename_part;
use huller_run::run_files::marks::OutputMark;
use huller_run::run_files::side_tables::SideTables;
use std::path::PathBuf;

/// The files of an input in the side tables of the run, during writing. They get their names before
/// the file of the rows does.
#[derive(Default)]
pub(crate) struct SideFiles(SideTables<SideFile>);

impl SideFiles {
    /// Creates the files over the remains of earlier ones. Each comes with its name in run files.
    pub(crate) fn create(
        places: &SideTables<(PathBuf, String)>,
        context: &Context<'_>,
    ) -> Result<SideFiles, RunError> {
        let tables = &context.settings.side_tables;
        let files = SideTables::try_from_fn(|table| {
            let Some(((path, name), output)) = places.get(table).zip(tables.get(table)) else {
                return Ok(None);
            };
            let layout = output.layout(&context.layout.configuration);
            let form = (output.form().format, &layout);
            let file = FormatFile::create(path.clone(), name.clone(), form, context)?;
            Ok(Some(SideFile { file, rows: 0, is_noted: false }))
        });
        files.map(SideFiles)
    }

    /// Returns whether the run has no side tables.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the names in run files.
    pub(crate) fn names(&self) -> SideTables<String> {
        self.0.map(|_, file| file.file.name())
    }

    /// Appends a batch, for which workers joined a piece of rows and one for each side table.
    /// Passes the pieces of the rows to `rows`.
    pub(crate) fn write_piece(
        &mut self,
        joined: &[u8],
        mut rows: impl FnMut(&[u8]) -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        let pieces = 1 + self.0.len();
        each_piece(joined, pieces, |number, piece| match number.checked_sub(1) {
            None => rows(piece),
            Some(number) => match self.0.values_mut().nth(number) {
                Some(file) => file.piece(piece),
                None => Ok(()),
            },
        })
    }

    /// Appends the ends of the formats, once.
    pub(crate) fn end(&mut self) -> Result<(), RunError> {
        self.0.values_mut().try_for_each(|file| file.file.end())
    }

    /// Returns the marks of the files that have ended, for the last checkpoint. A file without rows
    /// gets no name.
    pub(crate) fn take_ended(&mut self) -> Result<Vec<OutputMark>, RunError> {
        let marks = self.0.values_mut().map(SideFile::take_ended);
        marks.filter_map(Result::transpose).collect()
    }

    /// Makes the bytes of the files durable. They keep the names of parts. Removes files without
    /// rows.
    pub(crate) fn sync_as_part(self) -> Result<SideTables<(PathBuf, OutputMark)>, RunError> {
        let SideFiles(mut files) = self;
        SideTables::try_from_fn(|table| match files.take(table) {
            Some(file) => file.sync_as_part(),
            None => Ok(None),
        })
    }

    /// Removes parts whose bytes could not be made durable.
    pub(crate) fn discard_unsynced(self) {
        self.0.into_iter().for_each(|file| file.file.discard_unsynced());
    }

    /// Removes the files of an input without rows.
    pub(crate) fn discard(self) -> Result<(), RunError> {
        self.0.into_iter().try_for_each(|file| file.file.discard())
    }

    /// Removes the parts of an aborted input.
    pub(crate) fn abandon(self) {
        self.0.into_iter().for_each(|file| file.file.abandon());
    }
}

/// Gives parts their names, and returns their marks.
pub(crate) fn name_side_files(
    parts: &SideTables<(PathBuf, OutputMark)>,
) -> Result<SideTables<OutputMark>, RunError> {
    for (path, _) in parts.values() {
        rename_part(path)?;
        sync_folder(path)?;
    }
    Ok(parts.map(|_, (_, mark)| mark.clone()))
}

/// One output file of a side table, with the number of rows written to it.
struct SideFile {
    file: FormatFile,
    /// Number of rows written so far.
    rows: u64,
    /// Whether a checkpoint has its mark.
    is_noted: bool,
}

impl SideFile {
    fn piece(&mut self, piece: &[u8]) -> Result<(), RunError> {
        let (count, piece) = SideEncoder::split_piece(piece);
        self.rows += count;
        if count > 0 { self.file.write_piece(piece) } else { Ok(()) }
    }

    fn take_ended(&mut self) -> Result<Option<OutputMark>, RunError> {
        let is_ready = self.rows > 0 && self.file.has_ended();
        if !is_ready || std::mem::replace(&mut self.is_noted, true) {
            return Ok(None);
        }
        self.file.mark(self.rows).map(Some)
    }

    fn sync_as_part(self) -> Result<Option<(PathBuf, OutputMark)>, RunError> {
        if self.rows == 0 {
            self.file.discard()?;
            return Ok(None);
        }
        self.file.sync_as_part(self.rows).map(Some)
    }
}
