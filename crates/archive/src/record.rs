//! Records, their positions in the input, and the faults that replace unreadable records.

use crate::bundle::FileKind;
use crate::container::Container;
use serde::{Deserialize, Serialize};

/// The position of a record in the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Offset and length in bytes, in the file, of the compressed member that holds only this
    /// record. In a plain file they are those of the record itself. `None` if the record shares its
    /// member with others or spans several.
    pub member: Option<(u64, u64)>,
    /// Offset in bytes in the uncompressed stream, where it is known. The fast path does not know
    /// it, since a worker cannot know the inflated size of earlier batches. In a Parquet file it is
    /// the number of the row, from 0.
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
    /// The type is absent or unknown.
    Other,
}

/// One record, borrowed from the buffer it was unpacked into.
#[derive(Debug)]
pub struct Record<'a> {
    /// The header: version line, fields, blank line.
    pub header: &'a [u8],
    /// The block. It is mutable because the chunks of an HTTP body are joined in place.
    pub block: &'a mut [u8],
    /// The position of the record in the input.
    pub position: Position,
    /// The defect that was repaired to read the record.
    pub repair: Option<Repair>,
    /// The compressed member of the record, if another archive can take it unchanged. `None` if the
    /// record was read as part of a stream.
    pub member: Option<Member<'a>>,
}

/// The bytes of a compressed member that holds one whole WARC record, with the two line ends after
/// it, and no other data. A reader needs nothing else to inflate it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member<'a> {
    /// The member, as the file has it.
    pub bytes: &'a [u8],
    /// The compression of the member.
    pub container: Container,
}

/// A defect that was repaired, so that the record could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Repair {
    /// Content-Length reaches into the next record or member. The block ends where that begins.
    ContentLengthTooLong,
    /// The CRC-32 or size of the gzip member is wrong, but the member inflated and holds one whole
    /// record.
    ChecksumMismatch,
    /// The input ends within the record, and the available part of the page was used. Readers of
    /// archives report such a record as a [`Fault`].
    Truncated,
}

/// The reason why bytes could not be read as a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultReason {
    /// The compressed data are damaged or end early.
    CorruptMember,
    /// The file, or the last whole member before damage, ends inside the record.
    Truncated,
    /// The bytes between two records belong to neither, or a version line is wrong.
    Garbage,
    /// The damaged bytes, or those between two records, hold a long run of zeros: the file was not
    /// written to its end.
    Hole,
    /// Content-Length is missing, is not a number, or does not fit the file and cannot be repaired.
    BadContentLength,
    /// The header or one of its lines is longer than the limit.
    HeaderTooLarge,
    /// The record is longer than the limit.
    TooLarge,
    /// A zstd frame requires a window over the limit.
    WindowTooLarge,
    /// Rows of a Parquet file whose pages are damaged or contradict the metadata of the file.
    CorruptRows,
    /// A row of a CSV file whose number of values differs from the number of names, or whose quote
    /// is never closed.
    BadRow,
    /// The index points to a place where no record or a different record begins.
    NotWhereIndexed,
    /// A file in a ZIP or tar archive that is encrypted, sparse, or compressed by an unsupported
    /// method.
    Unsupported,
    /// The decoder of rows panicked, which is a bug.
    Panic,
}

/// A range of the input that gave no record. It counts as one record that was read and failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of damage.
    pub reason: FaultReason,
    /// The position of the range. A length of 0 means that its end is unknown.
    pub position: Position,
    /// The readable part of the damaged record's header (it gives type and URL), or empty.
    pub header: Vec<u8>,
    /// The readable part of the block, if the reason is [`FaultReason::Truncated`] or the input
    /// ends within the record; empty otherwise.
    pub block: Vec<u8>,
    /// A description of the damage with its byte offset: one line, shown to users.
    pub detail: String,
    /// The position of the record, as in [`Record::position`], if the input ends within it and it
    /// is undamaged up to there.
    pub at_end: Option<Position>,
}

/// A file in a ZIP or tar archive.
#[derive(Debug)]
pub struct ArchivedFile<'a> {
    /// Its path in the archive. It is only text, and relative: it has no `/` or `..` at its
    /// beginning.
    pub name: &'a str,
    /// The kind of the file.
    pub kind: FileKind,
    /// The file as a `resource` record of HTML. The block is empty unless the file is a page.
    pub record: Record<'a>,
}

/// Receives the entries of a batch, in file order.
pub trait Visitor {
    /// Receives a record.
    fn record(&mut self, record: Record<'_>);
    /// Receives a line of JSONL, without its line end, or a row of a table as a JSON object.
    fn line(&mut self, line: &[u8], position: Position);
    /// Receives a file in a ZIP or tar archive. The default implementation passes it to
    /// [`record`](Visitor::record).
    fn file(&mut self, file: ArchivedFile<'_>) {
        self.record(file.record);
    }
    /// Receives a range of the input that could not be read as a record or line.
    fn fault(&mut self, fault: &Fault);
    /// Returns whether the visitor has no capacity for another member. The unpacker asks before
    /// every member of a batch except the first. The answer must depend only on the entries of this
    /// batch that the visitor received.
    fn is_full(&self) -> bool {
        false
    }
    /// Announces that the next member will be decoded into a buffer of `bytes` bytes, and may wait
    /// for memory. The unpacker calls it only for more than 1 MiB.
    fn wait_for(&mut self, _bytes: usize) {}
}
