//! The file of pages that are not in the output.

use crate::error::RunError;
use crate::output::{create_folder, hex, sync_folder};
use sha2::{Digest, Sha256};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The rejects file, open for appending.
pub(crate) struct Rejects {
    file: File,
    path: PathBuf,
    /// A pipe, a terminal or the like: cannot be cut, nor made durable.
    is_device: bool,
    written: u64,
    /// Length when the present input began: all before it belongs to inputs that are done.
    base: u64,
    /// SHA-256 of what lies behind `base`.
    digest: Sha256,
}

impl Rejects {
    /// Opens the file, of which the first `keep` bytes are to stay; those behind `base` are of the input to be gone on with.
    /// Nothing in it changes before it is cut.
    pub(crate) fn open(path: &Path, base: u64, keep: u64) -> Result<Rejects, RunError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            create_folder(folder)?;
        }
        let failed = |action| RunError::output(action, path);
        let file =
            OpenOptions::new().create(true).append(true).open(path).map_err(failed("open"))?;
        let metadata = file.metadata().map_err(failed("read"))?;
        let is_device = !metadata.is_file();
        let mut digest = Sha256::new();
        if !is_device {
            if metadata.len() < keep {
                let reason = format!("'{}' is shorter than it was", path.display());
                return Err(RunError::CannotResume { reason });
            }
            if keep > base {
                digest_until(path, base, &[keep], |at| digest = at).map_err(failed("read"))?;
            }
        }
        Ok(Rejects { file, path: path.to_owned(), is_device, written: keep, base, digest })
    }

    /// Cuts off what is not to stay.
    pub(crate) fn cut(&self) -> Result<(), RunError> {
        if self.is_device {
            return Ok(());
        }
        self.file.set_len(self.written).map_err(RunError::output("cut", &self.path))?;
        // The journal will count on the file being there.
        sync_folder(&self.path)
    }

    pub(crate) fn append(&mut self, lines: &[u8]) -> Result<(), RunError> {
        self.file.write_all(lines).map_err(RunError::output("write", &self.path))?;
        self.written += lines.len() as u64;
        self.digest.update(lines);
        Ok(())
    }

    /// Length in bytes.
    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    /// SHA-256 of the lines of the present input, hexadecimal.
    pub(crate) fn digest(&self) -> String {
        hex(self.digest.clone())
    }

    /// The next input begins.
    pub(crate) fn begin_input(&mut self) {
        self.base = self.written;
        self.digest = Sha256::new();
    }

    /// Forgets the lines of the present input: it was given up, and will list them again when it is done anew.
    pub(crate) fn forget_input(&mut self) -> Result<(), RunError> {
        if !self.is_device {
            self.file.set_len(self.base).map_err(RunError::output("cut", &self.path))?;
            self.written = self.base;
        }
        self.begin_input();
        Ok(())
    }

    /// Makes it durable.
    pub(crate) fn sync(&self) -> Result<(), RunError> {
        if self.is_device {
            return Ok(());
        }
        self.file.sync_all().map_err(RunError::output("write", &self.path))
    }
}

/// For growing `lengths` of the file at `path`, as far as it reaches: the digest of what lies between `base` and each. `None`
/// for what is no file, of which nothing can be known.
pub(crate) fn digests(
    path: &Path,
    base: u64,
    lengths: &[u64],
) -> Result<Option<Vec<String>>, RunError> {
    match path.metadata() {
        Ok(metadata) if !metadata.is_file() => return Ok(None),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Some(Vec::new())),
        Err(error) => return Err(RunError::output("read", path)(error)),
    }
    let mut found = Vec::new();
    digest_until(path, base, lengths, |digest| found.push(hex(digest)))
        .map_err(RunError::output("read", path))?;
    Ok(Some(found))
}

/// Reads the file from `base` on, and gives `seen` the digest at each of the growing lengths that it reaches.
fn digest_until(
    path: &Path,
    base: u64,
    lengths: &[u64],
    mut seen: impl FnMut(Sha256),
) -> io::Result<()> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(base))?;
    let mut buffer = vec![0; 1 << 16];
    let mut digest = Sha256::new();
    let mut at = base;
    for length in lengths {
        while at < *length {
            let wanted = buffer.len().min((*length - at) as usize);
            let read = file.read(&mut buffer[..wanted])?;
            if read == 0 {
                return Ok(());
            }
            digest.update(&buffer[..read]);
            at += read as u64;
        }
        seen(digest.clone());
    }
    Ok(())
}
