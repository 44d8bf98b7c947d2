//! What an input holds, and how it is compressed.

/// What an input holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// WARC records.
    Warc,
    /// JSONL: one JSON object per line.
    Jsonl,
    /// CSV: a row of names, then rows of values, with this separator. A row is shown as a line of JSONL.
    Csv(u8),
    /// Parquet. A row is shown as a line of JSONL.
    Parquet,
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
}
