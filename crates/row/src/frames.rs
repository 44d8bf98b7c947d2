//! Files that consist of frames, one after another.

use crate::compress::Compressor;
use crate::format::Assembler;
use std::io::{self, Write};

/// A file of frames. Each can be decompressed alone.
#[derive(Default)]
pub(crate) struct Frames {
    /// The contents of the first frame, before all rows.
    header: Vec<u8>,
    /// Whether the file has a frame.
    has_frame: bool,
}

impl Frames {
    /// Creates a file that begins with a frame that holds `header`.
    pub(crate) fn with_header(header: Vec<u8>) -> Frames {
        Frames { header, has_frame: false }
    }
}

impl Assembler for Frames {
    fn begin(&mut self, compressor: &mut Compressor, out: &mut dyn Write) -> io::Result<()> {
        let mut frame = Vec::new();
        compressor.frame(&self.header, &mut frame);
        self.has_frame = !frame.is_empty();
        out.write_all(&frame)
    }

    fn resume(&mut self, length: u64, _: &[u8]) {
        self.has_frame = length > 0;
    }

    fn write_piece(
        &mut self,
        piece: &[u8],
        _: &mut Compressor,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.has_frame |= !piece.is_empty();
        out.write_all(piece)
    }

    fn state(&self) -> Vec<u8> {
        Vec::new()
    }

    /// An empty file is neither a zstd file nor a gzip file, so a file without rows gets an empty
    /// frame.
    fn end(&mut self, compressor: &mut Compressor, out: &mut dyn Write) -> io::Result<()> {
        if self.has_frame {
            return Ok(());
        }
        let mut frame = Vec::new();
        compressor.empty_frame(&mut frame);
        out.write_all(&frame)
    }
}

/// Bytes of memory that an encoder keeps from batch to batch. It releases the rest after a batch
/// that filled less than a quarter of it.
const MAX_KEPT_BYTES: usize = 1 << 20;

/// Empties a buffer of rows, and shrinks it if the rows filled less than a quarter of it.
pub(crate) fn clear_and_shrink(rows: &mut Vec<u8>) {
    let needed = rows.len();
    rows.clear();
    if needed < rows.capacity() / 4 {
        rows.shrink_to(MAX_KEPT_BYTES);
    }
}
