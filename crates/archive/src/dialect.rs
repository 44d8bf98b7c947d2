//! The two formats of records, WARC and ARC, behind one interface for the record reader.
//!
//! Both put records one after another: a header with the length of the block, the block, line ends.
//! Damage is therefore handled once, in [`RecordReader`](crate::warc::reader::RecordReader) and
//! `damage`. Only the functions below differ between the two. Visitors receive records and faults
//! of both with a WARC header.

use crate::arc;
use crate::limits::Limits;
use crate::warc::bounds::{self, SoundRecord};
use crate::warc::header::{ContentLengthError, WarcHeader};
use crate::warc::header_end::{HeaderEnd, HeaderScan};
use crate::warc::version_line::{VersionLine, version_line};

/// A format of records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Dialect {
    #[default]
    Warc,
    Arc,
}

impl Dialect {
    /// Returns the number of bytes, from a candidate on, that are needed to decide whether a record
    /// begins there.
    pub(crate) fn start_bytes(self) -> usize {
        match self {
            Dialect::Warc => bounds::START_BYTES,
            Dialect::Arc => arc::line::LINE_BYTES,
        }
    }

    /// Returns whether `bytes` begin with the first line of a record.
    pub(crate) fn first_line(self, bytes: &[u8]) -> VersionLine {
        match self {
            Dialect::Warc => version_line(bytes),
            Dialect::Arc => arc::line::header_line(bytes),
        }
    }

    /// Returns the first plausible start of a record in `bytes`. `whole` states that the input ends
    /// with `bytes`. Otherwise candidates fewer than [`Dialect::start_bytes`] before their end are
    /// left to a later call with more bytes. `line_start` states whether `bytes` begin at the start
    /// of a line.
    pub(crate) fn find_start(self, bytes: &[u8], line_start: bool, whole: bool) -> Option<usize> {
        match self {
            Dialect::Warc => bounds::find_start(bytes, line_start, whole),
            Dialect::Arc => arc::bounds::find_start(bytes, line_start, whole),
        }
    }

    /// Searches for the end of the header with which `bytes` begin. `scan` keeps the state between
    /// calls.
    pub(crate) fn header_end(
        self,
        scan: &mut HeaderScan,
        bytes: &[u8],
        limits: &Limits,
    ) -> HeaderEnd {
        match self {
            Dialect::Warc => scan.advance(bytes, limits),
            Dialect::Arc => match arc::line::header_line(bytes) {
                VersionLine::Whole(len) if len > limits.header_line_bytes => HeaderEnd::TooLarge(0),
                VersionLine::Whole(len) => HeaderEnd::At(len),
                // The reader is at a header line, so only the end of that line can be missing.
                VersionLine::Unfinished | VersionLine::Absent => HeaderEnd::Beyond,
            },
        }
    }

    /// Returns the block length that a header claims. `None` if the bytes are not a header.
    pub(crate) fn content_length(self, header: &[u8]) -> Option<Result<u64, ContentLengthError>> {
        match self {
            Dialect::Warc => WarcHeader::parse(header).map(|header| header.content_length()),
            Dialect::Arc => arc::line::ArcLine::parse(header).map(|line| line.content_length()),
        }
    }

    /// Returns the record with which `bytes` begin, if it is sound, within the limits, and complete
    /// in `bytes`.
    pub(crate) fn sound_record(self, bytes: &[u8], limits: &Limits) -> Option<SoundRecord> {
        match self {
            Dialect::Warc => bounds::sound_record(bytes, limits),
            Dialect::Arc => arc::bounds::sound_record(bytes, limits),
        }
    }

    /// Returns the length of `block` without the separator that a writer puts before the next
    /// record.
    pub(crate) fn without_separator(self, block: &[u8]) -> usize {
        match self {
            Dialect::Warc => bounds::without_blank_line(block),
            Dialect::Arc => block.strip_suffix(b"\n").unwrap_or(block).len(),
        }
    }

    /// Appends the WARC header under which a record or fault with this header is shown. An empty
    /// header stays empty.
    pub(crate) fn show_header(self, header: &[u8], out: &mut Vec<u8>) {
        match self {
            Dialect::Warc => out.extend_from_slice(header),
            Dialect::Arc if header.is_empty() => {}
            Dialect::Arc => arc::warc_header::write(header, out),
        }
    }
}
