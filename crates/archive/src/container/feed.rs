//! Reads any container from start to end.

use super::event::Event;
use super::gzip::feed::GzipFeed;
use super::lz4::feed::Lz4Feed;
use super::opening::Opening;
use super::zstd::feed::ZstdFeed;
use crate::store::raw::Raw;
use std::io;

/// A reader of any container. A plain input has no members: it returns [`Event::Data`] and, at its
/// end, [`Event::Eof`].
pub(crate) enum Feed {
    Plain(Raw),
    Gzip(GzipFeed),
    Zstd(ZstdFeed),
    Lz4(Lz4Feed),
}

impl Feed {
    /// Reads up to the next event and appends its data to `output`.
    pub(crate) fn pull(&mut self, output: &mut Vec<u8>) -> io::Result<Event> {
        match self {
            Feed::Plain(raw) => {
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
            Feed::Gzip(feed) => feed.pull(output),
            Feed::Zstd(feed) => feed.pull(output),
            Feed::Lz4(feed) => feed.pull(output),
        }
    }

    pub(crate) fn raw(&self) -> &Raw {
        match self {
            Feed::Plain(raw) => raw,
            Feed::Gzip(feed) => feed.raw(),
            Feed::Zstd(feed) => feed.raw(),
            Feed::Lz4(feed) => feed.raw(),
        }
    }

    /// Moves to an offset of a plain file. Has no effect on a compressed one.
    pub(crate) fn seek(&mut self, offset: u64) -> io::Result<()> {
        match self {
            Feed::Plain(raw) => raw.seek(offset),
            Feed::Gzip(_) | Feed::Zstd(_) | Feed::Lz4(_) => Ok(()),
        }
    }

    pub(crate) fn is_plain(&self) -> bool {
        matches!(self, Feed::Plain(_))
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
            Feed::Plain(_) => len <= remaining,
            // A deflate symbol has at least two bits and expands to at most 258 bytes.
            Feed::Gzip(_) => len <= compressed.saturating_mul(1032),
            // A zstd block has at least four bytes and expands to at most 128 KiB.
            Feed::Zstd(_) => len <= compressed.saturating_mul(32 << 10),
            // A byte of the length of a match adds at most 255 to it.
            Feed::Lz4(_) => len <= compressed.saturating_mul(255),
        }
    }

    /// Returns whether the next bytes begin a member with this opening. The feed must be at a
    /// member that was found after damage.
    pub(crate) fn begins_with(&mut self, opening: Opening) -> bool {
        match self {
            Feed::Plain(_) => false,
            Feed::Gzip(feed) => feed.begins_with(opening),
            Feed::Zstd(feed) => feed.begins_with(opening),
            Feed::Lz4(feed) => feed.begins_with(opening),
        }
    }

    /// Sets the opening that the data of a member must have. The search after damage finds only
    /// such members.
    pub(crate) fn set_opening(&mut self, opening: Opening) {
        match self {
            Feed::Plain(_) => {}
            Feed::Gzip(feed) => feed.set_opening(opening),
            Feed::Zstd(feed) => feed.set_opening(opening),
            Feed::Lz4(feed) => feed.set_opening(opening),
        }
    }
}
