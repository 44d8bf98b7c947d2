//! What inputs are: what they hold, and how they are packed.

/// What an input holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Records.
    Warc,
    /// One JSON object a line.
    Jsonl,
}

/// How an input is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// Not at all.
    Plain,
    /// gzip, in one member or many.
    Gzip,
    /// zstd, in one frame or many.
    Zstd,
}
