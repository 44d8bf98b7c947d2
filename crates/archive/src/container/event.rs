//! The steps of reading a container: data, and the starts, ends and breaks of members.

use crate::record::FaultReason;

/// Most bytes of data that a decoder returns with one event.
pub(crate) const OUTPUT_BYTES: usize = 128 << 10;

/// One step in reading a container.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A member begins at this offset, and its first data were appended to the output. A member
    /// without data gives no event.
    Start(u64),
    /// More data of the member were appended to the output.
    Data,
    /// The member has ended.
    End {
        /// Offset of the first byte after the member.
        end: u64,
        /// Whether its checksum and size are right.
        intact: bool,
    },
    /// The open member is damaged, or a member broke before its first data. The next event comes
    /// from the next sound member.
    Broken(Damage),
    /// The bytes after the last member belong to no member. The next event comes from the next
    /// sound member.
    Junk(Damage),
    /// The input has ended.
    Eof,
}

/// A range of a container without data, or with unreliable data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Damage {
    pub(crate) reason: FaultReason,
    /// Offset of the first byte of the range.
    pub(crate) start: u64,
    /// Offset of the first byte after the range.
    pub(crate) end: u64,
    /// A description of the damage with its byte offset: one line, shown to users.
    pub(crate) detail: String,
    /// Whether the input ends within the member. The data before are then reliable.
    pub(crate) at_end: bool,
}
