//! Writes one WARC file of records, which commands choose one by one.

use crate::compress::Compressor;
use crate::format::{Assembler, BatchEncoder, Format};
use crate::layout::Layout;
use crate::row::Row;
use crate::warc::Warc;
use std::io::{self, Write};

/// Bytes of records after which they are to be written.
const FLUSH_BYTES: usize = 1 << 20;

/// A WARC file of the records of rows. It holds about a mebibyte of records, or one record.
pub struct WarcWriter {
    assembler: Box<dyn Assembler>,
    encoder: Box<dyn BatchEncoder>,
    compressor: Compressor,
    /// Bytes of the records that are not yet written.
    pending: usize,
}

impl WarcWriter {
    /// Returns the format WARC.
    pub fn format() -> &'static dyn Format {
        &Warc
    }

    /// Begins a file. The layout gives its compression and its first record.
    pub fn new(layout: &Layout) -> WarcWriter {
        let format = WarcWriter::format();
        WarcWriter {
            assembler: format.assembler(layout),
            encoder: format.encoder(layout),
            compressor: Compressor::new(layout.compression),
            pending: 0,
        }
    }

    /// Adds the record of a row.
    pub fn add(&mut self, row: &Row<'_>) {
        self.encoder.row(row);
        let bytes = row.record.map(|kept| kept.block.len().max(kept.member.map_or(0, <[u8]>::len)));
        self.pending += bytes.unwrap_or_default();
    }

    /// Returns whether so many records were added that they are to be written.
    pub fn is_full(&self) -> bool {
        self.pending > FLUSH_BYTES
    }

    /// Returns whether there are no records to write.
    pub fn is_empty(&self) -> bool {
        self.encoder.mark() == 0
    }

    /// Writes the records that were added.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.pending = 0;
        let mut piece = Vec::new();
        self.encoder.finish(&mut self.compressor, &mut piece);
        self.assembler.write_piece(&piece, &mut self.compressor, out)
    }

    /// Ends the file, after all records were written.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn end(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.assembler.end(&mut self.compressor, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compress::Compression;

    #[test]
    fn a_file_without_records_has_its_first_record() {
        let layout = Layout { compression: Compression::None, ..Layout::default() };
        let mut file = WarcWriter::new(&layout);
        assert!(file.is_empty() && !file.is_full());
        let mut bytes = Vec::new();
        file.end(&mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let is_info = text.starts_with("WARC/1.0\r\nWARC-Type: warcinfo\r\n");
        assert!(is_info && text.contains("software: huller"), "{text}");
    }
}
