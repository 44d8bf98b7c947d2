//! What reading a container gives, step by step: data, and where members begin, end and break.

use crate::record::FaultReason;

/// Most bytes of data that a decoder gives with one event.
pub(crate) const OUTPUT_BYTES: usize = 128 << 10;

/// One step in reading a container.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A member begins at this offset, and its first data were appended to the output. A member
    /// without data gives no event.
    Start(u64),
    /// More data of the member were appended to the output.
    Data,
    /// The member ended.
    End {
        /// Offset of the first byte after it.
        end: u64,
        /// Whether its checksum and size are right.
        intact: bool,
    },
    /// The open member is damaged, or one that broke before its first data. The next event comes
    /// from the next sound member.
    Broken(Damage),
    /// The bytes after the last member belong to no member. The next event comes from the next
    /// sound member.
    Junk(Damage),
    /// The input has ended.
    Eof,
}

/// A stretch of a container without data, or with data that can't be trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Damage {
    pub(crate) reason: FaultReason,
    /// Offset of its first byte.
    pub(crate) start: u64,
    /// Offset of the first byte after it.
    pub(crate) end: u64,
    /// What was found at which byte: one line, shown to users.
    pub(crate) detail: String,
    /// Whether the input ends within the member. Then the data before can be trusted.
    pub(crate) at_end: bool,
}
