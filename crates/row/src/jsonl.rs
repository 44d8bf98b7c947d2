//! JSON Lines: one object a line, in frames that can each be decompressed alone.

use crate::compress::{Compression, Compressor};
use crate::format::{Assembler, BatchEncoder, Format, Inspection};
use crate::line::push_row;
use crate::row::{Row, RowSink};
use memchr::memchr;
use serde::Deserialize;
use std::borrow::Cow;
use std::io::{self, BufRead};

/// The format.
pub(crate) struct Jsonl;

impl Format for Jsonl {
    fn name(&self) -> &'static str {
        "jsonl"
    }

    fn suffix(&self, compression: Compression) -> &'static str {
        match compression {
            Compression::Zstd { .. } => ".jsonl.zst",
            Compression::Gzip { .. } => ".jsonl.gz",
            Compression::None => ".jsonl",
        }
    }

    fn encoder(&self) -> Box<dyn BatchEncoder> {
        Box::<Lines>::default()
    }

    fn assembler(&self) -> Box<dyn Assembler> {
        Box::<Frames>::default()
    }

    fn inspect(
        &self,
        compression: Compression,
        file: &mut dyn BufRead,
        id: &mut dyn FnMut(&str),
    ) -> Inspection {
        let mut inspector = Inspector { found: Inspection::default(), id };
        let read = compression.reader(file).and_then(|mut plain| inspector.read(&mut plain));
        Inspection { error: read.err(), ..inspector.found }
    }
}

/// The rows of a batch, as lines.
#[derive(Default)]
struct Lines(Vec<u8>);

/// An encoder keeps memory for so many bytes of rows from batch to batch. It returns what it has beyond that after a batch that
/// filled less than a quarter of its memory.
const KEPT: usize = 1 << 20;

impl RowSink for Lines {
    fn row(&mut self, row: &Row<'_>) {
        push_row(row, &mut self.0);
    }

    fn line(&mut self, json: &str) {
        self.0.extend_from_slice(json.as_bytes());
        self.0.push(b'\n');
    }

    fn mark(&self) -> usize {
        self.0.len()
    }

    fn cut(&mut self, mark: usize) {
        self.0.truncate(mark);
    }
}

impl BatchEncoder for Lines {
    fn finish(&mut self, compressor: &mut Compressor, piece: &mut Vec<u8>) {
        compressor.frame(&self.0, piece);
        self.clear();
    }

    fn clear(&mut self) {
        let needed = self.0.len();
        self.0.clear();
        if needed < self.0.capacity() / 4 {
            self.0.shrink_to(KEPT);
        }
    }
}

/// A file of frames.
#[derive(Default)]
struct Frames {
    /// Whether the file has a frame.
    has_frame: bool,
}

impl Assembler for Frames {
    fn begin(&mut self, _: &mut Vec<u8>) {}

    fn resume(&mut self, length: u64, _: &[u8]) {
        self.has_frame = length > 0;
    }

    fn piece<'p>(&mut self, piece: &'p [u8]) -> &'p [u8] {
        self.has_frame |= !piece.is_empty();
        piece
    }

    fn state(&self) -> Vec<u8> {
        Vec::new()
    }

    /// A file of no bytes is neither a zstd file nor a gzip file, so a file without rows gets an empty frame.
    fn end(&mut self, compressor: &mut Compressor, out: &mut Vec<u8>) {
        if !self.has_frame {
            compressor.empty_frame(out);
        }
    }
}

/// Longer rows are counted and not parsed, so that a file cannot make a reader hold more than this many bytes.
const LONGEST_ROW: usize = 64 << 20;

/// Reads lines and counts the sound and the faulty ones.
struct Inspector<'a> {
    found: Inspection,
    id: &'a mut dyn FnMut(&str),
}

/// What every row must have. The rest of the row only has to be JSON.
#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    text: &'a serde_json::value::RawValue,
}

impl Inspector<'_> {
    fn read(&mut self, plain: &mut dyn BufRead) -> io::Result<()> {
        let mut row = Vec::new();
        let mut is_overlong = false;
        loop {
            let bytes = match plain.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if bytes.is_empty() {
                break;
            }
            let end = memchr(b'\n', bytes);
            let taken = end.map_or(bytes.len(), |end| end + 1);
            is_overlong |= row.len() + taken > LONGEST_ROW;
            if is_overlong {
                row = Vec::new();
            } else {
                row.extend_from_slice(&bytes[..end.unwrap_or(taken)]);
            }
            plain.consume(taken);
            if end.is_some() {
                self.found.rows += 1;
                if !is_overlong {
                    self.parse(&row);
                }
                row.clear();
                is_overlong = false;
            }
        }
        if !row.is_empty() || is_overlong {
            self.fault(self.found.rows + 1, "it has no end".to_owned());
        }
        Ok(())
    }

    fn parse(&mut self, row: &[u8]) {
        let head = std::str::from_utf8(row)
            .map_err(|error| error.to_string())
            .and_then(|row| serde_json::from_str::<Head<'_>>(row).map_err(|e| e.to_string()));
        match head {
            Ok(Head { id, text }) if text.get().starts_with('"') => (self.id)(&id),
            Ok(_) => self.fault(self.found.rows, "`text` is no string".to_owned()),
            Err(error) => self.fault(self.found.rows, error),
        }
    }

    fn fault(&mut self, number: u64, what: String) {
        self.found.faults += 1;
        self.found.first_fault.get_or_insert((number, what));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::row;

    const KINDS: [Compression; 3] = Compression::KINDS;

    #[test]
    fn what_is_written_is_what_inspection_finds() {
        for compression in KINDS {
            let mut compressor = Compressor::new(compression);
            let (mut encoder, mut assembler) = (Jsonl.encoder(), Jsonl.assembler());
            let mut file = Vec::new();
            assembler.begin(&mut file);
            for batch in 0..3 {
                for full in [false, true] {
                    let mark = encoder.mark();
                    row(full, &[], &[], |row| encoder.row(row));
                    if batch == 1 {
                        encoder.cut(mark);
                    }
                }
                let mut piece = Vec::new();
                encoder.finish(&mut compressor, &mut piece);
                assert_eq!(piece.is_empty(), batch == 1, "a batch without rows makes no frame");
                file.extend_from_slice(assembler.piece(&piece));
            }
            let length = file.len();
            assembler.end(&mut compressor, &mut file);
            assert_eq!(file.len(), length);
            let mut ids = Vec::new();
            let found =
                Jsonl.inspect(compression, &mut file.as_slice(), &mut |id| ids.push(id.to_owned()));
            assert_eq!((found.rows, found.faults, ids.len()), (4, 0, 4), "{found:?}");
            assert!(found.error.is_none());
        }
    }

    #[test]
    fn rows_of_a_batch_that_is_given_up_are_in_no_piece() {
        let mut compressor = Compressor::new(Compression::None);
        let mut encoder = Jsonl.encoder();
        row(true, &[], &[], |row| encoder.row(row));
        encoder.clear();
        let mut piece = Vec::new();
        encoder.finish(&mut compressor, &mut piece);
        assert!(piece.is_empty());
    }

    #[test]
    fn only_a_file_without_rows_ends_in_an_empty_frame() {
        for compression in KINDS {
            let mut compressor = Compressor::new(compression);
            let mut end = |length: Option<u64>| {
                let mut assembler = Jsonl.assembler();
                let mut out = Vec::new();
                match length {
                    Some(length) => assembler.resume(length, &assembler.state()),
                    None => assembler.begin(&mut out),
                }
                assembler.end(&mut compressor, &mut out);
                out.len()
            };
            assert_eq!(end(None) > 0, compression != Compression::None);
            assert_eq!(end(Some(0)), end(None));
            assert_eq!(end(Some(9)), 0);
        }
    }

    #[test]
    fn faulty_rows_are_counted_and_the_first_is_described() {
        let file =
            b"{\"id\":\"1\",\"text\":\"a\"}\n{\"id\":\"2\"}\n{\"id\":\"3\",\"text\":null}\n\xff\n{";
        let mut ids = Vec::new();
        let found = Jsonl
            .inspect(Compression::None, &mut file.as_slice(), &mut |id| ids.push(id.to_owned()));
        assert_eq!((found.rows, found.faults, ids), (4, 4, vec!["1".to_owned()]));
        let (number, what) = found.first_fault.unwrap();
        assert!(number == 2 && what.contains("missing field `text`"), "{what}");
        let mut cut = Vec::new();
        Compressor::new(Compression::DEFAULT_ZSTD).frame(&file[..], &mut cut);
        let cut = &cut[..cut.len() - 9];
        assert!(Jsonl.inspect(Compression::DEFAULT_ZSTD, &mut &*cut, &mut |_| {}).error.is_some());
    }
}
