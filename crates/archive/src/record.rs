//! Records, where they lie in the input, and what can be wrong with them.

use crate::bundle::FileKind;
use serde::{Deserialize, Serialize};

/// Where a record lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Offset and length in bytes, in the file, of the compressed member that holds this record
    /// alone; of the record itself in a plain file. `None` if the record shares its member with
    /// others, or spans several.
    pub member: Option<(u64, u64)>,
    /// Offset in bytes in the uncompressed stream, where it is known. The fast path doesn't know
    /// it: a worker can't tell how many bytes the batches before its own inflate to. In a Parquet
    /// file the number of the row, from 0.
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
    /// Absent, or another one.
    Other,
}

/// One record, borrowed from the buffer it was unpacked into.
#[derive(Debug)]
pub struct Record<'a> {
    /// The header: version line, fields, blank line.
    pub header: &'a [u8],
    /// The block. Mutable, since the chunks of an HTTP body are joined in place.
    pub block: &'a mut [u8],
    /// Where the record lies.
    pub position: Position,
    /// The defect that was mended to read it.
    pub repair: Option<Repair>,
}

/// A defect in spite of which the record was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Repair {
    /// Content-Length reaches into the next record or member. The block was ended where that
    /// begins.
    ContentLengthTooLong,
    /// The CRC-32 or size of the gzip member is wrong, but it inflated and holds one whole record.
    ChecksumMismatch,
    /// The input ends within the record, and what is there of the page was used. Readers of
    /// archives report such a record as a [`Fault`].
    Truncated,
}

/// Why bytes could not be read as a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultReason {
    /// The compressed data are damaged, or end early.
    CorruptMember,
    /// The file, or the last whole member before damage, ends inside the record.
    Truncated,
    /// The bytes between two records belong to neither, or a version line is wrong.
    Garbage,
    /// What is damaged or lies between two records holds a long run of zeros: the file was not
    /// written to its end.
    Hole,
    /// Content-Length is missing, is not a number, or doesn't fit the file and can't be mended.
    BadContentLength,
    /// The header or one of its lines is longer than the limit.
    HeaderTooLarge,
    /// The record is longer than the limit.
    TooLarge,
    /// A zstd frame asks for a window over the limit.
    WindowTooLarge,
    /// Rows of a Parquet file whose pages are damaged, or contradict what the file says of them.
    CorruptRows,
    /// A row of a CSV file that has not as many values as there are names, or a quote that is never
    /// closed.
    BadRow,
    /// An index says that a record lies where none begins, or another one.
    NotWhereIndexed,
    /// A file of a ZIP or tar file that is encrypted, sparse, or compressed by a method that is not
    /// read.
    Unsupported,
    /// The decoder of rows panicked, which is a bug.
    Panic,
}

/// A stretch of input that gave no record. It counts as one record that was read and failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub reason: FaultReason,
    /// Where it lies. A length of 0 means that its end is unknown.
    pub position: Position,
    /// The header of the damaged record, as far as it could be read (it gives type and URL); else
    /// empty.
    pub header: Vec<u8>,
    /// The part of the block that could be read (only for [`FaultReason::Truncated`], and where the
    /// input ends within the record); else empty.
    pub block: Vec<u8>,
    /// What was found at which byte: one line, shown to users.
    pub detail: String,
    /// Where the record lies, as [`Record::position`], if it is undamaged as far as the input goes:
    /// the input ends within it.
    pub at_end: Option<Position>,
}

/// A file of a ZIP or tar file.
#[derive(Debug)]
pub struct ArchivedFile<'a> {
    /// Its path in the archive: nothing but text, and one that leads nowhere (no `/` or `..` at its
    /// beginning).
    pub name: &'a str,
    /// What it is.
    pub kind: FileKind,
    /// It as a `resource` record of HTML. The block of what is no page is empty.
    pub record: Record<'a>,
}

/// Takes the entries of a batch, in file order.
pub trait Visitor {
    /// Takes a record.
    fn record(&mut self, record: Record<'_>);
    /// Takes a line of JSONL, without its line end, or a row of a table as a JSON object.
    fn line(&mut self, line: &[u8], position: Position);
    /// Takes a file of a ZIP or tar file. Where this is not implemented it is taken as a record.
    fn file(&mut self, file: ArchivedFile<'_>) {
        self.record(file.record);
    }
    /// Takes a stretch that could not be read as a record or line.
    fn fault(&mut self, fault: &Fault);
    /// Whether it has no room for another member. It is asked before every member of a batch but
    /// the first, and what it answers must follow from what it was shown of the batch alone.
    fn is_full(&self) -> bool {
        false
    }
    /// The next member is about to be decoded into a buffer of so many bytes, which is asked for
    /// once it is more than a MiB.
    fn wait_for(&mut self, _bytes: usize) {}
}
