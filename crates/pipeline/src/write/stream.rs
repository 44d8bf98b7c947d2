//! Writes rows to standard output: one file of the format from all inputs.

use crate::work::context::Context;
use huller_row::{Assembler, Compressor};
use huller_run::error::RunError;
use std::io::{self, Stdout, Write};

/// Standard output, and the assembler that makes a file of the pieces.
pub(crate) struct Stream {
    stdout: Stdout,
    assembler: Box<dyn Assembler>,
    /// Whether something was written. A run without rows writes nothing.
    has_begun: bool,
}

impl Stream {
    pub(crate) fn new(context: &Context<'_>) -> Stream {
        let assembler = context.format.assembler(context.layout);
        Stream { stdout: io::stdout(), assembler, has_begun: false }
    }

    /// Writes a worker's result for a batch.
    pub(crate) fn append(
        &mut self,
        piece: &[u8],
        compressor: &mut Compressor,
    ) -> Result<(), RunError> {
        if piece.is_empty() {
            return Ok(());
        }
        let mut out = self.stdout.lock();
        let begun =
            if self.has_begun { Ok(()) } else { self.assembler.begin(compressor, &mut out) };
        self.has_begun = true;
        begun
            .and_then(|()| self.assembler.write_piece(piece, compressor, &mut out))
            .and_then(|()| out.flush())
            .map_err(RunError::Stdout)
    }

    /// Writes the end of the format.
    pub(crate) fn end(mut self, compressor: &mut Compressor) -> Result<(), RunError> {
        if !self.has_begun {
            return Ok(());
        }
        let mut out = self.stdout.lock();
        let ended = self.assembler.end(compressor, &mut out);
        ended.and_then(|()| out.flush()).map_err(RunError::Stdout)
    }
}
