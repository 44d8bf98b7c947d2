//! The reasons why a model cannot be used.

use std::io;

/// The reason why a model file cannot be used. Messages are lower-case fragments.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The file cannot be opened, read or mapped.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file is of another kind.
    #[error("not a {expected}")]
    NotAModel {
        /// The kind of model that was expected.
        expected: &'static str,
    },
    /// The file has the right kind, but this program cannot use its version or options.
    #[error("{feature} is not supported")]
    Unsupported {
        /// The unsupported property.
        feature: String,
    },
    /// The file ends too early, or a value in it breaks the format.
    #[error("damaged at byte {offset}: {problem}")]
    Damaged {
        /// The offset at which the problem was found.
        offset: usize,
        /// The problem.
        problem: &'static str,
    },
}
