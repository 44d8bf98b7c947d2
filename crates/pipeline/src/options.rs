//! How a run is made, as far as its output does not show it.

use std::path::PathBuf;

/// What a run needs besides its settings; none of it shows in the output.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Worker threads, at least 1.
    pub threads: usize,
    /// Go on with the run in the output folder.
    pub resume: bool,
    /// Replace what is in the output folder.
    pub overwrite: bool,
    /// Where to list the pages that are not in the output.
    pub rejects: Option<PathBuf>,
}
