//! A file that gets its final name when it is complete.

use crate::durable::sync_folder;
use crate::error::RunError;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// A file being written as `NAME.part`. Dropping the value leaves the part on the disk.
#[derive(Debug)]
pub struct PartFile {
    file: File,
    part: PathBuf,
    path: PathBuf,
}

/// Returns the name of the file while it is being written.
pub fn part_of(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".part");
    PathBuf::from(name)
}

/// Gives a durable part its name.
///
/// # Errors
///
/// [`RunError::Output`]: the part cannot be renamed.
pub fn rename_part(path: &Path) -> Result<(), RunError> {
    fs::rename(part_of(path), path).map_err(RunError::output("rename to", path))
}

impl PartFile {
    /// Creates the part of the file at `path`, and replaces the part of an earlier run.
    ///
    /// # Errors
    ///
    /// The part cannot be created.
    pub fn create(path: &Path) -> io::Result<PartFile> {
        let part = part_of(path);
        // The old part may be a link. The run writes only to new files.
        match fs::remove_file(&part) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        Ok(PartFile { file: File::create_new(&part)?, part, path: path.to_owned() })
    }

    /// Opens the part that an earlier run left, for appending.
    ///
    /// # Errors
    ///
    /// The part is missing, or cannot be opened for writing.
    pub fn reopen(path: &Path) -> io::Result<PartFile> {
        let part = part_of(path);
        let file = OpenOptions::new().append(true).open(&part)?;
        Ok(PartFile { file, part, path: path.to_owned() })
    }

    /// Returns the open part.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Returns the path of the part.
    pub fn part(&self) -> &Path {
        &self.part
    }

    /// Returns the path that the complete file will have.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the bytes of the part durable.
    ///
    /// # Errors
    ///
    /// The system could not write all bytes.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    /// Makes the file durable under its name, and replaces a file of that name.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the bytes cannot be made durable, or the part cannot be renamed.
    pub fn finish(&self) -> Result<(), RunError> {
        self.sync().map_err(RunError::output("write", &self.part))?;
        rename_part(&self.path)?;
        sync_folder(&self.path)
    }

    /// Removes the part. Errors are ignored, since a caller that aborts a file has a better error
    /// to report.
    pub fn remove(&self) {
        let _ = fs::remove_file(&self.part);
    }
}
