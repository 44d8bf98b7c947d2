//! The expected beginning of a member's data, which distinguishes a real member from bytes that
//! resemble one by chance.

use crate::arc::line::{begins_with_known_scheme, header_line};
use crate::bundle::tar_header::{BLOCK, Header};
use crate::warc::version_line::VersionLine;

/// The expected beginning of the data of the wanted members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExpectedStart {
    /// A WARC record.
    Record,
    /// An ARC record.
    ArcRecord,
    /// A record of either format, while the format of the input is unknown.
    AnyRecord,
    /// A line of JSONL.
    Line,
    /// The header of a file in a tar archive.
    TarHeader,
}

impl ExpectedStart {
    /// Most bytes that are needed for the check.
    pub(crate) const MAX_BYTES: usize = 1 << 10;

    /// Returns the number of bytes needed for the check.
    pub(crate) fn bytes(self) -> usize {
        match self {
            ExpectedStart::Record | ExpectedStart::Line => 5,
            ExpectedStart::TarHeader => BLOCK,
            ExpectedStart::ArcRecord | ExpectedStart::AnyRecord => Self::MAX_BYTES,
        }
    }

    /// Returns whether `data` begin as expected.
    pub(crate) fn matches(self, data: &[u8]) -> bool {
        match self {
            ExpectedStart::Record => {
                data.get(..5).is_some_and(|magic| magic.eq_ignore_ascii_case(b"WARC/"))
            }
            ExpectedStart::ArcRecord => {
                let line_ends =
                    data.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
                let line = &data[line_ends..];
                match header_line(line) {
                    VersionLine::Whole(_) => true,
                    // The line is longer than the examined bytes.
                    VersionLine::Unfinished => {
                        data.len() >= Self::MAX_BYTES && begins_with_known_scheme(line)
                    }
                    VersionLine::Absent => false,
                }
            }
            ExpectedStart::AnyRecord => {
                ExpectedStart::Record.matches(data) || ExpectedStart::ArcRecord.matches(data)
            }
            ExpectedStart::Line => {
                data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data).starts_with(b"{")
            }
            ExpectedStart::TarHeader => Header::parse(data).is_some(),
        }
    }
}
