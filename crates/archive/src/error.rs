//! Errors that end the reading of an input. Damage within an input is not an error but a
//! [`Fault`](crate::Fault).

use std::io;
use thiserror::Error;

/// Why an input could not be read at all, or not to its end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// The operating system could not open or read it.
    #[error("cannot read {name}{}: {source}", at(*.offset))]
    Io {
        /// The file in quotes, or `standard input`.
        name: String,
        /// Where in the input it happened; 0 when it could not be opened.
        offset: u64,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The input has no bytes, or only blank ones.
    #[error("cannot read {name}: {what}")]
    Empty {
        /// The file in quotes, or `standard input`.
        name: String,
        /// What was found instead of data.
        what: &'static str,
    },
    /// The input is nothing that can be read.
    #[error("cannot read {name}: {what}neither WARC, ARC nor JSONL{hint}")]
    NotAnArchive {
        /// The file in quotes, or `standard input`.
        name: String,
        /// What it is, such as `gzip data, but ` or `an HTML page, `; empty if that is unknown.
        what: String,
        /// What to do, after `; `. For unknown formats the first bytes, in brackets.
        hint: String,
    },
    /// The input is a Parquet file that is damaged as a whole, or of a kind that is not read.
    #[error("cannot read {name}: a Parquet file, but {what}")]
    Table {
        /// The file in quotes.
        name: String,
        /// What is wrong with it.
        what: String,
    },
    /// The input is of a kind that is read, but not as it is written.
    #[error("cannot read {name}: {what}")]
    Unreadable {
        /// The file in quotes, or `standard input`.
        name: String,
        /// States the problem and its remedy.
        what: String,
    },
    /// The input is a ZIP file that is refused, since it contradicts itself or is made to do harm.
    #[error("cannot read {name}: a ZIP archive that is refused: {what}")]
    Zip {
        /// The file in quotes.
        name: String,
        /// What is wrong with it.
        what: String,
    },
    /// The zstd dictionary of the input is damaged, or missing.
    #[error("cannot read {name}: {what}")]
    Dictionary {
        /// The file in quotes, or `standard input`.
        name: String,
        /// What is wrong with it.
        what: String,
    },
}

impl ArchiveError {
    pub(crate) fn io(name: &str, offset: u64, source: io::Error) -> Self {
        ArchiveError::Io { name: name.to_owned(), offset, source }
    }

    /// Whether the error came from the operating system, so that another try may succeed.
    pub fn is_io_error(&self) -> bool {
        matches!(self, ArchiveError::Io { .. })
    }
}

fn at(offset: u64) -> String {
    if offset == 0 { String::new() } else { format!(" at byte {offset}") }
}

/// The first four bytes of an input in hexadecimal, by which a user may recognise the format.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    let mut text = String::new();
    for (i, byte) in bytes.iter().take(4).enumerate() {
        let gap = if i == 0 { "" } else { " " };
        // Writing into a String cannot fail.
        let _ = write!(text, "{gap}{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_lower_case_and_say_where() {
        let error = ArchiveError::io("'a.warc.gz'", 1_048_576, io::Error::other("disk gone"));
        assert_eq!(error.to_string(), "cannot read 'a.warc.gz' at byte 1048576: disk gone");
    }
}
