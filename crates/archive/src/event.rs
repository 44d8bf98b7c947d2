//! What a container gives as it is taken apart: plain data, and where members begin, end and break.

use crate::record::FaultReason;

/// Data given at once by the decoders.
pub(crate) const OUTPUT_BYTES: usize = 128 << 10;

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
