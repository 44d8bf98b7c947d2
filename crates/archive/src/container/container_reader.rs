//! Reads any container from start to end.

use super::event::Event;
use super::expected_start::ExpectedStart;
use super::gzip::reader::GzipReader;
use super::lz4::reader::Lz4Reader;
use super::zstd::reader::ZstdReader;
use crate::store::raw_reader::RawReader;
use std::io;

/// A reader of any container. A plain input has no members: it returns [`Event::Data`] and, at its
/// end, [`Event::Eof`].
pub(crate) enum ContainerReader {
    Plain(RawReader),
    Gzip(GzipReader),
    Zstd(ZstdReader),
    Lz4(Lz4Reader),
}

impl ContainerReader {
    /// Reads up to the next event and appends its data to `output`.
    pub(crate) fn next_event(&mut self, output: &mut Vec<u8>) -> io::Result<Event> {
        match self {
            ContainerReader::Plain(raw) => {
                let bytes = raw.fill(1)?;
                if bytes.is_empty() {
                    return Ok(Event::Eof);
                }
                output.extend_from_slice(bytes);
                let len = bytes.len();
                raw.consume(len);
                raw.mark();
                Ok(Event::Data)
            }
            ContainerReader::Gzip(reader) => reader.next_event(output),
            ContainerReader::Zstd(reader) => reader.next_event(output),
            ContainerReader::Lz4(reader) => reader.next_event(output),
        }
    }

    pub(crate) fn raw(&self) -> &RawReader {
        match self {
            ContainerReader::Plain(raw) => raw,
            ContainerReader::Gzip(reader) => reader.raw(),
            ContainerReader::Zstd(reader) => reader.raw(),
            ContainerReader::Lz4(reader) => reader.raw(),
        }
    }

    /// Moves to an offset of a plain file. Has no effect on a compressed one.
    pub(crate) fn seek(&mut self, offset: u64) -> io::Result<()> {
        match self {
            ContainerReader::Plain(raw) => raw.seek(offset),
            ContainerReader::Gzip(_) | ContainerReader::Zstd(_) | ContainerReader::Lz4(_) => Ok(()),
        }
    }

    pub(crate) fn is_plain(&self) -> bool {
        matches!(self, ContainerReader::Plain(_))
    }

    /// Returns whether the rest of the input can hold `len` bytes of data, by its length and the
    /// highest ratio of its compression. A larger claimed length is wrong, which this shows without
    /// reading.
    pub(crate) fn may_hold(&self, len: u64) -> bool {
        /// Most bytes that are believed of an input of unknown length.
        const PIPE_BYTES: u64 = 64 << 30;
        let Some(remaining) = self.raw().remaining() else { return len <= PIPE_BYTES };
        // The decoder may hold input that counts as read but is not decoded yet: far less than
        // this.
        let compressed = remaining.saturating_add(1 << 20);
        match self {
            ContainerReader::Plain(_) => len <= remaining,
            // A deflate symbol has at least two bits and expands to at most 258 bytes.
            ContainerReader::Gzip(_) => len <= compressed.saturating_mul(1032),
            // A zstd block has at least four bytes and expands to at most 128 KiB.
            ContainerReader::Zstd(_) => len <= compressed.saturating_mul(32 << 10),
            // A byte of the length of a match adds at most 255 to it.
            ContainerReader::Lz4(_) => len <= compressed.saturating_mul(255),
        }
    }

    /// Returns whether the next bytes begin a member with this opening. The reader must be at a
    /// member that was found after damage.
    pub(crate) fn begins_with(&mut self, opening: ExpectedStart) -> bool {
        match self {
            ContainerReader::Plain(_) => false,
            ContainerReader::Gzip(reader) => reader.begins_with(opening),
            ContainerReader::Zstd(reader) => reader.begins_with(opening),
            ContainerReader::Lz4(reader) => reader.begins_with(opening),
        }
    }

    /// Sets the opening that the data of a member must have. The search after damage finds only
    /// such members.
    pub(crate) fn set_opening(&mut self, opening: ExpectedStart) {
        match self {
            ContainerReader::Plain(_) => {}
            ContainerReader::Gzip(reader) => reader.set_opening(opening),
            ContainerReader::Zstd(reader) => reader.set_opening(opening),
            ContainerReader::Lz4(reader) => reader.set_opening(opening),
        }
    }
}
