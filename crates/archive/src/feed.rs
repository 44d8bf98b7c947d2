//! Any container taken apart.

use crate::event::Event;
use crate::finder::Opening;
use crate::gzip_feed::GzipFeed;
use crate::raw::Raw;
use crate::zstd_feed::ZstdFeed;
use std::io;

/// Any container. Plain data are one with a single member that never ends.
pub(crate) enum Feed {
    Plain(Raw),
    Gzip(GzipFeed),
    Zstd(ZstdFeed),
}

impl Feed {
    /// Reads on, appending data to `output`.
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
        }
    }

    pub(crate) fn raw(&self) -> &Raw {
        match self {
            Feed::Plain(raw) => raw,
            Feed::Gzip(feed) => feed.raw(),
            Feed::Zstd(feed) => feed.raw(),
        }
    }

    /// Moves to any place of a plain file.
    pub(crate) fn seek(&mut self, offset: u64) -> io::Result<()> {
        match self {
            Feed::Plain(raw) => raw.seek(offset),
            Feed::Gzip(_) | Feed::Zstd(_) => Ok(()),
        }
    }

    pub(crate) fn is_plain(&self) -> bool {
        matches!(self, Feed::Plain(_))
    }

    /// Whether what comes next may be as long as this. Nothing inflates without bounds, so a claim beyond them is a lie
    /// and need not be followed to the end of the input.
    pub(crate) fn may_hold(&self, len: u64) -> bool {
        /// Longest record believed of an input without a length.
        const PIPE_BYTES: u64 = 64 << 30;
        let Some(remaining) = self.raw().remaining() else { return len <= PIPE_BYTES };
        // What is buffered has been passed but may be yet undecoded; a chunk of it doesn't matter here.
        let compressed = remaining.saturating_add(1 << 20);
        match self {
            Feed::Plain(_) => len <= remaining,
            // A deflate symbol of at least two bits gives at most 258 bytes.
            Feed::Gzip(_) => len <= compressed.saturating_mul(1032),
            // A block of four bytes gives at most 128 KiB.
            Feed::Zstd(_) => len <= compressed.saturating_mul(32 << 10),
        }
    }

    /// What the members worth finding begin with, once that is known.
    pub(crate) fn set_opening(&mut self, opening: Opening) {
        match self {
            Feed::Plain(_) => {}
            Feed::Gzip(feed) => feed.set_opening(opening),
            Feed::Zstd(feed) => feed.set_opening(opening),
        }
    }
}
