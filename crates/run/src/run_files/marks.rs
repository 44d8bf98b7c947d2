//! What journal and checkpoints note of the files that a run writes besides its outputs.

use serde::{Deserialize, Serialize};

/// How long a file of lines was at some time, and its digest.
#[derive(Clone, Debug)]
pub struct LogMark {
    /// Length in bytes.
    pub bytes: u64,
    /// SHA-256 of its lines, hexadecimal; `None` if the file cannot be read back.
    pub digest: Option<String>,
}

/// A file of rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputMark {
    /// Its name, relative to the output folder.
    pub output: String,
    /// Length in bytes.
    pub bytes: u64,
    /// `sha256:` and the digest of these bytes, hexadecimal.
    pub digest: String,
    /// How many rows it holds.
    pub rows: u64,
}

/// A digest without the name of its algorithm.
pub fn digits(digest: &str) -> &str {
    digest.strip_prefix("sha256:").unwrap_or(digest)
}

/// How long a file of signatures was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignatureMark {
    /// Length in bytes.
    pub bytes: u64,
    /// SHA-256 of these bytes, hexadecimal.
    pub digest: String,
    /// Bytes of the rows before compression: later rows begin after them.
    pub row_bytes: u64,
}
