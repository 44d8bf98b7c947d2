//! Writes rows as Parquet: pieces of the lines of a chunk by workers, and a file of the pieces.
//!
//! Files have the same columns as those of `huller extract --format parquet`, so rows must have
//! only fields of the table.

use crate::corpus::CorpusFile;
use crate::error::DedupError;
use crate::file_pass::open;
use huller_corpus::CorpusRow;
use huller_row::{Assembler, Compressor, Extras, Format, Layout, extras_of, formats, with_row};
use huller_run::output_file::OutputFile;

/// Returns the columns of the output of each input, by its first row.
///
/// # Errors
///
/// A first row has a field that the table lacks. A file that cannot be read is reported later, when
/// it is read as a whole.
pub(crate) fn layouts(files: &[CorpusFile], most_line: usize) -> Result<Vec<Layout>, DedupError> {
    files.iter().map(|file| layout(file, most_line)).collect()
}

fn layout(file: &CorpusFile, most_line: usize) -> Result<Layout, DedupError> {
    let Ok(mut reader) = open(file, most_line) else { return Ok(Layout::default()) };
    while let Ok(Some(chunk)) = reader.next_chunk() {
        for (_, line) in chunk.rows() {
            let Ok(row) = CorpusRow::parse(line) else { continue };
            let extras = extras_of(row.members());
            with_row(row.members(), extras, |_| ())
                .map_err(|problem| read_error(file, &problem))?;
            return Ok(layout_with(extras));
        }
    }
    Ok(Layout::default())
}

fn layout_with(extras: Extras) -> Layout {
    Layout { extras, configuration: "{}".to_owned(), ..Layout::default() }
}

fn read_error(file: &CorpusFile, problem: &str) -> DedupError {
    DedupError::Usage(format!(
        "--format parquet has only the fields of docs/rows.md, but in '{}' {problem}: leave the \
         option out to write JSON lines",
        file.path.display()
    ))
}

fn format() -> &'static dyn Format {
    formats::find("parquet").expect("it is among the formats")
}

/// Appends lines, each of which is a row, as one piece of a file. Returns the number of rows.
pub(crate) fn push_piece(
    file: &CorpusFile,
    layout: &Layout,
    lines: &[u8],
    compressor: &mut Compressor,
    piece: &mut Vec<u8>,
) -> Result<u64, DedupError> {
    let mut encoder = format().encoder(layout);
    let mut rows = 0;
    for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let row = CorpusRow::parse(line)
            .map_err(|fault| read_error(file, &format!("a row is not JSON ({})", fault.detail)))?;
        with_row(row.members(), layout.extras, |row| encoder.row(row))
            .map_err(|problem| read_error(file, &problem))?;
        rows += 1;
    }
    encoder.finish(compressor, piece);
    Ok(rows)
}

/// A Parquet file that is made of pieces.
pub(crate) struct ParquetFile {
    assembler: Box<dyn Assembler>,
    compressor: Compressor,
    bytes: Vec<u8>,
}

impl ParquetFile {
    /// Begins a file.
    pub(crate) fn begin(layout: &Layout, out: &mut OutputFile) -> Result<ParquetFile, DedupError> {
        let mut file = ParquetFile {
            assembler: format().assembler(layout),
            compressor: Compressor::new(layout.compression),
            bytes: Vec::new(),
        };
        let begun = file.assembler.begin(&mut file.compressor, &mut file.bytes);
        begun.expect("writing to memory cannot fail");
        file.write(out)?;
        Ok(file)
    }

    /// Adds a piece.
    pub(crate) fn piece(&mut self, piece: &[u8], out: &mut OutputFile) -> Result<(), DedupError> {
        let added = self.assembler.piece(piece, &mut self.compressor, &mut self.bytes);
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
