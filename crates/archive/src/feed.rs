//! A container taken apart: plain data, and where members begin, end and break.

use crate::gzip::Opening;
use crate::gzip_feed::GzipFeed;
use crate::raw::Raw;
use crate::record::FaultReason;
use crate::zstd_feed::ZstdFeed;
use std::io;

/// Data given at once by the decoders.
pub(crate) const OUTPUT_BYTES: usize = 128 << 10;

/// How much may be read again, in all, to look for members within broken ones. Where more breaks than this the search
/// goes on from where it broke, or else a file made for it could have every part of it read again and again.
const REREAD_BYTES: u64 = 64 << 20;

/// What comes next in a container.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A member begins at this offset, and its first data were appended to the output. Members without data are passed
    /// over.
    Start(u64),
    /// More data of the member were appended to the output.
    Data,
    /// The member ended.
    End {
        /// Offset behind it.
        end: u64,
        /// Whether its checksum and size are right.
        intact: bool,
    },
    /// The member broke, or one that never got as far as its first data. The next event comes from a true one.
    Broken(Damage),
    /// Between members lies something that is none. The next event comes from a true one.
    Junk(Damage),
    /// The input has ended.
    Eof,
}

/// A stretch of a container that gives no data, or data that can't be trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Damage {
    pub(crate) reason: FaultReason,
    /// Offset of its first byte.
    pub(crate) start: u64,
    /// Offset behind it.
    pub(crate) end: u64,
    /// For people.
    pub(crate) detail: String,
}

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

/// Passes over damage: looks for the next true member by means of `find`, which takes bytes and whether they are all there
/// are, and gives the place of a member, or from where to look again. Tells whether all that was passed over is zero.
pub(crate) fn resync(
    raw: &mut Raw,
    trial_bytes: usize,
    mut find: impl FnMut(&[u8], bool) -> Result<usize, usize>,
) -> io::Result<bool> {
    let mut zero = true;
    loop {
        raw.fill(2 * trial_bytes)?;
        let whole = raw.is_ended();
        let bytes = raw.bytes();
        let found = find(bytes, whole);
        let (Ok(passed) | Err(passed)) = found;
        zero &= bytes[..passed].iter().all(|byte| *byte == 0);
        raw.consume(passed);
        raw.mark();
        if found.is_ok() || whole {
            return Ok(zero);
        }
    }
}

/// How much has been read more than once.
#[derive(Debug, Default)]
pub(crate) struct Rereads(u64);

impl Rereads {
    /// Goes back to just behind the start of a member that broke, as far as the budget allows.
    pub(crate) fn back_into(&mut self, raw: &mut Raw, start: u64) {
        let distance = raw.offset().saturating_sub(start + 1);
        // What was read once is a budget of its own, so that a long file isn't worse off than its parts.
        if self.0 + distance <= REREAD_BYTES + raw.offset() {
            let from = raw.offset();
            raw.back_to(start + 1);
            self.0 += from - raw.offset();
        }
    }
}
