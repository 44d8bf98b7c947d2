//! One segment of a record, by its header, and the segments that were found so far.

use super::header::WarcHeader;
use crate::batch::Entry;
use crate::record::RecordType;

/// A record that is waiting for its other segments, and those that were found.
pub(crate) struct Segments {
    /// WARC-Record-ID of the first.
    pub(super) id: Vec<u8>,
    /// Header and block of all segments, one after another.
    pub(super) bytes: Vec<u8>,
    /// The entries, with places in `bytes`.
    pub(super) entries: Vec<Entry>,
    /// Length of the joined record in bytes.
    pub(super) joined: usize,
    /// Whether the last segment is there.
    pub(super) complete: bool,
}

/// What a header says of segments.
pub(super) enum Segment<'a> {
    /// It is the first of the record with this identifier.
    First(&'a [u8]),
    /// It continues the record with this identifier, as segment `number`; `last` says that it is the last one.
    Later {
        origin: &'a [u8],
        number: u64,
        last: bool,
    },
    None,
}

impl<'a> Segment<'a> {
    pub(super) fn of(header: &WarcHeader<'a>) -> Self {
        match (header.record_type(), header.segment_number()) {
            (RecordType::Continuation, Some(number)) => {
                let Some(origin) = header.segment_origin() else { return Segment::None };
                let last = header.get("WARC-Segment-Total-Length").is_some();
                Segment::Later { origin, number, last }
            }
            (_, Some(1)) => header.record_id().map_or(Segment::None, Segment::First),
            _ => Segment::None,
        }
    }
}
