//! Errors in a file of signatures.

use std::fmt;

/// The reason why bytes are not a file of signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormatError {
    /// They do not begin with the magic bytes of signatures.
    Magic,
    /// They end within the header.
    CutHeader,
    /// The header is longer than the limit; its length in bytes.
    LongHeader(u32),
    /// The parameters in the header cannot be read or are invalid: a lower-case fragment.
    Parameters(String),
    /// They end within a record.
    CutRecord {
        /// Bytes of all records.
        bytes: u64,
        /// Bytes of one record.
        record: u64,
    },
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::Magic => f.write_str("not a signature file"),
            FormatError::CutHeader => f.write_str("the file ends within its header"),
            FormatError::LongHeader(bytes) => {
                write!(f, "the header gives {bytes} bytes as its length, which is impossible")
            }
            FormatError::Parameters(problem) => write!(f, "signature parameters: {problem}"),
            FormatError::CutRecord { bytes, record } => {
                write!(f, "{bytes} bytes are not a multiple of the record length of {record} bytes")
            }
        }
    }
}

impl std::error::Error for FormatError {}
