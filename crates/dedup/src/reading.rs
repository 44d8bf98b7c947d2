//! The files of corpora, for commands that read rows and write none: the same files in the same order as a run of [`run`](crate::run()) takes.

use crate::corpus;
use crate::error::DedupError;
use std::path::{Path, PathBuf};

/// A file of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its name in accounts: its path below the folder that was given, or its own name.
    pub name: String,
    /// Bytes as they are stored.
    pub bytes: u64,
}

/// The files of these corpora, in the order of the arguments, those of a folder in the order of their paths. What lies in `out` is no input.
///
/// # Errors
///
/// A corpus cannot be read, holds a file that is no file of rows, or two files have one name.
pub fn row_files(corpora: &[PathBuf], out: &Path) -> Result<Vec<RowFile>, DedupError> {
    let files = corpus::files(corpora, out)?.into_iter();
    Ok(files.map(|file| RowFile { path: file.path, name: file.name, bytes: file.bytes }).collect())
}
