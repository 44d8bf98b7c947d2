//! The unit of work that travels from the reader to a worker and back.

use crate::record::{Fault, Position, Repair};
use std::ops::Range;
use std::sync::Arc;

/// A stretch of one input that a worker can unpack on its own. Owned, cleared and refilled for ever.
#[derive(Debug, Default)]
pub struct Batch {
    /// Compressed members, or plain records, one after another.
    pub bytes: Vec<u8>,
    /// How `bytes` is packed.
    pub packing: Packing,
    /// What `bytes` holds when the packing is [`Packing::Framed`]; empty otherwise.
    pub entries: Vec<Entry>,
    /// Offset in the file of the first byte of `bytes` when it holds compressed members, or of the member that the first
    /// entry begins with when this is a [`seam`](Batch::seam); 0 otherwise.
    pub start: u64,
    /// Whether the batch begins where a member of the file does with no record open, so that a repair of what lies before
    /// it may end at `start`. A framed batch may begin in the middle of a member, and then is none.
    pub seam: bool,
}

/// How the bytes of a batch are packed.
#[derive(Clone, Debug, Default)]
pub enum Packing {
    /// Plain bytes, framed by [`Batch::entries`].
    #[default]
    Framed,
    /// gzip members (RFC 1952), the first of which begins a WARC record.
    Gzip,
    /// zstd frames (RFC 8878), the first of which begins a WARC record; with the file's dictionary if it has one.
    Zstd(Option<Arc<[u8]>>),
}

/// One thing found in a framed batch, in file order.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A WARC record, header and block.
    Record {
        /// Where it lies in [`Batch::bytes`].
        bytes: Range<usize>,
        /// Length of the header block, its blank line included.
        header: usize,
        /// Where it lies in the input.
        position: Position,
        /// What had to be mended to read it.
        repair: Option<Repair>,
    },
    /// A line of JSONL without its line end.
    Line {
        /// Where it lies in [`Batch::bytes`].
        bytes: Range<usize>,
        /// Where it lies in the input.
        position: Position,
    },
    /// Bytes that could not be read as a record.
    Fault(Fault),
}

impl Batch {
    /// Empties the batch and keeps its memory, unless it has grown far beyond what batches usually need and this one needed.
    pub fn clear(&mut self) {
        const KEEP: usize = 5 << 18;
        let needed = self.bytes.len();
        self.bytes.clear();
        if needed < self.bytes.capacity() / 4 {
            self.bytes.shrink_to(KEEP);
        }
        self.entries.clear();
        self.packing = Packing::Framed;
        self.start = 0;
        self.seam = false;
    }
}
