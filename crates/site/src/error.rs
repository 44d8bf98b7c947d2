//! Errors that end the search for lines.

use huller_run::error::RunError;
use huller_run::plan::PlanError;
use std::io;
use std::path::Path;

/// The reason why no lines could be found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SiteError {
    /// The options cannot be used.
    #[error("{0}")]
    Usage(String),
    /// The inputs give no plan.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The files for sorting cannot be written.
    #[error(transparent)]
    Run(#[from] RunError),
    /// More lines recur than fit into the memory.
    #[error("more than {0} lines recur: raise --memory or --pages, or divide the corpus by hosts")]
    TooMany(usize),
    /// The second reading of the inputs did not find all lines of the first one.
    #[error("an input changed while it was read: run the command again")]
    Changed,
}

impl SiteError {
    /// Returns a function that converts an I/O error of the sort in `folder`.
    pub(crate) fn sorting(folder: &Path) -> impl Fn(io::Error) -> SiteError + '_ {
        move |error| SiteError::Run(RunError::output("sort lines in", folder)(error))
    }
}
