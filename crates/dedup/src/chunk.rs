//! Some lines of a file, with their places.

use crate::row_line::Fault;

/// Bytes of a chunk, unless a line is longer.
pub(crate) const CHUNK: usize = 4 << 20;

/// Some lines of a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Chunk {
    /// Offset of the first line in the uncompressed file.
    pub(crate) start: u64,
    /// The lines. Empty if the chunk stands for a line that is too long.
    pub(crate) bytes: Vec<u8>,
    /// Bytes of the file that the chunk stands for.
    pub(crate) length: u64,
    /// The places of the lines, where they are not those of their bytes: in a table.
    pub(crate) places: Vec<u64>,
    /// What could not be read of a table.
    pub(crate) table_faults: Vec<Fault>,
}

impl Chunk {
    /// What could not be read: rows of a table, or a line that is too long.
    pub(crate) fn faults(&self) -> impl Iterator<Item = Fault> {
        let is_too_large = self.bytes.is_empty() && self.table_faults.is_empty();
        self.table_faults.iter().copied().chain(is_too_large.then_some(Fault::TooLarge))
    }

    /// Offset after the chunk.
    pub(crate) fn end(&self) -> u64 {
        self.start + self.length
    }

    /// The lines that are not blank, each with its offset and without its end.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let (mut at, mut places) = (self.start, self.places.iter().copied());
        self.bytes.split_inclusive(|byte| *byte == b'\n').filter_map(move |line| {
            let start = places.next().unwrap_or(at);
            at += line.len() as u64;
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            (!line.trim_ascii().is_empty()).then_some((start, line))
        })
    }
}
