//! What is wrong with a file of signatures.

use std::fmt;

/// Why bytes are no signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormatError {
    /// They don't begin as signatures do.
    Magic,
    /// They end within the header.
    CutHeader,
    /// The header is longer than any header is.
    LongHeader(u32),
    /// The parameters in the header cannot be read, or cannot be: a lower-case fragment.
    Parameters(String),
    /// They end within a record, at this length of the records.
    CutRecord {
        /// Bytes of all records.
        bytes: u64,
        /// Bytes of one.
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
