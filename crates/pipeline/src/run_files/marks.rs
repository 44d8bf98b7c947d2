//! What journal and checkpoints note of the files that a run writes besides its outputs.

use serde::{Deserialize, Serialize};

/// How long a file of lines was at some time, and its digest.
#[derive(Clone, Debug)]
pub(crate) struct LogMark {
    pub(crate) bytes: u64,
    pub(crate) digest: Option<String>,
}

/// A file of rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OutputMark {
    /// Its name, relative to the output folder.
    pub(crate) output: String,
    pub(crate) bytes: u64,
    /// `sha256:` and the digest of these bytes, hexadecimal.
    pub(crate) digest: String,
    pub(crate) rows: u64,
}

/// A digest without the name of its algorithm.
pub(crate) fn digits(digest: &str) -> &str {
    digest.strip_prefix("sha256:").unwrap_or(digest)
}

/// How long a file of signatures was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SignatureMark {
    pub(crate) bytes: u64,
    /// SHA-256 of these bytes, hexadecimal.
    pub(crate) digest: String,
    /// Bytes of the rows before compression: later rows begin after them.
    pub(crate) row_bytes: u64,
}
