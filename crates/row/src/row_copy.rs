//! Copies files of a format without some of their rows, byte for byte.
//!
//! Formats that write rows one after another share this code. A [`RowCutter`] finds the end of each
//! row in the uncompressed file, and the kept rows are compressed again.

use crate::compress::{Compression, Compressor};
use crate::format::{CopiedRows, RowChoice};
use std::io::{self, BufRead, Read, Write};

/// Bytes of rows after which a frame ends.
const FRAME: usize = 4 << 20;

/// Most bytes of a row. No run writes longer ones.
const MAX_ROW_BYTES: u64 = 4 << 30;

/// Finds the rows of a file.
pub(crate) trait RowCutter {
    /// Appends the bytes before the first row.
    ///
    /// # Errors
    ///
    /// They cannot be read.
    fn beginning(&mut self, _: &mut dyn BufRead, _: &mut Vec<u8>) -> io::Result<()> {
        Ok(())
    }

    /// Appends the bytes of the next row, all parts of it. Appends nothing at the end of the file.
    ///
    /// # Errors
    ///
    /// They cannot be read, or are no row.
    fn row(&mut self, file: &mut dyn BufRead, row: &mut Vec<u8>) -> io::Result<()>;

    /// Returns the ends of the parts of a row that have frames of their own. Rows of most formats
    /// share frames, and have none.
    fn frames<'a>(&'a self, _row: &[u8]) -> &'a [usize] {
        &[]
    }
}

/// Copies the rows of a file that `choice` keeps.
pub(crate) fn copy_rows(
    cutter: &mut dyn RowCutter,
    compression: Compression,
    file: &mut dyn BufRead,
    choice: &mut RowChoice<'_>,
    out: &mut dyn Write,
) -> io::Result<CopiedRows> {
    let mut compressor = Compressor::new(compression);
    let mut plain = compression.reader(file)?;
    let (mut frame, mut row, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    let (mut number, mut copied) = (0, CopiedRows::default());
    cutter.beginning(&mut *plain, &mut rows)?;
    if !rows.is_empty() {
        compressor.frame(&rows, &mut frame);
        copied.length = rows.len() as u64;
        flush(&mut frame, out)?;
        rows.clear();
    }
    loop {
        row.clear();
        cutter.row(&mut *plain, &mut row)?;
        if row.is_empty() {
            break;
        }
        let is_kept = (choice.keeps)(number);
        number += 1;
        if !is_kept {
            continue;
        }
        (choice.placed)(copied.length);
        copied.rows += 1;
        copied.length += row.len() as u64;
        let mut start = 0;
        for end in cutter.frames(&row) {
            compressor.frame(&row[start..*end], &mut frame);
            start = *end;
        }
        if start > 0 {
            flush(&mut frame, out)?;
            continue;
        }
        rows.extend_from_slice(&row);
        if rows.len() >= FRAME {
            compressor.frame(&rows, &mut frame);
            flush(&mut frame, out)?;
            rows.clear();
        }
    }
    compressor.frame(&rows, &mut frame);
    if copied.length == 0 {
        // Readers take a file without a frame for a cut one.
        compressor.empty_frame(&mut frame);
    }
    flush(&mut frame, out)?;
    Ok(copied)
}

fn flush(frame: &mut Vec<u8>, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(frame)?;
    frame.clear();
    Ok(())
}

/// Appends a line with its end. Returns false at the end of the file.
pub(crate) fn copy_line(file: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    let before = line.len();
    let read = file.take(MAX_ROW_BYTES).read_until(b'\n', line)?;
    if read > 0 && line.last() != Some(&b'\n') {
        return Err(invalid("the last line has no end"));
    }
    Ok(line.len() > before)
}

/// Appends `length` bytes.
pub(crate) fn push_bytes(
    file: &mut dyn BufRead,
    length: u64,
    bytes: &mut Vec<u8>,
) -> io::Result<()> {
    if length > MAX_ROW_BYTES {
        return Err(invalid("a row is longer than any run writes"));
    }
    let read = file.take(length).read_to_end(bytes)?;
    if (read as u64) < length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
}

pub(crate) fn invalid(problem: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;
    use crate::formats::FORMATS;
    use crate::layout::Layout;
    use crate::sample::{file_of, full_layout, inspect};
    use std::io::Cursor;

    fn copy(
        format: &dyn Format,
        layout: &Layout,
        file: &[u8],
        keeps: impl Fn(u64) -> bool,
    ) -> io::Result<(Vec<u8>, CopiedRows, Vec<u64>)> {
        let (mut out, mut places) = (Vec::new(), Vec::new());
        let mut choice =
            RowChoice { keeps: &mut |row| keeps(row), placed: &mut |place| places.push(place) };
        let copied = format.copy_rows(layout, &mut Cursor::new(file), &mut choice, &mut out)?;
        Ok((out, copied, places))
    }

    #[test]
    fn the_chosen_rows_of_every_format_are_copied() {
        for format in FORMATS {
            for compression in format.compressions() {
                let conversions = format.name() == "warc";
                let layout = Layout { conversions, ..full_layout(*compression) };
                let layout = Layout {
                    separator: "%".to_owned(),
                    extractors: layout.extractors.clone(),
                    ..layout
                };
                let file = file_of(*format, &layout, &[3, 0, 4]);
                let (_, ids) = inspect(*format, &layout, &file);
                let name = format.name();
                for keeps in [|_| true, |row| row % 3 != 1, |row| row == 6, |_| false] {
                    let keeps: fn(u64) -> bool = keeps;
                    let (copy, copied, places) = copy(*format, &layout, &file, keeps).unwrap();
                    let (found, kept) = inspect(*format, &layout, &copy);
                    let rows = (0..7).filter(|row| keeps(*row)).count() as u64;
                    assert!(copied.rows == rows && places.len() as u64 == rows, "{name}");
                    if rows > 0 || format.compresses_inside() {
                        assert!(found.error.is_none(), "{name} {found:?}");
                        assert_eq!((found.rows, found.faults), (rows, 0), "{name} {found:?}");
                    }
                    let expected: Vec<_> = (0..)
                        .zip(&ids)
                        .filter(|(row, _)| keeps(*row))
                        .map(|(_, id)| id.clone())
                        .collect();
                    assert_eq!(kept, expected, "{name}");
                    // A copy of all rows of a copy has the same bytes.
                    let (again, ..) = self::copy(*format, &layout, &copy, |_| true).unwrap();
                    assert!(again == copy, "{name}");
                }
            }
        }
    }

    #[test]
    fn rows_of_records_and_columns_are_recognised() {
        for name in ["wet", "warc", "arrow"] {
            let format = crate::formats::find(name).unwrap();
            let layout = full_layout(format.compressions()[0]);
            let file = file_of(format, &layout, &[2, 1]);
            let (mut ids, mut texts) = (Vec::new(), Vec::new());
            let read = format.each_row(&layout, &mut Cursor::new(&*file), &mut |row| {
                ids.push(row.id.unwrap_or_default().to_owned());
                texts.extend(row.text.map(str::to_owned));
            });
            read.unwrap();
            assert_eq!(ids, inspect(format, &layout, &file).1, "{name}");
            let expected = if name == "warc" { 0 } else { 3 };
            assert!(texts.len() == expected && texts.iter().all(|text| text.starts_with("one")));
        }
    }

    #[test]
    fn damaged_files_are_refused() {
        for format in FORMATS {
            let layout = full_layout(format.compressions()[0]);
            let file = file_of(*format, &layout, &[3]);
            for cut in [1, file.len() / 2, file.len() - 1] {
                let copied = copy(*format, &layout, &file[..cut], |_| true);
                assert!(copied.is_err(), "{} {cut}", format.name());
            }
        }
    }
}
