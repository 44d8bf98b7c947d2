//! Reasons why rows of a table cannot be read.

use std::io;

/// The reason why rows of a table cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum TableFault {
    /// The system could not read the file.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The bytes end within a value.
    #[error("it ends early")]
    Ended,
    /// The bytes contradict the format.
    #[error("{0}")]
    Corrupt(String),
    /// The data need more memory than the limit.
    #[error("{0}")]
    TooLarge(String),
    /// The decoder panicked.
    #[error("reading it failed with a panic, which is a bug in huller; please report the file")]
    Panicked,
}

impl TableFault {
    pub(super) fn corrupt(problem: impl Into<String>) -> TableFault {
        TableFault::Corrupt(problem.into())
    }

    /// Returns a copy of the fault.
    pub(super) fn copy(&self) -> TableFault {
        match self {
            TableFault::Io(error) => {
                TableFault::Io(io::Error::new(error.kind(), error.to_string()))
            }
            TableFault::Ended => TableFault::Ended,
            TableFault::Corrupt(problem) => TableFault::Corrupt(problem.clone()),
            TableFault::TooLarge(problem) => TableFault::TooLarge(problem.clone()),
            TableFault::Panicked => TableFault::Panicked,
        }
    }
}
