//! The output of one input: a file, and the assembler of its format.

use crate::error::RunError;
use crate::write::output_file::OutputFile;
use data_encoding::HEXLOWER;
use huller_row::{Assembler, Compressor, Format};
use std::path::Path;

/// An output being written.
pub(crate) struct Output {
    pub(crate) file: OutputFile,
    assembler: Box<dyn Assembler>,
}

impl Output {
    /// Begins an output, over the remains of an earlier one.
    pub(crate) fn create(path: &Path, format: &dyn Format) -> Result<Output, RunError> {
        let mut output = Output { file: OutputFile::create(path)?, assembler: format.assembler() };
        let mut beginning = Vec::new();
        output.assembler.begin(&mut beginning);
        output.file.append(&beginning)?;
        Ok(output)
    }

    /// Continues an output at a checkpoint. `state` is what [`Output::state`] gave there.
    pub(crate) fn resume(
        file: OutputFile,
        format: &dyn Format,
        state: &str,
    ) -> Result<Output, RunError> {
        let state = HEXLOWER.decode(state.as_bytes()).map_err(|error| RunError::CannotResume {
            reason: format!("the state of an output in the checkpoint cannot be read: {error}"),
        })?;
        let mut assembler = format.assembler();
        assembler.resume(file.written(), &state);
        Ok(Output { file, assembler })
    }

    /// Appends what a worker made of a batch.
    pub(crate) fn append(&mut self, piece: &[u8]) -> Result<(), RunError> {
        self.file.append(self.assembler.piece(piece))
    }

    /// State of the assembler for a checkpoint, hexadecimal.
    pub(crate) fn state(&self) -> String {
        HEXLOWER.encode(&self.assembler.state())
    }

    /// Appends what stands after the last piece.
    pub(crate) fn end(&mut self, compressor: &mut Compressor) -> Result<(), RunError> {
        let mut end = Vec::new();
        self.assembler.end(compressor, &mut end);
        self.file.append(&end)
    }
}
