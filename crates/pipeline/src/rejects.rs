//! The file of pages that are not in the output.

use crate::error::RunError;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The rejects file, open for appending.
pub(crate) struct Rejects {
    file: File,
    path: PathBuf,
    /// A pipe, a terminal or the like: cannot be cut, nor made durable.
    is_device: bool,
    written: u64,
}

impl Rejects {
    /// Opens the file with its first `keep` bytes, and no more.
    pub(crate) fn open(path: &Path, keep: u64) -> Result<Rejects, RunError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)
                .map_err(RunError::output("create the folder", folder))?;
        }
        let failed = |action| RunError::output(action, path);
        let file =
            OpenOptions::new().create(true).append(true).open(path).map_err(failed("open"))?;
        let metadata = file.metadata().map_err(failed("read"))?;
        let is_device = !metadata.is_file();
        if is_device {
            return Ok(Rejects { file, path: path.to_owned(), is_device, written: keep });
        }
        if metadata.len() < keep {
            let reason = format!("'{}' is shorter than it was", path.display());
            return Err(RunError::CannotResume { reason });
        }
        file.set_len(keep).map_err(failed("cut"))?;
        Ok(Rejects { file, path: path.to_owned(), is_device, written: keep })
    }

    pub(crate) fn append(&mut self, lines: &[u8]) -> Result<(), RunError> {
        self.written += lines.len() as u64;
        self.file.write_all(lines).map_err(RunError::output("write", &self.path))
    }

    /// Length in bytes.
    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    /// Makes it durable.
    pub(crate) fn sync(&self) -> Result<(), RunError> {
        if self.is_device {
            return Ok(());
        }
        self.file.sync_all().map_err(RunError::output("write", &self.path))
    }
}
