//! Writes an output file, counts and hashes its bytes, and makes them durable.

use crate::clocks::Clocks;
use crate::digest::{Digest, RequestedDigest, hex};
use crate::durable::{create_folder, sync_folder};
use crate::error::RunError;
use crate::part_file::{PartFile, part_of, rename_part};
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// An output file, written as `NAME.part`.
pub struct OutputFile {
    file: PartFile,
    written: u64,
    /// Number of bytes that the system was asked to write to the disk.
    sent: u64,
    digest: Digest,
}

/// Number of buffered bytes at which the system is asked to write to the disk. This leaves little
/// to wait for at the end.
const SENT_BYTES: u64 = 4 << 20;

impl OutputFile {
    fn new(file: PartFile, written: u64, digest: Sha256) -> OutputFile {
        OutputFile { file, written, sent: written, digest: Digest::new(digest) }
    }

    /// Begins an output, and replaces the part of an earlier run.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the part or a folder above it cannot be created.
    pub fn create(path: &Path) -> Result<OutputFile, RunError> {
        if let Some(folder) = path.parent() {
            create_folder(folder)?;
        }
        let file = PartFile::create(path).map_err(RunError::output("create", &part_of(path)))?;
        Ok(OutputFile::new(file, 0, Sha256::new()))
    }

    /// Continues an output of an earlier run. For each of the growing `lengths`, `holds` gets its
    /// place and the digest up to there, and returns whether the file is right so far. The output
    /// continues at the last length that holds; [`OutputFile::cut`] removes the bytes after it.
    /// `None` if no length holds.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the part cannot be opened or read. A missing part gives `None`.
    pub fn resume(
        path: &Path,
        lengths: &[u64],
        mut holds: impl FnMut(usize, &str) -> bool,
    ) -> Result<Option<(OutputFile, usize)>, RunError> {
        let part = part_of(path);
        let failed = |action| RunError::output(action, &part);
        let mut file = match File::open(&part) {
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
        let file = PartFile::reopen(path).map_err(failed("open"))?;
        Ok(Some((OutputFile::new(file, written, digest), place)))
    }

    /// Cuts off the bytes that an earlier run wrote after the point of resumption.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the part cannot be cut.
    pub fn cut(&mut self) -> Result<(), RunError> {
        let cut = self.file.file().set_len(self.written);
        cut.map_err(RunError::output("cut", self.file.part()))
    }

    /// Appends bytes.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the part cannot be written, or the thread of its digest has died.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), RunError> {
        let written = self.write_all(bytes);
        self.check_write(written)
    }

    /// Converts the result of a write to this file, and adds the file's name to an error.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`] with the path of the part, if `written` is an error.
    pub fn check_write(&self, written: io::Result<()>) -> Result<(), RunError> {
        written.map_err(RunError::output("write", self.file.part()))
    }

    /// Asks the system to begin writing its buffered bytes, without waiting for it. This call takes
    /// a fifth of the time of writing, so the digest thread makes it.
    fn send(&mut self) {
        #[cfg(target_os = "linux")]
        if let Ok(file) = self.file.file().try_clone() {
            use rustix::fs::{Advice, fadvise};
            let (from, length) = (self.sent, std::num::NonZeroU64::new(self.written - self.sent));
            self.digest.leave(move || {
                // Advice may be ignored. The final sync checks that all bytes arrived.
                let _ = fadvise(file, from, length, Advice::DontNeed);
            });
        }
        self.sent = self.written;
    }

    /// Returns the length in bytes so far.
    pub fn bytes_written(&self) -> u64 {
        self.written
    }

    /// Counts the CPU time of the digest thread in `clocks`.
    pub fn add_time_to(&mut self, clocks: &Clocks) {
        self.digest.add_time_to(clocks);
    }

    /// Requests the SHA-256 so far.
    ///
    /// # Errors
    ///
    /// [`RunError::Worker`]: the thread of the digest has died, which is a bug.
    pub fn ask_digest(&mut self) -> Result<RequestedDigest, RunError> {
        self.digest.request()
    }

    /// Returns the SHA-256 so far, in hexadecimal. Waits for it.
    ///
    /// # Errors
    ///
    /// [`RunError::Worker`]: the thread of the digest has died, which is a bug.
    pub fn digest(&mut self) -> Result<String, RunError> {
        self.ask_digest()?.hex()
    }

    /// Removes a part whose bytes could not be made durable. Its bytes may be in memory only, and
    /// the system reports the failure only once. A resumed run that continued the part would see no
    /// error.
    pub fn discard_unsynced(self) {
        self.file.remove();
    }

    /// Removes an output without rows. Also removes an output that an earlier run made from other
    /// bytes of the input.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the earlier output cannot be removed, or the folder cannot be synced.
    pub fn discard(self) -> Result<(), RunError> {
        let path = self.file.path();
        self.file.remove();
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(RunError::output("remove", path)(error))
            }
            _ => sync_folder(path),
        }
    }

    /// Removes the part.
    pub fn remove(self) {
        self.file.remove();
    }

    /// Makes the file durable under its final name, and returns its length in bytes and its
    /// SHA-256.
    ///
    /// # Errors
    ///
    /// The bytes cannot be made durable, the part cannot be renamed, or the digest thread has died.
    pub fn finish_marked(mut self) -> Result<(u64, String), RunError> {
        let (bytes, digest) = (self.bytes_written(), self.digest()?);
        self.finish()?;
        Ok((bytes, digest))
    }

    /// Makes the file durable under its final name.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the bytes cannot be made durable, or the part cannot be renamed.
    pub fn finish(self) -> Result<(), RunError> {
        let path = self.file.path().to_owned();
        self.sync_as_part()?;
        rename_part(&path)?;
        sync_folder(&path)
    }

    /// Makes the bytes durable. The file stays a part until [`rename_part`] gives it its name.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the bytes cannot be made durable. The part is then removed.
    pub fn sync_as_part(self) -> Result<(), RunError> {
        let synced = self.file.sync();
        synced.map_err(|error| {
            let error = RunError::output("write", self.file.part())(error);
            self.discard_unsynced();
            error
        })
    }
}

/// Appends bytes, and counts and hashes them.
impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.file().write(bytes)?;
        self.digest.update(&bytes[..written])?;
        self.written += written as u64;
        if self.written - self.sent >= SENT_BYTES {
            self.send();
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
