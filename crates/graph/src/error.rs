//! Errors that end the building of a graph.

use huller_run::error::RunError;
use huller_run::plan::PlanError;
use std::io;
use std::path::{Path, PathBuf};

/// The reason why a graph could not be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// The options cannot be used.
    #[error("{0}")]
    Usage(String),
    /// The inputs give no plan.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The folder is in use, or a file there cannot be written.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The folder holds a graph already.
    #[error("'{}' exists", path.display())]
    Exists {
        /// The first file of the graph.
        path: PathBuf,
    },
}

impl GraphError {
    /// Returns a function that makes an error of the system an error of sorting in this folder.
    pub(crate) fn sorting(folder: &Path) -> impl Fn(io::Error) -> GraphError + '_ {
        move |error| GraphError::Run(RunError::output("sort links in", folder)(error))
    }
}
