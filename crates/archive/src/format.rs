//! The format and the compression of an input.

use crate::container::expected_start::ExpectedStart;
use crate::dialect::Dialect;

/// The format of the data in an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// WARC records.
    Warc,
    /// ARC records. Visitors receive them with generated WARC headers.
    Arc,
    /// JSONL: one JSON object per line.
    Jsonl,
    /// CSV: a row of names, then rows of values, with this separator. Visitors receive each row as
    /// a line of JSONL.
    Csv(u8),
    /// Parquet. Visitors receive each row as a line of JSONL.
    Parquet,
    /// A tar archive of pages. Visitors receive each file in it.
    Tar,
    /// A ZIP file of pages. Visitors receive each file in it. A WACZ has the format of its
    /// archives.
    Zip,
}

impl Format {
    /// Returns the dialect of its records. JSONL has no records, so any dialect will do.
    pub(crate) fn dialect(self) -> Dialect {
        match self {
            Format::Arc => Dialect::Arc,
            _ => Dialect::Warc,
        }
    }

    /// Returns what the data of its members begin with.
    pub(crate) fn opening(self) -> ExpectedStart {
        match self {
            Format::Warc => ExpectedStart::Record,
            Format::Arc => ExpectedStart::ArcRecord,
            Format::Tar => ExpectedStart::TarHeader,
            _ => ExpectedStart::Line,
        }
    }
}
