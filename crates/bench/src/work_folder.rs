//! The folder for what runs write until it is removed.

use crate::error::BenchError;
use std::path::Path;
use tempfile::TempDir;

/// A folder that is removed with all that is in it when this is dropped.
#[derive(Debug)]
pub struct WorkFolder(TempDir);

impl WorkFolder {
    /// Makes one in `parent`, or where the system keeps temporary files.
    ///
    /// # Errors
    ///
    /// There is no such folder, or nothing may be written there.
    pub fn new(parent: Option<&Path>) -> Result<WorkFolder, BenchError> {
        let parent = parent.map_or_else(std::env::temp_dir, Path::to_owned);
        let made = tempfile::Builder::new().prefix("huller-bench-").tempdir_in(&parent);
        made.map(WorkFolder).map_err(BenchError::io(parent))
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}
