//! The reader of records, of WARC or ARC: its state.

use super::segment::Segments;
use crate::container::window::{Edge, Window};
use crate::damage::search::Search;
use crate::dialect::Dialect;
use crate::limits::Limits;
use crate::record::Fault;

/// Reads records out of a window, whatever state the bytes are in.
///
/// Between two records the reader either stands where a record should begin, or is searching for one. It gives a
/// record only after a look at the bytes after its block: line ends and another record, or the end of the member or file, show
/// that Content-Length is right. Only if they don't, it searches the block for a record that begins in it. So a record
/// whose block holds a WARC file stays whole.
///
/// Every decision depends on the bytes of the input alone, never on how they were divided into reads, and no byte is searched
/// more than a fixed number of times.
pub(crate) struct RecordReader {
    pub(crate) window: Window,
    pub(crate) dialect: Dialect,
    pub(crate) limits: Limits,
    /// Whether offsets in the window are offsets in the whole plain stream.
    pub(crate) known_origin: bool,
    /// The search for the next record, if it isn't finished.
    pub(crate) search: Option<Search>,
    /// A fault that is held back until the next entry, which may show that it is part of a larger damage.
    pub(crate) pending: Option<Fault>,
    /// The record that waits for its other segments.
    pub(crate) segments: Option<Box<Segments>>,
    /// How many records claimed a length above the limit that turned out to be wrong.
    pub(crate) lies: u32,
    /// Whether a record claimed a length above the limit.
    pub(crate) oversized: bool,
}

impl RecordReader {
    pub(crate) fn new(
        window: Window,
        dialect: Dialect,
        limits: Limits,
        known_origin: bool,
    ) -> Self {
        let (search, pending) = (None, None);
        RecordReader {
            window,
            dialect,
            limits,
            known_origin,
            search,
            pending,
            segments: None,
            lies: 0,
            oversized: false,
        }
    }

    /// Whether the run is undamaged to its end. True as well if the end has not been read.
    pub(crate) fn ends_well(&self) -> bool {
        !matches!(self.window.edge(), Some(Edge::Broken(_) | Edge::Member { intact: false }))
    }
}
