//! Finds duplicates by signatures alone.

use crate::cluster_table::ClusterTable;
use crate::decide::{Texts, decide};
use crate::error::DedupError;
use crate::file_pass::PassEnding;
use crate::settings::{DedupStep, Settings};
use crate::shingle_store::ShingleStore;
use crate::signed_file::SignedFile;
use std::path::{Path, PathBuf};

/// Finds the duplicates among the rows of files of signatures, without their texts. `memory` is the
/// memory limit in bytes. Data that do not fit go to `folder`.
///
/// # Errors
///
/// A file cannot be read or holds signatures of other settings, or the rows are too many for the
/// memory. Also if `verify` is asked for, which needs texts.
pub fn find_duplicates(
    files: &[PathBuf],
    settings: &Settings,
    memory: u64,
    folder: &Path,
) -> Result<ClusterTable, DedupError> {
    if settings.verifies() {
        let problem = "signatures alone cannot be verified: verification needs texts";
        return Err(DedupError::Usage(problem.to_owned()));
    }
    let files = files.iter().map(|path| SignedFile::open(path)).collect::<Result<Vec<_>, _>>()?;
    for file in &files {
        file.check(settings.signatures)?;
    }
    let decisions = decide(settings, &files, 0, (memory, folder), &[], &mut NoTexts)?;
    // Only the reading of texts can be interrupted.
    let Some(decisions) = decisions else { return Ok(ClusterTable::default()) };
    ClusterTable::from_decisions(&decisions, &files)
}

/// A provider without texts, for steps that need none.
struct NoTexts;

impl Texts for NoTexts {
    fn begin(&mut self, _: DedupStep) {}

    fn store_shingles(&mut self, _: &mut ShingleStore) -> Result<PassEnding, DedupError> {
        Ok(PassEnding::Done)
    }
}
