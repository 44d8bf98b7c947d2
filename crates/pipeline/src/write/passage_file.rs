//! Writes the file with the passages of an input's rows.

use crate::work::context::Context;
use crate::work::passage_encoder::PassageEncoder;
use crate::write::format_file::FormatFile;
use huller_row::each_piece;
use huller_run::error::RunError;
use huller_run::run_files::marks::OutputMark;
use std::path::PathBuf;

/// The pieces that workers join for each batch: that of the rows, and that of their passages.
const PIECES: usize = 2;

/// A file of passages, during writing. It gets its name before the file of the rows does.
pub(crate) struct PassageFile {
    file: FormatFile,
    passages: u64,
    /// Whether a checkpoint has its mark.
    is_noted: bool,
}

impl PassageFile {
    /// Creates the file over the remains of an earlier one. `name` is its name in run files.
    pub(crate) fn create(
        path: PathBuf,
        name: &str,
        context: &Context<'_>,
    ) -> Result<Option<PassageFile>, RunError> {
        let Some(passages) = &context.settings.passages else { return Ok(None) };
        let layout = passages.layout(&context.layout.configuration);
        let form = (passages.form().format, &layout);
        let file = FormatFile::create(path, name.to_owned(), form, context)?;
        Ok(Some(PassageFile { file, passages: 0, is_noted: false }))
    }

    /// Returns its name in run files.
    pub(crate) fn name(&self) -> String {
        self.file.name()
    }

    /// Appends the passages of a batch, and passes the pieces of its rows to `rows`.
    pub(crate) fn piece(
        &mut self,
        joined: &[u8],
        mut rows: impl FnMut(&[u8]) -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        each_piece(joined, PIECES, |number, piece| {
            if number == 0 {
                return rows(piece);
            }
            let (count, piece) = PassageEncoder::split_piece(piece);
            self.passages += count;
            if count > 0 { self.file.piece(piece) } else { Ok(()) }
        })
    }

    /// Appends the end of the format, once.
    pub(crate) fn end(&mut self) -> Result<(), RunError> {
        self.file.end()
    }

    /// Returns the mark of the file once it has ended, for the last checkpoint. A file without
    /// passages gets no name.
    pub(crate) fn take_ended(&mut self) -> Result<Option<OutputMark>, RunError> {
        let is_ready = self.passages > 0 && self.file.has_ended();
        if !is_ready || std::mem::replace(&mut self.is_noted, true) {
            return Ok(None);
        }
        self.file.mark(self.passages).map(Some)
    }

    /// Makes its bytes durable. The file keeps the name of a part. Removes a file without passages.
    pub(crate) fn set_aside(self) -> Result<Option<(PathBuf, OutputMark)>, RunError> {
        if self.passages == 0 {
            self.file.discard()?;
            return Ok(None);
        }
        self.file.set_aside(self.passages).map(Some)
    }

    /// Removes a part whose bytes could not be made durable.
    pub(crate) fn distrust(self) {
        self.file.distrust();
    }

    /// Removes a file whose input has no rows.
    pub(crate) fn discard(self) -> Result<(), RunError> {
        self.file.discard()
    }

    /// Removes the part of an aborted input.
    pub(crate) fn abandon(self) {
        self.file.abandon();
    }
}
