//! Errors that end the reading of an input. Damage within an input is a [`Fault`](crate::Fault)
//! instead.

use std::io;
use thiserror::Error;

/// The reason why an input could not be opened, or could not be read to its end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// The operating system could not open or read the input.
    #[error("cannot read {name}{}: {source}", at_offset(*.offset))]
    Io {
        /// The file name in quotes, or `standard input`.
        name: String,
        /// Offset in the input, in bytes, at which the error occurred; 0 if the input could not be
        /// opened.
        offset: u64,
        /// The error of the operating system.
        #[source]
        source: io::Error,
    },
    /// The input is empty or holds only blank bytes.
    #[error("cannot read {name}: {problem}")]
    Empty {
        /// The file name in quotes, or `standard input`.
        name: String,
        /// The state of the input, such as `it is empty`.
        problem: &'static str,
    },
    /// The input is in none of the supported formats.
    #[error(
        "cannot read {name}: {detected_format}not a readable WARC, ARC, WACZ, JSONL, CSV, Parquet, ZIP \
    or tar file{hint}"
    )]
    NotAnArchive {
        /// The file name in quotes, or `standard input`.
        name: String,
        /// The detected format, such as `gzip data, but ` or `an HTML page, `; empty if it is
        /// unknown.
        detected_format: String,
        /// The remedy, after `; `. For unknown formats the first bytes, in brackets.
        hint: String,
    },
    /// The input is a Parquet file that is damaged as a whole, or of an unsupported kind.
    #[error("cannot read {name}: this is a Parquet file, but {problem}")]
    Table {
        /// The file name in quotes.
        name: String,
        /// The problem of the file.
        problem: String,
    },
    /// The input is of a supported kind, but written in an unsupported form.
    #[error("cannot read {name}: {problem}")]
    Unreadable {
        /// The file name in quotes, or `standard input`.
        name: String,
        /// The problem and its remedy.
        problem: String,
    },
    /// The input is a ZIP file that is refused because it contradicts itself or looks like an
    /// attack.
    #[error("cannot read {name}: this ZIP archive is refused: {problem}")]
    Zip {
        /// The file name in quotes.
        name: String,
        /// The problem of the file.
        problem: String,
    },
    /// The zstd dictionary of the input is damaged or missing.
    #[error("cannot read {name}: {problem}")]
    Dictionary {
        /// The file name in quotes, or `standard input`.
        name: String,
        /// The problem of the dictionary.
        problem: String,
    },
}

impl ArchiveError {
    pub(crate) fn io(name: &str, offset: u64, source: io::Error) -> Self {
        ArchiveError::Io { name: name.to_owned(), offset, source }
    }

    /// Returns whether the operating system caused the error, so that a retry may succeed.
    pub fn is_io_error(&self) -> bool {
        matches!(self, ArchiveError::Io { .. })
    }
}

fn at_offset(offset: u64) -> String {
    if offset == 0 { String::new() } else { format!(" at byte {offset}") }
}

/// Returns the first four bytes of an input in hexadecimal. A user may recognise the format by
/// them.
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
