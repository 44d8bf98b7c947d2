//! Files that are nothing but frames, one after another.

use crate::compress::Compressor;
use crate::format::Assembler;
use std::io::{self, Write};

/// A file of frames, which can each be decompressed alone.
#[derive(Default)]
pub(crate) struct Frames {
    /// What stands in the first frame, before all rows.
    header: Vec<u8>,
    /// Whether the file has a frame.
    has_frame: bool,
}

impl Frames {
    /// A file that begins with a frame that holds `header`.
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

    fn piece(&mut self, piece: &[u8], _: &mut Compressor, out: &mut dyn Write) -> io::Result<()> {
        self.has_frame |= !piece.is_empty();
        out.write_all(piece)
    }

    fn state(&self) -> Vec<u8> {
        Vec::new()
    }

    /// A file of no bytes is neither a zstd file nor a gzip file, so a file without rows gets an
    /// empty frame.
    fn end(&mut self, compressor: &mut Compressor, out: &mut dyn Write) -> io::Result<()> {
        if self.has_frame {
            return Ok(());
        }
        let mut frame = Vec::new();
        compressor.empty_frame(&mut frame);
        out.write_all(&frame)
    }
}

/// An encoder keeps memory for so many bytes of rows from batch to batch. It returns what it has
/// beyond that after a batch that filled less than a quarter of its memory.
const KEPT: usize = 1 << 20;

/// Empties a buffer of rows.
pub(crate) fn clear_and_shrink(rows: &mut Vec<u8>) {
    let needed = rows.len();
    rows.clear();
    if needed < rows.capacity() / 4 {
        rows.shrink_to(KEPT);
    }
}
