//! The result of the building of an index.

use huller_run::summary::{IgnoredFiles, InputSummary, UnusableInput};

/// The result of a build.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Statistics of every file in the index, sorted by name. For a file that an earlier run added,
    /// they come from that run.
    pub inputs: Vec<InputSummary>,
    /// Lines that this run read for the first time.
    pub new_lines: u64,
    /// Rows that were in the index and are now dropped.
    pub deleted: u64,
    /// Inputs that could not be used, or not to their end.
    pub unusable: Vec<UnusableInput>,
    /// Files in the corpora's folders that are not rows.
    pub ignored: IgnoredFiles,
    /// Whether the index was joined from other indexes.
    pub is_joined: bool,
    /// Whether the run was interrupted. It can be resumed, unless indexes were joined.
    pub is_interrupted: bool,
}
