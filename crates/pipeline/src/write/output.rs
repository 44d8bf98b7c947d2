//! The output of one input: a file, and the assembler of its format.

use crate::error::RunError;
use crate::work::context::Context;
use crate::write::output_file::OutputFile;
use data_encoding::HEXLOWER;
use huller_row::{Assembler, Compressor};
use std::path::Path;

/// An output being written.
pub(crate) struct Output {
    pub(crate) file: OutputFile,
    assembler: Box<dyn Assembler>,
    /// Whether the file has its beginning.
    has_begun: bool,
}

impl Output {
    /// Begins an output, over the remains of an earlier one. Nothing is written before the first piece, so a checkpoint at the length 0
    /// stands for a file that is to be written anew.
    pub(crate) fn create(path: &Path, context: &Context<'_>) -> Result<Output, RunError> {
        let assembler = context.format.assembler(context.layout);
        Ok(Output { file: OutputFile::create(path)?, assembler, has_begun: false })
    }

    /// Continues an output at a checkpoint. `state` is what [`Output::state`] gave there.
    pub(crate) fn resume(
        file: OutputFile,
        context: &Context<'_>,
        state: &str,
    ) -> Result<Output, RunError> {
        let state = HEXLOWER.decode(state.as_bytes()).map_err(|error| RunError::CannotResume {
            reason: format!("the state of an output in the checkpoint cannot be read: {error}"),
        })?;
        let mut assembler = context.format.assembler(context.layout);
        let has_begun = file.written() > 0;
        if has_begun {
            assembler.resume(file.written(), &state);
        }
        Ok(Output { file, assembler, has_begun })
    }

    /// Appends what a worker made of a batch.
    pub(crate) fn append(
        &mut self,
        piece: &[u8],
        compressor: &mut Compressor,
    ) -> Result<(), RunError> {
        self.begin(compressor)?;
        let written = self.assembler.piece(piece, compressor, &mut self.file);
        self.file.checked(written)
    }

    fn begin(&mut self, compressor: &mut Compressor) -> Result<(), RunError> {
        if std::mem::replace(&mut self.has_begun, true) {
            return Ok(());
        }
        let written = self.assembler.begin(compressor, &mut self.file);
        self.file.checked(written)
    }

    /// State of the assembler for a checkpoint, hexadecimal.
    pub(crate) fn state(&self) -> String {
        HEXLOWER.encode(&self.assembler.state())
    }

    /// Appends what stands after the last piece.
    pub(crate) fn end(&mut self, compressor: &mut Compressor) -> Result<(), RunError> {
        self.begin(compressor)?;
        let written = self.assembler.end(compressor, &mut self.file);
        self.file.checked(written)
    }
}
