//! A file of lines that a run appends to besides its outputs: the list of rejects, and the rows
//! that stages dropped.

use crate::digest::hex;
use crate::durable::{create_folder, remove, sync_folder};
use crate::error::RunError;
use crate::run_files::lock::{lock, without_lock};
use crate::run_files::marks::LogMark;
use sha2::{Digest, Sha256};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The run file with the rejects that stay, while they replace those of the list.
pub(crate) const REJECTS_NEW: &str = "run.rejects.new";

/// The same of dropped rows.
pub(crate) const DROPPED_NEW: &str = "run.dropped.new";

/// What the lines tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogKind {
    /// Pages that are not in the output, and why.
    Rejects,
    /// Rows that stages dropped.
    Dropped,
}

impl LogKind {
    /// Both kinds, in the order in which a run opens their files.
    pub const ALL: [LogKind; 2] = [LogKind::Rejects, LogKind::Dropped];

    /// What its lines are called in messages.
    pub fn name(self) -> &'static str {
        match self {
            LogKind::Rejects => "rejects",
            LogKind::Dropped => "dropped rows",
        }
    }

    /// The option that asks for it.
    pub fn option(self) -> &'static str {
        match self {
            LogKind::Rejects => "--rejects",
            LogKind::Dropped => "--dropped",
        }
    }

    /// Name of the run file with the lines that stay, while they replace the lines of the file.
    pub(crate) fn rewritten(self) -> &'static str {
        match self {
            LogKind::Rejects => REJECTS_NEW,
            LogKind::Dropped => DROPPED_NEW,
        }
    }

    /// What every line begins with.
    fn beginning(self) -> &'static [u8] {
        match self {
            LogKind::Rejects => b"{\"url\":",
            LogKind::Dropped => b"{\"dropped\":",
        }
    }
}

/// Such a file, open for appending.
pub struct LineLog {
    file: File,
    path: PathBuf,
    /// Whether it is a pipe, a terminal or the like, which can neither be cut nor made durable.
    is_device: bool,
    is_locked: bool,
    written: u64,
    /// Length when the present input began. The lines before it belong to finished inputs.
    base: u64,
    /// SHA-256 of the lines before `base`.
    before: Sha256,
    /// SHA-256 of the lines after `base`.
    digest: Sha256,
    /// SHA-256 of all lines.
    all: Sha256,
    /// The run file that [`LineLog::leave_out`] writes.
    new: Option<PathBuf>,
    /// Whether it holds the lines that stay.
    is_rewritten: bool,
}

/// What an earlier run left in the file that is to stay there.
#[derive(Debug, Default)]
pub struct Earlier {
    /// Length of the lines of finished inputs.
    pub base: u64,
    /// Their SHA-256, where the run noted it.
    pub digest: Option<String>,
    /// Length with the lines of the input that the run resumes.
    pub keep: u64,
    /// The run file that [`LineLog::leave_out`] writes.
    pub new: Option<PathBuf>,
}

impl LineLog {
    /// Opens the file and locks it. `earlier` is what an earlier run left there. The file does not
    /// change before [`LineLog::cut`].
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
        earlier: Option<&Earlier>,
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
        let none = Earlier::default();
        let Earlier { base, digest: noted, keep, new } = earlier.unwrap_or(&none);
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

    /// Leaves out lines of inputs that the run does again. `kept` are the places of the lines of
    /// other finished inputs, in their order. Returns how long the file is after each of them.
    ///
    /// The lines that stay go to a run file. [`LineLog::cut`] puts them into the file itself, after
    /// the journal has the new lengths. A resumed run finishes this if a kill comes between.
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

    /// Copies lines, and adds them to a digest.
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

    /// What is to be told of the file.
    pub fn note(&self) -> Option<String> {
        (!self.is_locked).then(|| without_lock(&self.path))
    }

    /// Cuts off everything that is not to stay.
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
        // The journal will count on the file being there.
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

    /// Length in bytes.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// SHA-256 of the lines of the present input, hexadecimal.
    pub fn digest(&self) -> String {
        hex(self.digest.clone())
    }

    /// SHA-256 of the file, hexadecimal. `None` if it cannot be read back.
    pub fn digest_of_all(&self) -> Option<String> {
        (!self.is_device).then(|| hex(self.all.clone()))
    }

    /// The next input begins.
    pub fn begin_input(&mut self) {
        self.base = self.written;
        self.before = self.all.clone();
        self.digest = Sha256::new();
    }

    /// Discards the lines of the present input. The run gave the input up, and a later run will
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

    /// Makes it durable.
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

/// Puts the lines of the run file `new` into the file, if a kill came before that. Then the lines
/// up to `base` have the noted digest in `new` alone.
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

/// Replaces all lines of the file by those of the run file `new`, which is removed.
fn replace_lines((mut file, path): (&File, &Path), new: &Path) -> Result<(), RunError> {
    let failed = |action| RunError::output(action, path);
    let mut lines = File::open(new).map_err(RunError::output("open", new))?;
    file.set_len(0).map_err(failed("cut"))?;
    io::copy(&mut lines, &mut file).map_err(failed("write"))?;
    file.sync_all().map_err(failed("write"))?;
    remove(new)
}

/// Refuses a link to a file, which must not choose the file that is cut and filled. The links of
/// `/dev` and `/proc` are the system's names for files that are open, such as `/dev/stderr` and
/// that of `>(…)`.
fn refuse_link(path: &Path) -> Result<(), RunError> {
    let is_link = path.symlink_metadata().is_ok_and(|file| file.is_symlink());
    let leads_to_file = || path.metadata().map_or(true, |file| file.is_file());
    let is_of_system = path.starts_with("/dev") || path.starts_with("/proc");
    if is_link && !is_of_system && leads_to_file() {
        return Err(RunError::Link { path: path.to_owned() });
    }
    Ok(())
}

/// Whether the file may be overwritten. It may if it is empty, if it begins as our own lines do, or
/// if it holds zeros, which is what a loss of power may leave of our lines.
fn may_be_overwritten(kind: LogKind, path: &Path) -> io::Result<bool> {
    let beginning = kind.beginning();
    let mut head = Vec::new();
    File::open(path)?.take(beginning.len() as u64).read_to_end(&mut head)?;
    Ok(beginning.starts_with(&head) || head.iter().all(|byte| *byte == 0))
}

/// For each of the growing `lengths` that the file at `path` reaches, the digest of its bytes from
/// `base` up to there. `None` if it is no regular file, which cannot be read back.
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

/// Reads the file from `base` on, and gives `seen` the digest at each of the growing lengths that
/// it reaches.
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
