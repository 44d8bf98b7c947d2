//! Line files that a run appends to besides its outputs: the list of rejects and the dropped rows.

use crate::digest::hex;
use crate::durable::{create_folder, remove, sync_folder};
use crate::error::RunError;
use crate::run_files::lock::{lock, without_lock};
use crate::run_files::marks::LogMark;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Name of the run file for kept rejects, until they replace the lines of the list.
pub(crate) const REJECTS_NEW: &str = "run.rejects.new";

/// Name of the run file for kept dropped rows, until they replace the lines of their file.
pub(crate) const DROPPED_NEW: &str = "run.dropped.new";

/// The kind of lines in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogKind {
    /// Pages that are not in the output, with the reason.
    Rejects,
    /// Rows that stages dropped.
    Dropped,
}

impl LogKind {
    /// Both kinds, in the order in which a run opens their files.
    pub const ALL: [LogKind; 2] = [LogKind::Rejects, LogKind::Dropped];

    /// Returns the name of the lines in messages.
    pub fn name(self) -> &'static str {
        match self {
            LogKind::Rejects => "rejects",
            LogKind::Dropped => "dropped rows",
        }
    }

    /// Returns the option that requests the file.
    pub fn option(self) -> &'static str {
        match self {
            LogKind::Rejects => "--rejects",
            LogKind::Dropped => "--dropped",
        }
    }

    /// Returns the name of the run file for kept lines, until they replace the lines of the file.
    pub(crate) fn rewritten_name(self) -> &'static str {
        match self {
            LogKind::Rejects => REJECTS_NEW,
            LogKind::Dropped => DROPPED_NEW,
        }
    }

    /// Returns the first bytes of every line.
    fn line_start(self) -> &'static [u8] {
        match self {
            LogKind::Rejects => b"{\"url\":",
            LogKind::Dropped => b"{\"dropped\":",
        }
    }
}

/// A line file that is open for appending.
pub struct LineLog {
    file: File,
    path: PathBuf,
    /// Whether the file is a pipe, a terminal or the like, which can neither be cut nor made
    /// durable.
    is_device: bool,
    is_locked: bool,
    written: u64,
    /// Length in bytes when the current input began. The lines before it belong to finished inputs.
    base: u64,
    /// SHA-256 of the lines before `base`.
    before: Sha256,
    /// SHA-256 of the lines after `base`.
    digest: Sha256,
    /// SHA-256 of all lines.
    all: Sha256,
    /// Path of the run file that [`LineLog::leave_out`] writes.
    new: Option<PathBuf>,
    /// Whether the file at `new` holds the kept lines.
    is_rewritten: bool,
}

/// Lines of an earlier run that stay in the file.
#[derive(Debug, Default)]
pub struct RetainedLines {
    /// Length of the lines of finished inputs, in bytes.
    pub base: u64,
    /// SHA-256 of these lines, if the run noted it.
    pub digest: Option<String>,
    /// Length in bytes including the lines of the input that this run continues.
    pub keep: u64,
    /// Path of the run file that [`LineLog::leave_out`] writes.
    pub new: Option<PathBuf>,
}

impl LineLog {
    /// Opens the file and locks it. `earlier` describes the lines of an earlier run. The file does
    /// not change before [`LineLog::cut`].
    ///
    /// # Errors
    ///
    /// * [`RunError::Link`]: `path` is a symbolic link to a file.
    /// * [`RunError::Locked`]: another run has the file locked.
    /// * [`RunError::NotLog`]: without `earlier`, the file holds something else.
    /// * [`RunError::CannotResume`]: with `earlier`, the file is shorter or has other lines.
    /// * [`RunError::Output`]: the file or its folder cannot be created, opened or read.
    pub fn open(
        kind: LogKind,
        path: &Path,
        earlier: Option<&RetainedLines>,
    ) -> Result<LineLog, RunError> {
        refuse_link(path)?;
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            create_folder(folder)?;
        }
        let failed = |action| RunError::output(action, path);
        let file =
            OpenOptions::new().create(true).append(true).open(path).map_err(failed("open"))?;
        let metadata = file.metadata().map_err(failed("read"))?;
        let is_device = !metadata.is_file();
        let is_locked = is_device || lock(&file, path)?;
        let none = RetainedLines::default();
        let RetainedLines { base, digest: noted, keep, new } = earlier.unwrap_or(&none);
        let (base, keep) = (*base, *keep);
        let (mut before, mut all, mut digest) = (Sha256::new(), Sha256::new(), Sha256::new());
        if !is_device {
            if earlier.is_none() && !may_be_overwritten(kind, path).map_err(failed("read"))? {
                return Err(RunError::NotLog {
                    path: path.to_owned(),
                    lines: kind.name(),
                    option: kind.option(),
                });
            }
            let other = |how: &str| {
                let (path, name) = (path.display(), kind.name());
                let reason =
                    format!("'{path}' is not the file of {name} that the run wrote: it {how}");
                RunError::CannotResume { reason }
            };
            if let (Some(noted), Some(new)) = (noted, new) {
                finish_rewriting((&file, path), new, base, noted)?;
            }
            let mut at_lengths = Vec::new();
            digest_until(path, 0, &[base, keep], |at| at_lengths.push(at))
                .map_err(failed("read"))?;
            let Ok([at_base, at_keep]) = <[Sha256; 2]>::try_from(at_lengths) else {
                return Err(other("is shorter"));
            };
            (before, all) = (at_base, at_keep);
            if noted.as_ref().is_some_and(|noted| *noted != hex(before.clone())) {
                return Err(other("has other lines"));
            }
            if keep > base {
                digest_until(path, base, &[keep], |at| digest = at).map_err(failed("read"))?;
            }
        }
        Ok(LineLog {
            file,
            path: path.to_owned(),
            is_device,
            is_locked,
            written: keep,
            base,
            before,
            digest,
            all,
            new: new.clone(),
            is_rewritten: false,
        })
    }

    /// Removes the lines of inputs that the run reads again. `kept` holds the byte ranges of the
    /// lines of the other finished inputs, in order. Returns the length of the file after each of
    /// them.
    ///
    /// The kept lines go to a run file. [`LineLog::cut`] moves them into the file itself, after the
    /// journal has the new lengths. If the run is killed in between, a resumed run finishes this.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the file cannot be read, or the run file cannot be written.
    pub fn leave_out(&mut self, kept: &[Range<u64>]) -> Result<Vec<LogMark>, RunError> {
        let Some(new) = self.new.clone() else { return Ok(Vec::new()) };
        let failed = |action| RunError::output(action, &new);
        remove(&new)?;
        let mut to = File::create_new(&new).map_err(failed("create"))?;
        let (mut all, mut written, mut marks) = (Sha256::new(), 0, Vec::new());
        for range in kept {
            self.copy(range.clone(), &mut to, &mut all).map_err(failed("write"))?;
            written += range.end - range.start;
            marks.push(LogMark { bytes: written, digest: Some(hex(all.clone())) });
        }
        (self.before, self.all) = (all.clone(), all.clone());
        self.copy(self.base..self.written, &mut to, &mut all).map_err(failed("write"))?;
        self.all = all;
        (self.base, self.written) = (written, written + (self.written - self.base));
        to.sync_all().map_err(failed("write"))?;
        sync_folder(&new)?;
        self.is_rewritten = true;
        Ok(marks)
    }

    /// Copies a range of lines to `to`, and adds them to `digest`.
    fn copy(&self, range: Range<u64>, to: &mut File, digest: &mut Sha256) -> io::Result<()> {
        let mut from = File::open(&self.path)?;
        from.seek(SeekFrom::Start(range.start))?;
        let mut from = from.take(range.end - range.start);
        let mut buffer = vec![0; 1 << 16];
        loop {
            let read = from.read(&mut buffer)?;
            if read == 0 {
                return Ok(());
            }
            to.write_all(&buffer[..read])?;
            digest.update(&buffer[..read]);
        }
    }

    /// Whether the file can be read back and cut.
    pub fn is_regular(&self) -> bool {
        !self.is_device
    }

    /// Returns a note for the user if the file could not be locked.
    pub fn note(&self) -> Option<String> {
        (!self.is_locked).then(|| without_lock(&self.path))
    }

    /// Cuts off all lines that do not stay.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the file cannot be cut, or its folder cannot be synced.
    pub fn cut(&self) -> Result<(), RunError> {
        if self.is_device {
            return Ok(());
        }
        match &self.new {
            Some(new) if self.is_rewritten => replace_lines((&self.file, &self.path), new)?,
            _ => {
                self.file.set_len(self.written).map_err(RunError::output("cut", &self.path))?;
                self.new.as_deref().map_or(Ok(()), remove)?;
            }
        }
        // The journal relies on the file's existence.
        sync_folder(&self.path)
    }

    /// Appends whole lines, and adds them to the digests. [`LineLog::sync`] makes them durable.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the file cannot be written.
    pub fn append(&mut self, lines: &[u8]) -> Result<(), RunError> {
        self.file.write_all(lines).map_err(RunError::output("write", &self.path))?;
        self.written += lines.len() as u64;
        self.digest.update(lines);
        self.all.update(lines);
        Ok(())
    }

    /// Returns the length in bytes.
    pub fn bytes_written(&self) -> u64 {
        self.written
    }

    /// Returns the SHA-256 of the lines of the current input, in hexadecimal.
    pub fn digest(&self) -> String {
        hex(self.digest.clone())
    }

    /// Returns the SHA-256 of the file, in hexadecimal. `None` for a device, which cannot be read
    /// back.
    pub fn digest_of_all(&self) -> Option<String> {
        (!self.is_device).then(|| hex(self.all.clone()))
    }

    /// Begins the lines of the next input.
    pub fn begin_input(&mut self) {
        self.base = self.written;
        self.before = self.all.clone();
        self.digest = Sha256::new();
    }

    /// Discards the lines of the current input. The run aborted the input, and a later run will
    /// list them again.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the file cannot be cut.
    pub fn forget_input(&mut self) -> Result<(), RunError> {
        if !self.is_device {
            self.file.set_len(self.base).map_err(RunError::output("cut", &self.path))?;
            self.written = self.base;
            self.all = self.before.clone();
        }
        self.begin_input();
        Ok(())
    }

    /// Makes the lines durable.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the system cannot write all bytes to the disk.
    pub fn sync(&self) -> Result<(), RunError> {
        if self.is_device {
            return Ok(());
        }
        self.file.sync_all().map_err(RunError::output("write", &self.path))
    }
}

/// Puts the lines of the run file `new` into the file, if the earlier run was killed before that.
/// In this case only `new` has the noted digest for its lines up to `base`.
fn finish_rewriting(
    (file, path): (&File, &Path),
    new: &Path,
    base: u64,
    noted: &str,
) -> Result<(), RunError> {
    let has_noted = |path| -> Result<bool, RunError> {
        let found = digests(path, 0, &[base])?;
        Ok(found.is_some_and(|found| found.first().is_some_and(|found| found == noted)))
    };
    if new.exists() && !has_noted(path)? && has_noted(new)? {
        replace_lines((file, path), new)?;
    }
    Ok(())
}

/// Replaces all lines of the file by those of the run file `new`, and removes `new`.
fn replace_lines((mut file, path): (&File, &Path), new: &Path) -> Result<(), RunError> {
    let failed = |action| RunError::output(action, path);
    let mut lines = File::open(new).map_err(RunError::output("open", new))?;
    file.set_len(0).map_err(failed("cut"))?;
    io::copy(&mut lines, &mut file).map_err(failed("write"))?;
    file.sync_all().map_err(failed("write"))?;
    remove(new)
}

/// Refuses a link to a file, because a link must not choose the file to be cut and filled. Links in
/// `/dev` and `/proc` are allowed: they are the system's names of open files, such as `/dev/stderr`
/// and that of `>(…)`.
fn refuse_link(path: &Path) -> Result<(), RunError> {
    let is_link = path.symlink_metadata().is_ok_and(|file| file.is_symlink());
    let leads_to_file = || path.metadata().map_or(true, |file| file.is_file());
    let is_of_system = path.starts_with("/dev") || path.starts_with("/proc");
    if is_link && !is_of_system && leads_to_file() {
        return Err(RunError::Link { path: path.to_owned() });
    }
    Ok(())
}

/// Whether the file may be overwritten. It must be empty, begin like our own lines, or begin with
/// zeros. A loss of power may leave zeros in place of our lines.
fn may_be_overwritten(kind: LogKind, path: &Path) -> io::Result<bool> {
    let beginning = kind.line_start();
    let mut head = Vec::new();
    File::open(path)?.take(beginning.len() as u64).read_to_end(&mut head)?;
    Ok(beginning.starts_with(&head) || head.iter().all(|byte| *byte == 0))
}

/// Returns the SHA-256 of the bytes from `base` to each of the growing `lengths` that the file
/// reaches. `None` for a file that is not regular, which cannot be read back.
///
/// # Errors
///
/// [`RunError::Output`]: the file cannot be read. A missing file gives an empty list.
pub fn digests(path: &Path, base: u64, lengths: &[u64]) -> Result<Option<Vec<String>>, RunError> {
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

/// Reads the file from `base`, and gives `seen` the digest at each of the growing lengths that the
/// file reaches.
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
