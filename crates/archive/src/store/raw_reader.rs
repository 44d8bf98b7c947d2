//! Reads the raw bytes of an input in large blocks, and keeps recent bytes so that readers can go
//! back a little.

use super::input_file::InputFile;
use super::prefix_digest::OrderedHasher;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;

/// Size of one read in bytes, unless [`RawReader::with_read_size`] sets another.
const READ_BYTES: usize = 256 << 10;

/// Bytes before the current position that are kept, from a [`RawReader::mark`] on. If a compressed
/// member is damaged, the search for the next one begins one byte after its start. For a longer
/// member it begins this far back. Files have the same limit as pipes, so that both give the same
/// records.
const MAX_KEPT_BYTES: usize = 8 << 20;

enum RawSource {
    File(InputFile),
    Pipe(Box<dyn Read + Send>),
}

impl RawSource {
    /// Reads up to `most` bytes and appends them; fewer mean that the source has ended.
    fn append_to(&mut self, bytes: &mut Vec<u8>, most: u64) -> io::Result<()> {
        match self {
            RawSource::File(file) => file.append_to(bytes, most),
            RawSource::Pipe(pipe) => pipe.take(most).read_to_end(bytes).map(drop),
        }
    }
}

/// A buffered reader of a file or a pipe.
pub(crate) struct RawReader {
    source: RawSource,
    /// Length of the input in bytes, if it is known.
    len: Option<u64>,
    buffer: Vec<u8>,
    /// Index in the buffer of the next byte.
    at: usize,
    /// Index in the buffer of the first byte that [`RawReader::seek_back`] can return to; at most
    /// `at`.
    mark: usize,
    /// Offset in the input of the start of the buffer.
    base: u64,
    ended: bool,
    /// Offset at which reading ends even if the input continues.
    stop: u64,
    /// Offset at which the input ends, if it is a part of a file.
    end: u64,
    /// Size of one read in bytes.
    read_bytes: usize,
    /// The hasher that sees all bytes that are read.
    hasher: Option<OrderedHasher>,
}

impl RawReader {
    /// Opens a file from `offset` on. `len` is the length of the whole file.
    pub(crate) fn file(mut file: InputFile, len: u64, offset: u64) -> io::Result<Self> {
        file.seek(SeekFrom::Start(offset))?;
        Ok(Self::new(RawSource::File(file), Some(len), offset))
    }

    /// Opens a part of a file as if it were the whole. Offsets are those of the file.
    pub(crate) fn open_part(file: InputFile, part: Range<u64>) -> io::Result<Self> {
        Ok(RawReader { end: part.end, ..Self::file(file, part.end, part.start)? })
    }

    /// Wraps any reader that can be read once.
    pub(crate) fn pipe(pipe: Box<dyn Read + Send>) -> Self {
        Self::new(RawSource::Pipe(pipe), None, 0)
    }

    fn new(source: RawSource, len: Option<u64>, base: u64) -> Self {
        RawReader {
            source,
            len,
            buffer: Vec::new(),
            at: 0,
            mark: 0,
            base,
            ended: false,
            stop: u64::MAX,
            end: u64::MAX,
            read_bytes: READ_BYTES,
            hasher: None,
        }
    }

    /// Shows every byte that is read to `hasher`, which has seen all bytes before the present
    /// position.
    pub(crate) fn with_hasher(mut self, hasher: OrderedHasher) -> Self {
        self.hasher = Some(hasher);
        self
    }

    /// Ends reading at offset `stop`.
    pub(crate) fn with_stop(mut self, stop: u64) -> Self {
        self.stop = stop;
        self
    }

    /// Sets the size of one read in bytes.
    pub(crate) fn with_read_size(mut self, bytes: usize) -> Self {
        self.read_bytes = bytes.clamp(1, READ_BYTES);
        self
    }

    /// Returns whether [`RawReader::with_stop`] ended the reading.
    pub(crate) fn is_stopped(&self) -> bool {
        self.ended && self.base + self.buffer.len() as u64 >= self.stop
    }

    /// Returns the offset in the input of the next byte.
    pub(crate) fn offset(&self) -> u64 {
        self.base + self.at as u64
    }

    /// Returns the number of remaining bytes of the input, if its length is known.
    pub(crate) fn remaining(&self) -> Option<u64> {
        self.len.map(|len| len.saturating_sub(self.offset()))
    }

    /// Returns whether the end of the input has been read into the buffer.
    pub(crate) fn is_ended(&self) -> bool {
        self.ended
    }

    /// Returns whether [`seek`](Self::seek) can move in the source.
    pub(crate) fn is_seekable(&self) -> bool {
        matches!(self.source, RawSource::File(_))
    }

    /// Returns the next bytes that have already been read.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer[self.at..]
    }

    /// Returns the next bytes: at least `wanted` of them, unless the input ends before.
    pub(crate) fn fill(&mut self, wanted: usize) -> io::Result<&[u8]> {
        while self.buffer.len() - self.at < wanted && !self.ended {
            self.forget();
            let before = self.buffer.len();
            self.buffer.reserve(self.read_bytes);
            let left = self.stop.min(self.end).saturating_sub(self.base + before as u64);
            let most = left.min(self.read_bytes as u64);
            self.source.append_to(&mut self.buffer, most)?;
            self.ended = self.buffer.len() - before < self.read_bytes;
            if let Some(hasher) = &self.hasher {
                hasher.add_at(self.base + before as u64, &self.buffer[before..]);
            }
        }
        Ok(&self.buffer[self.at..])
    }

    /// Discards bytes before the mark. Amortised: each byte is moved about once.
    fn forget(&mut self) {
        let keep = self.mark.max(self.at.saturating_sub(MAX_KEPT_BYTES));
        if keep > 0 && (keep >= self.buffer.len() / 2 || keep >= MAX_KEPT_BYTES) {
            self.buffer.drain(..keep);
            self.base += keep as u64;
            self.at -= keep;
            self.mark = self.mark.saturating_sub(keep);
        }
    }

    /// Skips `count` bytes that have been read.
    pub(crate) fn consume(&mut self, count: usize) {
        debug_assert!(count <= self.bytes().len(), "only what was read can be passed over");
        self.at += count;
    }

    /// Keeps the bytes from here on, so that [`back_to`](Self::seek_back) can return to them.
    pub(crate) fn mark(&mut self) {
        self.mark = self.at;
    }

    /// Goes back to `offset`, or to the first byte after it that is still in the buffer.
    pub(crate) fn seek_back(&mut self, offset: u64) {
        let kept = self.mark.max(self.at.saturating_sub(MAX_KEPT_BYTES));
        let wanted = usize::try_from(offset.saturating_sub(self.base)).unwrap_or(usize::MAX);
        self.at = wanted.max(kept).min(self.at);
    }

    /// Moves to an offset of a file. Has no effect on a pipe.
    pub(crate) fn seek(&mut self, offset: u64) -> io::Result<()> {
        if let RawSource::File(file) = &mut self.source {
            if let Some(hasher) = &self.hasher {
                hasher.hash_up_to(offset, file)?;
            }
            file.seek(SeekFrom::Start(offset))?;
            self.buffer.clear();
            (self.at, self.mark, self.base, self.ended) = (0, 0, offset, false);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[test]
    fn it_goes_back_to_a_mark() {
        let bytes: Vec<u8> = (0..2_000_000_u32).map(|i| (i % 251) as u8).collect();
        let mut raw = RawReader::pipe(Box::new(Cursor::new(bytes.clone())));
        assert_eq!(raw.fill(10).unwrap()[..10], bytes[..10]);
        raw.consume(7);
        raw.mark();
        while !raw.fill(1).unwrap().is_empty() {
            let step = raw.bytes().len().min(1000);
            raw.consume(step);
        }
        assert_eq!(raw.offset(), 2_000_000);
        raw.seek_back(8);
        assert_eq!(raw.offset(), 8);
        assert_eq!(raw.fill(100).unwrap()[..100], bytes[8..108]);
        raw.seek_back(0);
        assert_eq!(raw.offset(), 7);
    }

    #[test]
    fn without_a_mark_it_forgets() {
        let mut raw = RawReader::pipe(Box::new(io::repeat(0).take(64 << 20)));
        while !raw.fill(1).unwrap().is_empty() {
            raw.mark();
            raw.consume(raw.bytes().len());
            raw.mark();
        }
        assert_eq!(raw.offset(), 64 << 20);
        assert!(raw.buffer.capacity() <= 4 * READ_BYTES);
    }
}
