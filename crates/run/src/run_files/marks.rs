//! Lengths and digests of files, as journal and checkpoints note them.

use serde::{Deserialize, Serialize};

/// Length and digest of a line file at some time.
#[derive(Clone, Debug)]
pub struct LogMark {
    /// Length in bytes.
    pub bytes: u64,
    /// SHA-256 of the lines, hexadecimal; `None` if the file cannot be read back.
    pub digest: Option<String>,
}

/// A file of rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputMark {
    /// Name of the file, relative to the output folder.
    pub output: String,
    /// Length in bytes.
    pub bytes: u64,
    /// `sha256:` and the digest of these bytes, hexadecimal.
    pub digest: String,
    /// Number of rows in the file.
    pub rows: u64,
}

/// Returns a digest without the name of its algorithm.
pub fn digits(digest: &str) -> &str {
    digest.strip_prefix("sha256:").unwrap_or(digest)
}

/// Length and digest of a signature file at some time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignatureMark {
    /// Length in bytes.
    pub bytes: u64,
    /// SHA-256 of these bytes, hexadecimal.
    pub digest: String,
    /// Bytes of the rows before compression. The next row begins after them.
    pub row_bytes: u64,
}
