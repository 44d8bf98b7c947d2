//! Plain text: the text of each page, and a line after it that separates it from the next.
//!
//! Texts have no empty lines, so an empty line is the default separator. A line of a text that
//! equals the separator gets a space at its end, so that the pages of a file can always be
//! separated.

use crate::compress::{Compression, Compressor};
use crate::format::{
    Assembler, BatchEncoder, CopiedRows, Format, InspectedFile, Inspection, RowChoice,
};
use crate::frames::{Frames, clear_and_shrink};
use crate::layout::Layout;
use crate::plain_lines::each_line;
use crate::row::{Row, RowSink};
use crate::row_copy::{RowCutter, copy_line, copy_rows, invalid};
use std::io::{self, BufRead, Write};

/// The plain text format.
pub(crate) struct TextFormat;

impl Format for TextFormat {
    fn name(&self) -> &'static str {
        "text"
    }

    fn suffix(&self, compression: Compression) -> &'static str {
        match compression {
            Compression::Zstd { .. } => ".txt.zst",
            Compression::Gzip { .. } => ".txt.gz",
            Compression::None => ".txt",
        }
    }

    fn has_fields(&self) -> bool {
        false
    }

    fn encoder(&self, layout: &Layout) -> Box<dyn BatchEncoder> {
        Box::new(Pages { separator: layout.separator.clone(), lines: Vec::new() })
    }

    fn assembler(&self, _: &Layout) -> Box<dyn Assembler> {
        Box::<Frames>::default()
    }

    fn inspect(
        &self,
        layout: &Layout,
        file: &mut dyn InspectedFile,
        _: &mut dyn FnMut(&str),
    ) -> Inspection {
        let mut found = Inspection::default();
        let separator = layout.separator.as_bytes();
        let mut is_at_end = true;
        let read = layout.compression.reader(file.as_reader()).and_then(|mut plain| {
            each_line(&mut *plain, &mut |line| {
                is_at_end = line == Some(separator);
                found.rows += u64::from(is_at_end);
                if line.is_some_and(|line| std::str::from_utf8(line).is_err()) {
                    found.fault(found.rows + 1, "it is not UTF-8");
                }
            })
        });
        match read {
            Ok(is_whole) if !is_whole || !is_at_end => found.fault(
                found.rows + 1,
                "it has no \
                line end",
            ),
            Ok(_) => {}
            Err(error) => found.error = Some(error),
        }
        found
    }

    fn copy_rows(
        &self,
        layout: &Layout,
        file: &mut dyn InspectedFile,
        choice: &mut RowChoice<'_>,
        out: &mut dyn Write,
    ) -> io::Result<CopiedRows> {
        let cutter = &mut PageCutter { end: format!("{}\n", layout.separator).into_bytes() };
        copy_rows(cutter, layout.compression, file.as_reader(), choice, out)
    }
}

/// Cuts pages after their separators.
struct PageCutter {
    end: Vec<u8>,
}

impl RowCutter for PageCutter {
    fn row(&mut self, file: &mut dyn BufRead, row: &mut Vec<u8>) -> io::Result<()> {
        loop {
            let start = row.len();
            if !copy_line(file, row)? {
                let is_cut = start > 0;
                return if is_cut {
                    Err(invalid("the last page has no separator"))
                } else {
                    Ok(())
                };
            }
            if row[start..] == self.end {
                return Ok(());
            }
        }
    }
}

/// The texts of a batch.
struct Pages {
    separator: String,
    lines: Vec<u8>,
}

impl RowSink for Pages {
    fn row(&mut self, row: &Row<'_>) {
        for line in row.text.lines() {
            self.lines.extend_from_slice(line.as_bytes());
            if line == self.separator {
                self.lines.push(b' ');
            }
            self.lines.push(b'\n');
        }
        self.lines.extend_from_slice(self.separator.as_bytes());
        self.lines.push(b'\n');
    }

    fn mark(&self) -> usize {
        self.lines.len()
    }

    fn cut(&mut self, mark: usize) {
        self.lines.truncate(mark);
    }
}

impl BatchEncoder for Pages {
    fn finish(&mut self, compressor: &mut Compressor, piece: &mut Vec<u8>) {
        compressor.frame(&self.lines, piece);
        self.clear();
    }

    fn clear(&mut self) {
        clear_and_shrink(&mut self.lines);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{file_of, full_layout, inspect, row};

    #[test]
    fn pages_are_told_apart_by_the_separator() {
        for separator in ["", "%", "-- page --"] {
            let separator = separator.to_owned();
            let layout = Layout { separator, ..full_layout(Compression::DEFAULT_ZSTD) };
            let file = file_of(&TextFormat, &layout, &[2, 0, 1]);
            let (found, _) = inspect(&TextFormat, &layout, &file);
            assert_eq!((found.rows, found.faults), (3, 0), "{found:?}");
            let plain = zstd::decode_all(file.as_slice()).unwrap();
            let page = format!("one\ntwo\t\"three\"\n{}\n", layout.separator);
            assert_eq!(String::from_utf8(plain).unwrap(), page.repeat(3));
        }
    }

    #[test]
    fn lines_of_a_text_are_no_separators() {
        let layout = full_layout(Compression::None);
        let layout = Layout { separator: "%".to_owned(), ..layout };
        let mut pages = TextFormat.encoder(&layout);
        row(false, &[], &[], |row| {
            pages.row(&Row { text: "a\n%\nb", ..*row });
            pages.row(&Row { text: "", ..*row });
        });
        let mut piece = Vec::new();
        pages.finish(&mut Compressor::new(Compression::None), &mut piece);
        assert_eq!(piece, b"a\n% \nb\n%\n%\n");
        assert_eq!(inspect(&TextFormat, &layout, &piece).0.rows, 2);
        for broken in ["a\n", "%", "a\n%\nb"] {
            assert_eq!(inspect(&TextFormat, &layout, broken.as_bytes()).0.faults, 1, "{broken}");
        }
    }
}
