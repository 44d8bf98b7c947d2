//! What an input holds, and how it is compressed.

use crate::container::opening::Opening;
use crate::dialect::Dialect;

/// What an input holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// WARC records.
    Warc,
    /// ARC records, shown with the WARC headers that stand for theirs.
    Arc,
    /// JSONL: one JSON object per line.
    Jsonl,
    /// CSV: a row of names, then rows of values, with this separator. A row is shown as a line of
    /// JSONL.
    Csv(u8),
    /// Parquet. A row is shown as a line of JSONL.
    Parquet,
    /// A tar archive of pages. Each file in it is shown.
    Tar,
    /// A ZIP file of pages. Each file in it is shown. A WACZ has the format of its archives.
    Zip,
}

impl Format {
    /// The format of its records; of JSONL, which has none, any.
    pub(crate) fn dialect(self) -> Dialect {
        match self {
            Format::Arc => Dialect::Arc,
            _ => Dialect::Warc,
        }
    }

    /// What the data of its members begin with.
    pub(crate) fn opening(self) -> Opening {
        match self {
            Format::Warc => Opening::Record,
            Format::Arc => Opening::ArcRecord,
            Format::Tar => Opening::TarHeader,
            _ => Opening::Line,
        }
    }
}

/// How an input is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// Not at all.
    Plain,
    /// gzip, in one member or many.
    Gzip,
    /// zstd, in one frame or many.
    Zstd,
    /// LZ4 in the frame format, in one frame or many.
    Lz4,
}
