//! Records, their place in the input, and what can be wrong with them.

use serde::{Deserialize, Serialize};

/// Where a record lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Offset and length in bytes of the compressed member (plain files: of the record) in the file. `None` where the
    /// record is no member of its own.
    pub member: Option<(u64, u64)>,
    /// Offset in bytes in the uncompressed stream, where it is known (not known on the fast path of
    /// record-compressed files, which never counts what other workers inflate).
    pub stream_offset: Option<u64>,
}

/// The WARC-Type of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of WARC 1.1, section 5.5")]
pub enum RecordType {
    Warcinfo,
    Response,
    Resource,
    Request,
    Metadata,
    Revisit,
    Conversion,
    Continuation,
    /// Absent or not one of the eight.
    Other,
}

/// One record, borrowed from the buffer it was unpacked into.
#[derive(Debug)]
pub struct Record<'a> {
    /// WARC header block: version line, fields, blank line.
    pub header: &'a [u8],
    /// The block. Mutable, since chunked bodies are joined where they lie.
    pub block: &'a mut [u8],
    /// Where the record lies.
    pub position: Position,
    /// What had to be mended to read it.
    pub repair: Option<Repair>,
}

/// A defect that did not cost the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Repair {
    /// Content-Length reaches into the next record; the block ends where that begins.
    ContentLengthTooLong,
    /// The member's CRC-32 or ISIZE is wrong, but it inflated and holds one whole record.
    ChecksumMismatch,
}

/// Why bytes could not be read as a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultReason {
    /// The compressed data are broken, or end early.
    CorruptMember,
    /// The file, or the last whole member before damage, ends inside the record.
    Truncated,
    /// Bytes between records that begin none (a wrong version line included).
    Garbage,
    /// No Content-Length, one that is no number, or one that neither fits the file nor can be mended.
    BadContentLength,
    /// The header is longer than allowed, or one of its lines is.
    HeaderTooLarge,
    /// The record is longer than allowed.
    TooLarge,
    /// A zstd frame asks for a window over the limit.
    WindowTooLarge,
}

/// A stretch of input that gave no record. Counted as one record read and failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub reason: FaultReason,
    /// Where it begins. A length of 0 means that it isn't known how far the damage goes.
    pub position: Position,
    /// The header of the record it befell, where one could be read (for its type and URL); else empty.
    pub header: Vec<u8>,
    /// The part of the block that could be read (only for [`FaultReason::Truncated`]); else empty.
    pub block: Vec<u8>,
    /// One line for people: what was found at which byte.
    pub detail: String,
}

/// What is shown the contents of a batch, in file order.
pub trait Visitor {
    /// A whole record.
    fn record(&mut self, record: Record<'_>);
    /// A line of JSONL.
    fn line(&mut self, line: &[u8], position: Position);
    /// Something that is none.
    fn fault(&mut self, fault: &Fault);
}
