//! What the data of a member begin with, by which a member of the file is told from bytes that look
//! like one by chance.

use crate::arc::line::{begins_with_known_scheme, header_line};
use crate::bundle::tar_header::{BLOCK, Header};
use crate::warc::version_line::VersionLine;

/// What the data of the wanted members begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// A WARC record.
    Record,
    /// An ARC record.
    ArcRecord,
    /// A record of either format, as long as the format of the input is not known.
    AnyRecord,
    /// A line of JSONL.
    Line,
    /// The header of a file in a tar archive.
    TarHeader,
}

impl Opening {
    /// Most bytes that are needed to judge.
    pub(crate) const MOST_BYTES: usize = 1 << 10;

    /// Number of bytes needed to judge.
    pub(crate) fn bytes(self) -> usize {
        match self {
            Opening::Record | Opening::Line => 5,
            Opening::TarHeader => BLOCK,
            Opening::ArcRecord | Opening::AnyRecord => Self::MOST_BYTES,
        }
    }

    /// Whether `data` begin so.
    pub(crate) fn fits(self, data: &[u8]) -> bool {
        match self {
            Opening::Record => {
                data.get(..5).is_some_and(|magic| magic.eq_ignore_ascii_case(b"WARC/"))
            }
            Opening::ArcRecord => {
                let line_ends =
                    data.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
                let line = &data[line_ends..];
                match header_line(line) {
                    VersionLine::Whole(_) => true,
                    // A line longer than what is looked at.
                    VersionLine::Unfinished => {
                        data.len() >= Self::MOST_BYTES && begins_with_known_scheme(line)
                    }
                    VersionLine::Absent => false,
                }
            }
            Opening::AnyRecord => Opening::Record.fits(data) || Opening::ArcRecord.fits(data),
            Opening::Line => data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data).starts_with(b"{"),
            Opening::TarHeader => Header::parse(data).is_some(),
        }
    }
}
