//! The bytes of an output: their number, their digest, and how they become durable.

use crate::clocks::Clocks;
use crate::digest::{Asked, Digest, hex};
use crate::durable::{create_folder, sync_folder};
use crate::error::RunError;
use crate::part_file::{PartFile, part_of, rename_part};
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

/// The file of an output, written as `NAME.part`.
pub struct OutputFile {
    file: PartFile,
    written: u64,
    /// How much of it the system was asked to put on the disk.
    sent: u64,
    digest: Digest,
}

/// The system is asked to write to the disk whenever it holds this many bytes, so that little is
/// left to wait for at the end.
const SENT_BYTES: u64 = 4 << 20;

impl OutputFile {
    fn new(file: PartFile, written: u64, digest: Sha256) -> OutputFile {
        OutputFile { file, written, sent: written, digest: Digest::new(digest) }
    }

    /// Begins an output, over the remains of an earlier one.
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

    /// Continues an output that an earlier run left. For each of the growing `lengths` in turn,
    /// `holds` is asked whether the file is known to be right so far, with the digest up to there.
    /// The last such length is that of the output, and what stands after it is left to
    /// [`OutputFile::cut`]. `None` if there is no such length.
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

    /// Cuts off what an earlier run wrote after the point from which this one goes on.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the part cannot be cut.
    pub fn cut(&mut self) -> Result<(), RunError> {
        let cut = self.file.file().set_len(self.written);
        cut.map_err(RunError::output("cut", self.file.part()))
    }

    /// Appends.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the part cannot be written, or the thread of its digest has died.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), RunError> {
        let written = self.write_all(bytes);
        self.checked(written)
    }

    /// What came of writing to this file, with its name in the error.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`] with the path of the part, made of the error in `written`.
    pub fn checked(&self, written: io::Result<()>) -> Result<(), RunError> {
        written.map_err(RunError::output("write", self.file.part()))
    }

    /// Has the system begin to write what it holds, without waiting for it. To begin takes a fifth
    /// of what writing takes, so that it is left to the thread of the digest.
    fn send(&mut self) {
        #[cfg(target_os = "linux")]
        if let Ok(file) = self.file.file().try_clone() {
            use rustix::fs::{Advice, fadvise};
            let (from, length) = (self.sent, std::num::NonZeroU64::new(self.written - self.sent));
            self.digest.leave(move || {
                // Advice can be ignored: whether all has arrived is asked at the end.
                let _ = fadvise(file, from, length, Advice::DontNeed);
            });
        }
        self.sent = self.written;
    }

    /// Length in bytes so far.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Has the CPU time counted that its digest takes in a thread of its own.
    pub fn count_in(&mut self, clocks: &Clocks) {
        self.digest.count_in(clocks);
    }

    /// Asks for the SHA-256 so far.
    ///
    /// # Errors
    ///
    /// [`RunError::Worker`]: the thread of the digest has died, which is a bug.
    pub fn ask_digest(&mut self) -> Result<Asked, RunError> {
        self.digest.ask()
    }

    /// SHA-256 so far, hexadecimal.
    ///
    /// # Errors
    ///
    /// [`RunError::Worker`]: the thread of the digest has died, which is a bug.
    pub fn digest(&mut self) -> Result<String, RunError> {
        self.ask_digest()?.hex()
    }

    /// Removes a part whose bytes could not be made durable. What is read of it now may come from
    /// memory alone, and the system reports the failure only once: a resumed run that continued it
    /// would be told that all is well.
    pub fn distrust(self) {
        self.file.remove();
    }

    /// Removes an output without rows, and the one that an earlier run may have made of other bytes
    /// of the input.
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

    /// Removes what was written.
    pub fn remove(self) {
        self.file.remove();
    }

    /// Makes it durable under its final name, and gives its length and SHA-256.
    ///
    /// # Errors
    ///
    /// It cannot be made durable.
    pub fn finish_marked(mut self) -> Result<(u64, String), RunError> {
        let (bytes, digest) = (self.written(), self.digest()?);
        self.finish()?;
        Ok((bytes, digest))
    }

    /// Makes it durable under its final name.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the bytes cannot be made durable, or the part cannot be renamed.
    pub fn finish(self) -> Result<(), RunError> {
        let path = self.file.path().to_owned();
        self.set_aside()?;
        rename_part(&path)?;
        sync_folder(&path)
    }

    /// Makes its bytes durable. It stays a part, which [`rename_part`] gives its name.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the bytes cannot be made durable. The part is removed then.
    pub fn set_aside(self) -> Result<(), RunError> {
        let synced = self.file.sync();
        synced.map_err(|error| {
            let error = RunError::output("write", self.file.part())(error);
            self.distrust();
            error
        })
    }
}

/// Appends.
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
