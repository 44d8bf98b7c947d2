//! The unit of work that a reader fills and a worker unpacks.

use crate::bundle::FileKind;
use crate::dialect::Dialect;
use crate::error::ArchiveError;
use crate::planned::planned_file::PlannedRecords;
use crate::record::{Fault, Position, Repair};
use crate::store::prefix_digest::PrefixDigest;
use crate::store::promised_range::PromisedRange;
use crate::table::rows::TableRows;
use std::ops::Range;
use std::sync::Arc;

/// A range of one input that a worker can unpack on its own. Its memory is reused when it is
/// cleared and refilled.
#[derive(Debug, Default)]
pub struct Batch {
    /// Compressed members, or plain records or lines, one after another.
    pub bytes: Vec<u8>,
    /// The packing of `bytes`.
    pub packing: Packing,
    /// The contents of `bytes` if the packing is [`Packing::Plain`]; empty otherwise.
    pub entries: Vec<Entry>,
    /// The format of the records in compressed members. Records of plain batches always have WARC
    /// headers.
    pub(crate) dialect: Dialect,
    /// Offset in the file, in bytes. For compressed members it is that of the first byte of
    /// `bytes`. For a plain batch with [`starts_cleanly`](Batch::starts_cleanly) it is that of the
    /// member with which the first entry begins. Otherwise it is 0. In a Parquet file it is a
    /// number of a row, in a plan that of a record.
    pub start: u64,
    /// Whether a stream that repairs the range before this batch may end at `start`. It is true if
    /// the batch begins with a member of the file and no record is open there. It is false for a
    /// plain batch that begins within a member.
    pub starts_cleanly: bool,
    /// The number of the archive in a WACZ that the batch belongs to, from 1; 0 in any other input.
    /// Damage never extends beyond the archive that has it.
    pub part: u32,
    /// The range that [`Batch::read`] will read into `bytes`.
    pub(crate) unread: Option<PromisedRange>,
}

/// The packing of the bytes of a batch.
#[derive(Clone, Debug, Default)]
pub enum Packing {
    /// Not compressed; [`Batch::entries`] has the position of each record or line.
    #[default]
    Plain,
    /// gzip members (RFC 1952). The data of the first begin with a record.
    Gzip,
    /// zstd frames (RFC 8878), and the dictionary of the file if it has one. The data of the first
    /// frame begin with a record.
    Zstd(Option<Arc<[u8]>>),
    /// Rows of a Parquet file, which the worker reads itself; `bytes` is empty.
    Table(TableRows),
    /// Records of a plan. `bytes` holds these records and the short gaps between them.
    Planned(PlannedRecords),
    /// LZ4 frames. The data of the first begin with a record.
    Lz4,
}

/// A record, line, file or fault in a plain batch.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A record: header and block.
    Record {
        /// The range of the record in [`Batch::bytes`].
        bytes: Range<usize>,
        /// Length of the header in bytes, its blank line included.
        header: usize,
        /// The position of the record in the input.
        position: Position,
        /// The defect that was repaired to read the record.
        repair: Option<Repair>,
    },
    /// A line of JSONL without its line end.
    Line {
        /// The range of the line in [`Batch::bytes`].
        bytes: Range<usize>,
        /// The position of the line in the input.
        position: Position,
        /// Length of the line in the uncompressed input, in bytes, its end included. 0 for a row of
        /// a Parquet file.
        length: u64,
        /// Length of the line end in bytes: 2 for CR and LF, 1 for LF. It is 0 for a row of a
        /// table, and for a last line without a line end.
        line_end: u8,
    },
    /// A file in a ZIP or tar archive, as a `resource` record with a generated header. The block
    /// holds the file if it is a page.
    File {
        /// The range of its name in [`Batch::bytes`]; UTF-8.
        name: Range<usize>,
        /// The range of header and block in [`Batch::bytes`].
        bytes: Range<usize>,
        /// Length of the header in bytes, its blank line included.
        header: usize,
        /// The kind of the file.
        kind: FileKind,
        /// The position of the file in the input, headers included.
        position: Position,
    },
    /// A range of the input that could not be read as a record or line.
    Fault(Fault),
}

impl Batch {
    /// Returns the offset after the batch, if it holds compressed members, rows of a Parquet file,
    /// or records of a plan.
    pub fn end(&self) -> u64 {
        match &self.packing {
            Packing::Table(rows) => rows.end(),
            Packing::Planned(planned) => planned.records.end as u64,
            _ => self.start + self.weight() as u64,
        }
    }

    /// Returns the length of [`Batch::bytes`] in bytes, even before they are [read](Batch::read).
    pub fn weight(&self) -> usize {
        self.bytes.len() + self.unread.as_ref().map_or(0, PromisedRange::len)
    }

    /// Reads the bytes of a batch that [`Input::cut_batch`](crate::Input::cut_batch) left in the
    /// file. Returns the digest of the input up to the end of the batch, or `None` if the bytes
    /// were read earlier.
    ///
    /// Several threads may read batches of one input at once: each thread waits until all earlier
    /// batches are read. Between the cut and this call a thread must therefore not wait for other
    /// threads. If the file was truncated after the cut, `bytes` holds the remaining bytes.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn read(&mut self) -> Result<Option<PrefixDigest>, ArchiveError> {
        self.unread.take().map(|unread| unread.read(&mut self.bytes)).transpose()
    }

    /// Empties the batch and keeps its memory. If less than a quarter of the memory was used, it
    /// keeps only 1.25 MiB.
    pub fn clear(&mut self) {
        const KEEP: usize = 5 << 18;
        let needed = self.bytes.len();
        self.unread = None;
        self.bytes.clear();
        if needed < self.bytes.capacity() / 4 {
            self.bytes.shrink_to(KEEP);
        }
        self.entries.clear();
        self.packing = Packing::Plain;
        self.dialect = Dialect::Warc;
        self.start = 0;
        self.starts_cleanly = false;
        self.part = 0;
    }
}
