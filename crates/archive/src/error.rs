//! What makes a whole input unusable. Damage within an input is no error but a [`Fault`](crate::Fault).

use std::io;
use thiserror::Error;

/// Why an input could not be read at all, or not to its end.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// The operating system refused.
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
    /// There is nothing in the input, or nothing but blank space.
    #[error("cannot read {name}: {what}")]
    Empty {
        /// The file in quotes, or `standard input`.
        name: String,
        /// In which way it is empty.
        what: &'static str,
    },
    /// The input is something else.
    #[error("cannot read {name}: {container}neither WARC nor JSONL (begins with {begins})")]
    NotAnArchive {
        /// The file in quotes, or `standard input`.
        name: String,
        /// `gzip data, but `, `an HTML page, ` and the like; empty where nothing is known.
        container: &'static str,
        /// The first bytes in hexadecimal.
        begins: String,
    },
    /// The zstd dictionary at the start of the input is unusable, or there is none where one is needed.
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

    /// Whether it was the operating system that refused, so that another try may succeed.
    pub fn is_io_error(&self) -> bool {
        matches!(self, ArchiveError::Io { .. })
    }
}

fn at(offset: u64) -> String {
    if offset == 0 { String::new() } else { format!(" at byte {offset}") }
}

/// The first bytes of something unknown, for people to recognise.
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
        let error = ArchiveError::NotAnArchive {
            name: "'a.png'".to_owned(),
            container: "",
            begins: hex(b"\x89PNG\r\n"),
        };
        assert_eq!(
            error.to_string(),
            "cannot read 'a.png': neither WARC nor JSONL (begins with 89 50 4e 47)"
        );
    }
}
