//! The file that rows go to.

use crate::error::RunError;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// An output being written as `NAME.part`.
pub(crate) struct OutputFile {
    file: File,
    part: PathBuf,
    path: PathBuf,
    written: u64,
    /// How much of it the system was asked to put on the disk.
    sent: u64,
    digest: Sha256,
}

/// So many bytes are asked to be put on the disk together, that little is left to wait for at the end.
const SENT_BYTES: u64 = 4 << 20;

/// Name of the file while it is being written.
pub(crate) fn part_of(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".part");
    PathBuf::from(name)
}

impl OutputFile {
    fn new(file: File, part: PathBuf, path: &Path, written: u64, digest: Sha256) -> OutputFile {
        OutputFile { file, part, path: path.to_owned(), written, sent: written, digest }
    }

    /// Begins an output, over the remains of an earlier one.
    pub(crate) fn create(path: &Path) -> Result<OutputFile, RunError> {
        if let Some(folder) = path.parent() {
            create_folder(folder)?;
        }
        let part = part_of(path);
        let file = File::create(&part).map_err(RunError::output("create", &part))?;
        Ok(OutputFile::new(file, part, path, 0, Sha256::new()))
    }

    /// Goes on with an output that was left off. `holds` is asked, with growing lengths from `lengths` and the digest up to
    /// each, whether the file is known to have been right so far; what comes after the last such length is cut off. `None`
    /// if there is none.
    pub(crate) fn resume(
        path: &Path,
        lengths: &[u64],
        mut holds: impl FnMut(usize, &str) -> bool,
    ) -> Result<Option<(OutputFile, usize)>, RunError> {
        let part = part_of(path);
        let failed = |action| RunError::output(action, &part);
        let mut file = match OpenOptions::new().read(true).write(true).open(&part) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed("open")(error)),
        };
        let mut buffer = vec![0; 1 << 20];
        let mut digest = Sha256::new();
        let mut at = 0;
        let mut good = None;
        for (place, length) in lengths.iter().enumerate() {
            while at < *length {
                let wanted = buffer.len().min((*length - at) as usize);
                let read = file.read(&mut buffer[..wanted]).map_err(failed("read"))?;
                if read == 0 {
                    break;
                }
                digest.update(&buffer[..read]);
                at += read as u64;
            }
            if at < *length || !holds(place, &hex(digest.clone())) {
                break;
            }
            good = Some((place, at, digest.clone()));
        }
        let Some((place, written, digest)) = good else { return Ok(None) };
        file.set_len(written).map_err(failed("cut"))?;
        let mut file = OpenOptions::new().append(true).open(&part).map_err(failed("open"))?;
        file.flush().map_err(failed("write"))?;
        Ok(Some((OutputFile::new(file, part, path, written, digest), place)))
    }

    /// Appends a frame.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<(), RunError> {
        self.file.write_all(bytes).map_err(RunError::output("write", &self.part))?;
        self.digest.update(bytes);
        self.written += bytes.len() as u64;
        if self.written - self.sent >= SENT_BYTES {
            self.send();
        }
        Ok(())
    }

    /// Has the system begin to write what it holds, without waiting for it.
    fn send(&mut self) {
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{Advice, fadvise};
            let length = std::num::NonZeroU64::new(self.written - self.sent);
            // Advice can be ignored: whether all has arrived is asked at the end.
            let _ = fadvise(&self.file, self.sent, length, Advice::DontNeed);
        }
        self.sent = self.written;
    }

    /// Length in bytes so far.
    pub(crate) fn written(&self) -> u64 {
        self.written
    }

    /// SHA-256 so far, hexadecimal.
    pub(crate) fn digest(&self) -> String {
        hex(self.digest.clone())
    }

    /// Removes it, see [`distrust`].
    pub(crate) fn distrust(self) {
        distrust(&self.part);
    }

    /// Makes it durable under its final name.
    pub(crate) fn finish(self) -> Result<(), RunError> {
        let OutputFile { file, part, path, .. } = self;
        if let Err(error) = file.sync_all() {
            distrust(&part);
            return Err(RunError::output("write", &part)(error));
        }
        drop(file);
        fs::rename(&part, &path).map_err(RunError::output("rename to", &path))?;
        sync_folder(&path)
    }
}

pub(crate) fn hex(digest: Sha256) -> String {
    HEXLOWER.encode(&digest.finalize())
}

/// Removes a file whose bytes could not be made durable. What is read of it now may come from memory alone, and the system
/// says so once only: a resumed run that went on with it would be told that all is well.
fn distrust(path: &Path) {
    // If it cannot be removed either, the error at hand says enough.
    let _ = fs::remove_file(path);
}

/// Makes a folder, with those above it, whose names last.
pub(crate) fn create_folder(folder: &Path) -> Result<(), RunError> {
    let missing: Vec<_> = folder
        .ancestors()
        .take_while(|above| !above.as_os_str().is_empty() && !above.exists())
        .collect();
    fs::create_dir_all(folder).map_err(RunError::output("create the folder", folder))?;
    missing.into_iter().try_for_each(sync_folder)
}

/// Makes the names in the folder of `path` durable.
pub(crate) fn sync_folder(path: &Path) -> Result<(), RunError> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(RunError::output("sync the folder", folder))
}
