//! The errors of relabelling.

use huller_corpus::CorpusError;
use huller_run::error::RunError;
use std::path::PathBuf;

/// The reason why rows could not be relabelled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RelabelError {
    /// A file cannot be read.
    #[error("{}", source.of_file(path))]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: CorpusError,
    },
    /// A line of the labels is not one.
    #[error(
        "'{}', line {line}: {problem}; a line of labels is {{\"id\":\"…\",\"content\":[0,2]}}",
        path.display()
    )]
    InvalidLabel {
        /// The file of labels.
        path: PathBuf,
        /// The number of the line, from 1.
        line: u64,
        /// The problem.
        problem: String,
    },
    /// A file of the run is not as the run left it.
    #[error("'{}' is damaged: {problem}; `huller verify` says more", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The problem.
        problem: String,
    },
    /// The run has no escalated pages.
    #[error("the run in '{}' escalated no pages: make it with --escalate", path.display())]
    NotEscalated {
        /// The folder of the run.
        path: PathBuf,
    },
    /// The run has other outputs that were made of the old texts.
    #[error(
        "the run in '{}' has {others}, which were made of the old texts: relabel a run with JSON \
         Lines alone, and make them of its rows by `huller refine`",
        path.display()
    )]
    OtherOutputs {
        /// The folder of the run.
        path: PathBuf,
        /// The outputs.
        others: &'static str,
    },
    /// The folder of the run cannot be changed.
    #[error(transparent)]
    Run(#[from] RunError),
}
