//! Holds rows of a file that are read together, with their places.

use crate::chunk_end::CHUNK;
use crate::fault::RowFault;

/// Consecutive rows of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowChunk {
    /// Place at which the chunk begins in the file.
    start: u64,
    /// Place at which the next chunk begins.
    end: u64,
    /// Place at which the last row ends in the file.
    last_row_end: u64,
    /// The rows, one after another.
    bytes: Vec<u8>,
    /// The offset of each row in the file, and its end in `bytes`.
    rows: Vec<(u64, usize)>,
    /// The parts of the file without a row, each with its offset in the file.
    faults: Vec<(u64, RowFault)>,
}

impl RowChunk {
    /// Makes an empty chunk with capacity for `bytes` and `rows`.
    pub(crate) fn starting_at(start: u64, (bytes, rows): (usize, usize)) -> RowChunk {
        let (bytes, rows) = (Vec::with_capacity(bytes), Vec::with_capacity(rows));
        RowChunk { start, end: start, last_row_end: start, bytes, rows, ..RowChunk::default() }
    }

    /// Returns the capacity that another chunk like this one needs. A buffer that grew in steps
    /// would leave holes in the memory.
    pub(crate) fn room(&self) -> (usize, usize) {
        (self.bytes.len() + self.bytes.len() / 64, self.rows.len() + self.rows.len() / 16)
    }

    /// Adds the row at a place, with or without a CR at its end. `end` is where the next row may
    /// begin.
    pub(crate) fn push(&mut self, position: u64, row: &[u8], has_cr: bool, end: u64) {
        let needed = self.bytes.len() + row.len() + 1;
        if needed > self.bytes.capacity() {
            // Most chunks are full, so a buffer of twice the size would be half empty.
            let room = needed.max((2 * self.bytes.len()).min(CHUNK as usize));
            self.bytes.reserve_exact(room - self.bytes.len());
        }
        self.bytes.extend_from_slice(row);
        if has_cr {
            self.bytes.push(b'\r');
        }
        self.rows.push((position, self.bytes.len()));
        (self.end, self.last_row_end) = (end, end);
    }

    /// Adds a fault. Without a known place it gets the present end of the chunk.
    pub(crate) fn push_fault(&mut self, fault: RowFault, position: Option<u64>) {
        let position = position.unwrap_or(self.end);
        self.faults.push((position, fault));
        self.end = self.end.max(position + 1);
    }

    /// Returns the chunk with its end at the place where the next chunk begins.
    pub(crate) fn followed_at(mut self, end: u64) -> RowChunk {
        self.end = end;
        self
    }

    pub(crate) fn last_row_end(&self) -> u64 {
        self.last_row_end
    }

    pub(crate) fn has_rows(&self) -> bool {
        !self.rows.is_empty()
    }

    /// Returns whether it has neither rows nor faults.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.faults.is_empty()
    }

    /// Returns the rows, each with its place: an offset in the uncompressed file or, in a Parquet
    /// file, the number of the row. Rows do not include line feeds. They do include a CR before the
    /// line feed, as a blank after the object, so that rows can be written with the same bytes.
    pub fn rows(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let mut start = 0;
        self.rows.iter().map(move |(position, end)| {
            let row = &self.bytes[start..*end];
            start = *end;
            (*position, row)
        })
    }

    /// Returns the parts of the file without a row, each with its place.
    pub fn faults(&self) -> &[(u64, RowFault)] {
        &self.faults
    }

    /// Returns the place after the last row. All rows of later chunks come at or after it.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Returns the bytes of the rows in the file, or of a table as JSON.
    pub fn row_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the bytes that the chunk takes in memory; details of faults are not counted.
    pub fn memory(&self) -> usize {
        self.bytes.capacity()
            + self.rows.capacity() * size_of::<(u64, usize)>()
            + self.faults.capacity() * size_of::<(u64, RowFault)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_refine::Reason;

    #[test]
    fn rows_come_with_their_places() {
        let mut chunk = RowChunk::starting_at(4, (0, 0));
        assert!(chunk.is_empty());
        chunk.push(4, b"{}", false, 7);
        chunk.push_fault(Reason::Hole.into(), Some(8));
        chunk.push_fault(Reason::Hole.into(), None);
        chunk.push(10, b"{1}", true, 15);
        assert_eq!(chunk.rows().collect::<Vec<_>>(), [(4, &b"{}"[..]), (10, b"{1}\r")]);
        let places: Vec<_> = chunk.faults().iter().map(|(place, _)| *place).collect();
        assert_eq!((chunk.end(), places, chunk.row_bytes()), (15, vec![8, 9], 6));
        assert_eq!(chunk.followed_at(20).end(), 20);
    }
}
