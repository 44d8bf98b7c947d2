//! Writes a file of an input besides that of its rows in the first format.

use crate::work::context::Context;
use huller_row::{Assembler, Compressor, Format, Layout};
use huller_run::error::RunError;
use huller_run::output_file::OutputFile;
use huller_run::part_file::part_of;
use huller_run::run_files::marks::OutputMark;
use std::fs;
use std::path::PathBuf;

/// A file during writing, with the assembler of its format. It gets its name later.
pub(crate) struct FormatFile {
    file: OutputFile,
    path: PathBuf,
    /// Its name in run files.
    name: String,
    assembler: Box<dyn Assembler>,
    compressor: Compressor,
    has_begun: bool,
    has_ended: bool,
}

impl FormatFile {
    /// Creates the file over the remains of an earlier one.
    pub(crate) fn create(
        path: PathBuf,
        name: String,
        (format, layout): (&dyn Format, &Layout),
        context: &Context<'_>,
    ) -> Result<FormatFile, RunError> {
        let mut file = OutputFile::create(&path)?;
        file.add_time_to(context.clocks);
        Ok(FormatFile {
            file,
            path,
            name,
            assembler: format.assembler(layout),
            compressor: Compressor::new(layout.compression),
            has_begun: false,
            has_ended: false,
        })
    }

    /// Returns its name in run files.
    pub(crate) fn name(&self) -> String {
        self.name.clone()
    }

    /// Appends a worker's result for a batch.
    pub(crate) fn write_piece(&mut self, piece: &[u8]) -> Result<(), RunError> {
        self.begin()?;
        let written = self.assembler.write_piece(piece, &mut self.compressor, &mut self.file);
        self.file.check_write(written)
    }

    /// Appends the beginning of the format, once.
    pub(crate) fn begin(&mut self) -> Result<(), RunError> {
        if std::mem::replace(&mut self.has_begun, true) {
            return Ok(());
        }
        let written = self.assembler.begin(&mut self.compressor, &mut self.file);
        self.file.check_write(written)
    }

    /// Appends the end of the format, once.
    pub(crate) fn end(&mut self) -> Result<(), RunError> {
        if std::mem::replace(&mut self.has_ended, true) {
            return Ok(());
        }
        self.begin()?;
        let written = self.assembler.end(&mut self.compressor, &mut self.file);
        self.file.check_write(written)
    }

    /// Returns whether the file has its end.
    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Returns the mark of the file as it is now, with so many rows.
    pub(crate) fn mark(&mut self, rows: u64) -> Result<OutputMark, RunError> {
        Ok(OutputMark {
            output: self.name(),
            bytes: self.file.bytes_written(),
            digest: format!("sha256:{}", self.file.digest()?),
            rows,
        })
    }

    /// Makes its bytes durable, and returns its path and mark. The file keeps the name of a part.
    pub(crate) fn sync_as_part(mut self, rows: u64) -> Result<(PathBuf, OutputMark), RunError> {
        let mark = self.mark(rows)?;
        self.file.sync_as_part()?;
        Ok((self.path, mark))
    }

    /// Removes a part whose bytes could not be made durable.
    pub(crate) fn discard_unsynced(self) {
        self.file.discard_unsynced();
    }

    /// Removes a file without rows, and the file that an earlier run may have made of other bytes
    /// of the input.
    pub(crate) fn discard(self) -> Result<(), RunError> {
        self.file.discard()
    }

    /// Removes the part of an aborted input.
    pub(crate) fn abandon(self) {
        // A run that makes this file again starts it again, so a failure has no consequence.
        let _ = fs::remove_file(part_of(&self.path));
    }
}
