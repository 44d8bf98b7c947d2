//! Writes rows in any format: pieces of the rows of a chunk by workers, and a file of the pieces.
//!
//! Lines become rows as `huller refine` makes them: fields of the table, and `source` with all
//! other members. So files have the same columns whatever the rows have.

use crate::error::DedupError;
use crate::matched_lines::ParsedRow;
use crate::settings::RowsFormat;
use huller_corpus::{RowKeys, generate_id};
use huller_row::{Assembler, Compressor, Row, RowSource, parse_row};
use huller_run::output_file::OutputFile;

/// The rows of a chunk as one piece of a file.
#[derive(Default)]
pub(crate) struct RowsPiece {
    /// The marks of the encoder before each row. Some formats have the places of rows by them.
    pub(crate) marks: Vec<u64>,
    /// The mark after the last row.
    pub(crate) end: u64,
    pub(crate) bytes: Vec<u8>,
}

impl RowsPiece {
    /// Encodes lines, each of which is a row. `places` are those of the rows in the input, which
    /// identify rows without an identifier.
    ///
    /// # Panics
    ///
    /// If a line is not a row, which would be a bug: the caller has read or written each of them.
    pub(crate) fn new(
        format: &RowsFormat,
        (input, keys): (&str, &RowKeys),
        (lines, places): (&[u8], &[u64]),
        compressor: &mut Compressor,
    ) -> RowsPiece {
        let mut encoder = format.format.encoder(&format.layout);
        let (mut piece, mut buffer) = (RowsPiece::default(), String::new());
        let needs_only_line = encoder.needs_only_line();
        let lines = lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        for (line, place) in lines.zip(places) {
            piece.marks.push(encoder.mark() as u64);
            let json = str::from_utf8(line).expect("a row that was read");
            if needs_only_line {
                encoder.existing_row(json, &Row::default());
                continue;
            }
            let Ok(parsed) = ParsedRow::parse(line, keys) else {
                unreachable!("a row that was read")
            };
            let (text, url) = (Some(parsed.text_at), parsed.url.as_deref());
            let frame_id = parsed.row.frame_id();
            let made_id = generate_id(input, *place, &mut buffer);
            let id = frame_id.as_deref().unwrap_or(made_id);
            let given = RowSource { text, url, id, frame: parsed.row.frame() };
            parse_row(parsed.row.members(), given, |row| encoder.existing_row(json, row));
        }
        piece.end = encoder.mark() as u64;
        encoder.finish(compressor, &mut piece.bytes);
        piece
    }
}

/// A file that is made of pieces.
pub(crate) struct RowsFile {
    assembler: Box<dyn Assembler>,
    compressor: Compressor,
    bytes: Vec<u8>,
}

impl RowsFile {
    /// Begins a file.
    pub(crate) fn begin(format: &RowsFormat, out: &mut OutputFile) -> Result<RowsFile, DedupError> {
        let mut file = RowsFile {
            assembler: format.format.assembler(&format.layout),
            compressor: Compressor::new(format.layout.compression),
            bytes: Vec::new(),
        };
        let begun = file.assembler.begin(&mut file.compressor, &mut file.bytes);
        begun.expect("writing to memory cannot fail");
        file.write(out)?;
        Ok(file)
    }

    /// Adds a piece.
    pub(crate) fn add_piece(
        &mut self,
        piece: &[u8],
        out: &mut OutputFile,
    ) -> Result<(), DedupError> {
        let added = self.assembler.write_piece(piece, &mut self.compressor, &mut self.bytes);
        added.expect("writing to memory cannot fail");
        self.write(out)
    }

    /// Ends the file.
    pub(crate) fn end(&mut self, out: &mut OutputFile) -> Result<(), DedupError> {
        let ended = self.assembler.end(&mut self.compressor, &mut self.bytes);
        ended.expect("writing to memory cannot fail");
        self.write(out)
    }

    fn write(&mut self, out: &mut OutputFile) -> Result<(), DedupError> {
        out.append(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }
}
