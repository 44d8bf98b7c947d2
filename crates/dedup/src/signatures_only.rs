//! Duplicates among signatures alone.

use crate::cluster_table::ClusterTable;
use crate::decide::decide;
use crate::error::DedupError;
use crate::settings::Settings;
use crate::signed_file::SignedFile;
use std::path::{Path, PathBuf};

/// Finds the duplicates among the rows of files of signatures, without their texts. `memory` bounds what is held, in bytes; what doesn't
/// fit goes to `folder`.
///
/// # Errors
///
/// A file cannot be read or holds signatures of other settings, or there are too many rows for the memory.
pub fn find_duplicates(
    files: &[PathBuf],
    settings: &Settings,
    memory: u64,
    folder: &Path,
) -> Result<ClusterTable, DedupError> {
    let files = files.iter().map(|path| SignedFile::open(path)).collect::<Result<Vec<_>, _>>()?;
    for file in &files {
        file.check(settings.signatures)?;
    }
    let decisions = decide(settings, &files, 0, (memory, folder), |_| Ok(()))?;
    ClusterTable::of(&decisions, &files)
}
