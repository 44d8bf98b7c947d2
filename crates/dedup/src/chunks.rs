//! A file of lines, in chunks of whole lines.
//!
//! Where chunks end is a function of the bytes alone, so outputs do not depend on threads. Memory is bounded: a line that is longer than the
//! cap is skipped, and reported.

use crate::chunk::CHUNK;
pub(crate) use crate::chunk::Chunk;
use crate::tables::{TableChunks, is_table};
use huller_row::Compression;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Reads a file chunk by chunk.
pub(crate) enum Chunks {
    Lines(LineChunks),
    Table(Box<TableChunks>),
}

impl Chunks {
    /// Opens a file, which is read as its name says: as a table, or as lines, decompressed.
    pub(crate) fn open(path: &Path, most: usize) -> io::Result<Chunks> {
        if path.file_name().is_some_and(|name| is_table(&name.to_string_lossy())) {
            return TableChunks::open(path, most).map(|table| Chunks::Table(Box::new(table)));
        }
        LineChunks::open(path, most).map(Chunks::Lines)
    }

    /// The next chunk. `None` at the end of the file.
    pub(crate) fn next(&mut self) -> io::Result<Option<Chunk>> {
        match self {
            Chunks::Lines(lines) => lines.next(),
            Chunks::Table(table) => table.next(),
        }
    }
}

/// Reads a file of lines.
pub(crate) struct LineChunks {
    reader: Box<dyn BufRead + Send>,
    /// Longest line.
    most: usize,
    /// The beginning of a line.
    carried: Vec<u8>,
    at: u64,
}

impl LineChunks {
    /// Opens a file, which is decompressed by its name.
    fn open(path: &Path, most: usize) -> io::Result<LineChunks> {
        let file = BufReader::with_capacity(1 << 17, File::open(path)?);
        let reader: Box<dyn BufRead + Send> = match Compression::of_path(path) {
            Compression::None => Box::new(file),
            compressed => compressed.own_reader(file)?,
        };
        Ok(LineChunks { reader, most, carried: Vec::new(), at: 0 })
    }

    fn next(&mut self) -> io::Result<Option<Chunk>> {
        let mut bytes = std::mem::take(&mut self.carried);
        let (mut searched, mut wanted) = (0, CHUNK);
        let start = self.at;
        loop {
            // One more than a line may have, to see that it is longer.
            let now = wanted.min(self.most + 1).max(bytes.len());
            let missing = (now - bytes.len()) as u64;
            self.reader.by_ref().take(missing).read_to_end(&mut bytes)?;
            let is_end = bytes.len() < now;
            if let Some(last) = memchr::memrchr(b'\n', &bytes[searched..]) {
                self.carried = bytes.split_off(searched + last + 1);
                break;
            }
            if is_end {
                break;
            }
            if bytes.len() > self.most {
                return self.skip(start, bytes.len()).map(Some);
            }
            searched = bytes.len();
            wanted = wanted.max(searched) + CHUNK;
        }
        let length = bytes.len() as u64;
        self.at += length;
        Ok((length > 0).then_some(Chunk { start, bytes, length, ..Chunk::default() }))
    }

    /// Skips the rest of a line of which so many bytes have been read.
    fn skip(&mut self, start: u64, read: usize) -> io::Result<Chunk> {
        let length = read as u64 + self.reader.skip_until(b'\n')? as u64;
        self.at += length;
        Ok(Chunk { start, length, ..Chunk::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn chunks(content: &[u8], most: usize) -> Vec<Chunk> {
        let mut file = tempfile::NamedTempFile::with_suffix(".jsonl").unwrap();
        file.write_all(content).unwrap();
        let mut chunks = Chunks::open(file.path(), most).unwrap();
        std::iter::from_fn(|| chunks.next().unwrap()).collect()
    }

    #[test]
    fn lines_come_with_their_offsets_and_blank_ones_do_not() {
        let found = chunks(b"{1}\n\n  \r\n{22}\r\n{3}", 100);
        assert_eq!(found.len(), 2);
        let lines: Vec<_> = found.iter().flat_map(Chunk::lines).collect();
        assert_eq!(lines, [(0, &b"{1}"[..]), (9, b"{22}\r"), (15, b"{3}")]);
        assert!(chunks(b"", 100).is_empty());
    }

    #[test]
    fn chunks_are_whole_lines_and_long_lines_are_skipped() {
        let line = |length: usize| [vec![b'x'; length], b"\n".to_vec()].concat();
        let most = CHUNK * 2;
        let lengths = [CHUNK, 10, CHUNK / 2, most - 1, most, most + 1, 3 * most, 5, CHUNK * 3 / 2];
        let content: Vec<u8> = lengths.iter().flat_map(|length| line(*length)).collect();
        let found = chunks(&content, most);
        let lines: Vec<_> =
            found.iter().flat_map(Chunk::lines).map(|(at, line)| (at, line.len())).collect();
        let mut at = 0;
        let mut expected = Vec::new();
        for length in lengths {
            // The end of a line counts as a part of it.
            if length < most + 1 {
                expected.push((at, length));
            }
            at += length as u64 + 1;
        }
        assert_eq!(lines, expected);
        assert_eq!(found.iter().flat_map(Chunk::faults).count(), 2);
        assert_eq!(found.iter().map(|chunk| chunk.length).sum::<u64>(), content.len() as u64);
        assert!(found.iter().all(|chunk| chunk.bytes.len() <= most + 1));
    }
}
