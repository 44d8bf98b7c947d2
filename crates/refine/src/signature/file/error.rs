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
            FormatError::Magic => f.write_str("no file of signatures"),
            FormatError::CutHeader => f.write_str("the file ends within its header"),
            FormatError::LongHeader(bytes) => {
                write!(f, "the header says that it is {bytes} bytes long, which no header is")
            }
            FormatError::Parameters(problem) => write!(f, "parameters of signatures: {problem}"),
            FormatError::CutRecord { bytes, record } => {
                write!(f, "{bytes} bytes are no whole number of records of {record} bytes")
            }
        }
    }
}

impl std::error::Error for FormatError {}
