//! Reasons for incomplete pages, as their records state them.

use super::header::WarcHeader;

/// The reason why a page is incomplete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truncation {
    /// WARC-Truncated: the page is longer than the crawler allows.
    WarcLength,
    /// WARC-Truncated: the fetch took longer than the crawler allows.
    WarcTime,
    /// WARC-Truncated: the server ended the connection.
    WarcDisconnect,
    /// WARC-Truncated: another reason.
    WarcUnspecified,
    /// The body has fewer bytes than its head claims, its chunks or its compressed data end early,
    /// or the archive ends within it.
    Body,
    /// The server sent a part of the page (status 206).
    Range,
}

impl Truncation {
    /// Converts a value of WARC-Truncated; `None` if it is empty.
    fn from_value(value: &[u8]) -> Option<Truncation> {
        let known: [(&[u8], Truncation); 3] = [
            (b"length", Truncation::WarcLength),
            (b"time", Truncation::WarcTime),
            (b"disconnect", Truncation::WarcDisconnect),
        ];
        let found = known.iter().find(|(name, _)| value.eq_ignore_ascii_case(name));
        let other = (!value.is_empty()).then_some(Truncation::WarcUnspecified);
        found.map(|(_, why)| *why).or(other)
    }

    /// Returns the reason that WARC-Truncated of a header states; `None` if it is absent or empty.
    pub fn from_header(header: &WarcHeader<'_>) -> Option<Truncation> {
        header.truncated().and_then(Truncation::from_value)
    }

    /// Returns the name that is used in output rows.
    pub fn name(self) -> &'static str {
        match self {
            Truncation::WarcLength => "warc_length",
            Truncation::WarcTime => "warc_time",
            Truncation::WarcDisconnect => "warc_disconnect",
            Truncation::WarcUnspecified => "warc_unspecified",
            Truncation::Body => "body",
            Truncation::Range => "range",
        }
    }
}
