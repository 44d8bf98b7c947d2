//! The unit of work that a reader fills and a worker unpacks.

use crate::bundle::FileKind;
use crate::dialect::Dialect;
use crate::error::ArchiveError;
use crate::planned::file::PlannedRecords;
use crate::record::{Fault, Position, Repair};
use crate::store::seen::Seen;
use crate::store::unread::Unread;
use crate::table::rows::TableRows;
use std::ops::Range;
use std::sync::Arc;

/// A stretch of one input that a worker can unpack on its own. Its memory is kept when it is
/// cleared and refilled.
#[derive(Debug, Default)]
pub struct Batch {
    /// Compressed members, or plain records or lines, one after another.
    pub bytes: Vec<u8>,
    /// How `bytes` is packed.
    pub packing: Packing,
    /// The contents of `bytes` if the packing is [`Packing::Plain`]; empty otherwise.
    pub entries: Vec<Entry>,
    /// The format of the records in compressed members. Those of plain batches have WARC headers,
    /// whatever they were in the file.
    pub(crate) dialect: Dialect,
    /// Offset in the file: of the first byte of `bytes` if it holds compressed members; of the
    /// member that the first entry begins with if the batch is plain and [`seam`](Batch::seam) is
    /// true; 0 otherwise. In a Parquet file rows are counted in place of bytes, of a plan records.
    pub start: u64,
    /// Whether a stream that mends the stretch before this batch may end at `start`: the batch
    /// begins with a member of the file, and no record is open there. False for a plain batch that
    /// begins within a member.
    pub seam: bool,
    /// The number of the archive in a WACZ that the batch is of, from 1; 0 in any other input.
    /// Damage in one ends with it.
    pub part: u32,
    /// What `bytes` will hold when [`Batch::read`] was called.
    pub(crate) unread: Option<Unread>,
}

/// How the bytes of a batch are packed.
#[derive(Clone, Debug, Default)]
pub enum Packing {
    /// Not compressed; [`Batch::entries`] says where each record or line lies.
    #[default]
    Plain,
    /// gzip members (RFC 1952). The data of the first begin with a record.
    Gzip,
    /// zstd frames (RFC 8878). The data of the first begin with a record. With the dictionary of
    /// the file, if it has one.
    Zstd(Option<Arc<[u8]>>),
    /// Rows of a Parquet file, which the worker reads itself; `bytes` is empty.
    Table(TableRows),
    /// Records of a plan. `bytes` holds those of the file that the plan says, and nothing but them
    /// and short stretches between.
    Planned(PlannedRecords),
    /// LZ4 frames. The data of the first begin with a record.
    Lz4,
}

/// A record, line, file or fault in a plain batch.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A record, header and block.
    Record {
        /// Where it lies in [`Batch::bytes`].
        bytes: Range<usize>,
        /// Length of the header in bytes, its blank line included.
        header: usize,
        /// Where it lies in the input.
        position: Position,
        /// The defect that was mended to read it.
        repair: Option<Repair>,
    },
    /// A line of JSONL without its line end.
    Line {
        /// Where it lies in [`Batch::bytes`].
        bytes: Range<usize>,
        /// Where it lies in the input.
        position: Position,
        /// Bytes of it in the uncompressed input, its end included. 0 of a row of a Parquet file.
        length: u64,
        /// Bytes of its line end: 2 for CR and LF, 1 for LF. 0 for a row of a table, and where the
        /// input ends without a line end.
        line_end: u8,
    },
    /// A file of a ZIP or tar file, as a `resource` record: a header that stands for it, and its
    /// bytes if it is a page.
    File {
        /// Where its name lies in [`Batch::bytes`]; UTF-8.
        name: Range<usize>,
        /// Where header and bytes lie there.
        bytes: Range<usize>,
        /// Length of the header in bytes, its blank line included.
        header: usize,
        /// What it is.
        kind: FileKind,
        /// Where it lies in the input, headers included.
        position: Position,
    },
    /// A stretch that could not be read as a record or line.
    Fault(Fault),
}

impl Batch {
    /// The offset after the batch, if it holds compressed members, rows of a Parquet file, or
    /// records of a plan.
    pub fn end(&self) -> u64 {
        match &self.packing {
            Packing::Table(rows) => rows.end(),
            Packing::Planned(planned) => planned.records.end as u64,
            _ => self.start + self.weight() as u64,
        }
    }

    /// Length of [`Batch::bytes`], also before they are [read](Batch::read).
    pub fn weight(&self) -> usize {
        self.bytes.len() + self.unread.as_ref().map_or(0, Unread::len)
    }

    /// Reads the bytes of a batch that [`Input::cut_batch`](crate::Input::cut_batch) left in the
    /// file, and returns what has been seen of the input up to there; `None` if they had been read.
    /// Batches of one input may be read by several threads at once: each waits for those that read
    /// the batches before, so a thread must do nothing that waits for others between the cut and
    /// this. If the file has been cut since, `bytes` holds what is left.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn read(&mut self) -> Result<Option<Seen>, ArchiveError> {
        self.unread.take().map(|unread| unread.read(&mut self.bytes)).transpose()
    }

    /// Empties the batch and keeps its memory, up to 1.25 MiB where less than a quarter of it was
    /// used.
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
        self.seam = false;
        self.part = 0;
    }
}
