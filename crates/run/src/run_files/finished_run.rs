//! A finished run whose outputs a command replaces: it leaves rows out of them, or writes them
//! again.
//!
//! A command opens the folder, which locks it, and takes the inputs one by one. For each input an
//! [`EntryRewrite`] writes the new files as parts, notes them in the [log](super::redo_log), and
//! gives them their names. [`FinishedRun::finish`] puts the new entries into the journal. A killed
//! command leaves whole files, old or new. The next command that locks the folder completes the
//! log, and a repetition of the killed command does the rest.

use crate::durable::remove;
use crate::error::RunError;
use crate::line_log::LogKind;
use crate::output_file::OutputFile;
use crate::part_file::part_of;
use crate::run_files::checkpoint;
use crate::run_files::journal::{self, JournalEntry};
use crate::run_files::links;
use crate::run_files::lock::{lock, without_lock};
use crate::run_files::marks::{LogMark, OutputMark, SignatureMark, digits};
use crate::run_files::merge::has_ended;
use crate::run_files::output_folders::OutputFolders;
use crate::run_files::paths::{LOCK, RUN_FILES, SUCCESS, written_files};
use crate::run_files::redo_log::{RedoFile, RedoLog, RedoNote, RedoRecord, RedoTarget, settle};
use crate::run_files::run_config::{self, RunConfig};
use crate::run_files::side_tables::SideTable;
use crate::run_files::timing;
use crate::signature_file;
use huller_row::{Compression, Layout, formats::format_of_name, layouts};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The content of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputContent {
    /// Rows. Each row is in exactly one file of this kind.
    Rows,
    /// The rows again, in another format.
    SameRows,
    /// A table beside the rows.
    Side(SideTable),
}

/// An output of a finished run.
#[derive(Clone, Debug)]
pub struct RunOutput {
    /// Its mark in the journal.
    pub mark: OutputMark,
    /// Its path.
    pub path: PathBuf,
    /// Its content.
    pub content: OutputContent,
}

/// A finished run, locked for changes.
pub struct FinishedRun {
    folders: OutputFolders,
    config: Option<RunConfig>,
    entries: Vec<JournalEntry>,
    log: Mutex<Option<RedoLog>>,
    note: Option<String>,
    _lock: File,
}

impl FinishedRun {
    /// Opens and locks the folder of a finished run, and completes the changes of a killed command.
    ///
    /// # Errors
    ///
    /// * [`RunError::NoRun`]: the folder holds no run.
    /// * [`RunError::Locked`]: another command is at work in the folder.
    /// * [`RunError::Unfinished`]: the run has not reached its end.
    /// * [`RunError::Link`]: a run file is a symbolic link.
    /// * [`RunError::DamagedRun`], [`RunError::CannotResume`]: a run file is damaged.
    /// * [`RunError::Output`]: a run file cannot be read or written.
    pub fn open(root: &Path) -> Result<FinishedRun, RunError> {
        let files = root.join(RUN_FILES);
        if !files.join(journal::NAME).is_file() {
            return Err(RunError::NoRun { path: root.to_owned() });
        }
        links::refuse(root, written_files(root))?;
        let path = files.join(LOCK);
        let lock_file = File::create(&path).map_err(RunError::output("create", &path))?;
        let note = (!lock(&lock_file, root)?).then(|| without_lock(root));
        settle(root)?;
        let is_open = !checkpoint::read(&files.join(checkpoint::NAME))?.is_empty();
        if is_open || !(root.join(SUCCESS).exists() || has_ended(&files)?) {
            return Err(RunError::Unfinished { path: root.to_owned() });
        }
        Ok(FinishedRun {
            folders: OutputFolders::read(root)?,
            config: RunConfig::read(&files.join(run_config::NAME))?,
            entries: journal::read(&files.join(journal::NAME))?,
            log: Mutex::new(None),
            note,
            _lock: lock_file,
        })
    }

    /// Returns a note for the user if the folder could not be locked.
    pub fn lock_note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// Returns the folder of the rows.
    pub fn root(&self) -> &Path {
        self.folders.root()
    }

    /// Returns the inputs of the run.
    pub fn entries(&self) -> &[JournalEntry] {
        &self.entries
    }

    /// Returns whether the run wrote rows, rather than a list of rows to drop.
    pub fn has_rows(&self) -> bool {
        self.config.as_ref().is_none_or(RunConfig::writes_rows)
    }

    /// Returns a setting of the run.
    pub fn setting(&self, name: &str) -> Option<&serde_json::Value> {
        self.config.as_ref()?.get("settings", name)
    }

    /// Returns the outputs of an input.
    ///
    /// # Errors
    ///
    /// [`RunError::DamagedRun`]: the journal names a file outside of the folders of the run.
    pub fn outputs(&self, entry: &JournalEntry) -> Result<Vec<RunOutput>, RunError> {
        let rows = entry.outputs().into_iter().map(|mark| (mark, OutputContent::Rows));
        let same = entry.secondary_outputs.iter().cloned();
        let same = same.map(|mark| (mark, OutputContent::SameRows));
        let side = entry.side_files.iter();
        let side = side.map(|(table, mark)| (mark.clone(), OutputContent::Side(table)));
        let outputs = rows.chain(same).chain(side).map(|(mark, content)| {
            let path = self.folders.path(&mark.output);
            let path = path.ok_or_else(|| RunError::DamagedRun {
                path: self.root().join(RUN_FILES).join(journal::NAME),
                reason: format!("the output '{}' is outside the folder", mark.output),
            })?;
            Ok(RunOutput { mark, path, content })
        });
        outputs.collect()
    }

    /// Returns the layout of an output. The settings of the run state its compression, unless its
    /// name states another.
    pub fn layout(&self, output: &RunOutput) -> Layout {
        let (format, by_name) = format_of_name(&output.mark.output);
        let (layout, compression) = match (&self.config, output.content) {
            (None, _) => (Layout::default(), None),
            (Some(config), OutputContent::Side(table)) => {
                (config.side_layout(table), config.side_compression(table))
            }
            (Some(config), _) => (config.layout(), config.compression(format.name())),
        };
        // A name does not show a compression inside the file.
        let is_possible =
            |set: &Compression| format.compresses_inside() || set.name() == by_name.name();
        let compression = compression.filter(is_possible).unwrap_or(by_name);
        let layout = Layout { compression, configuration: self.configuration(), ..layout };
        layouts(&[format], &layout).swap_remove(0)
    }

    /// Returns the settings of the run as formats keep them.
    fn configuration(&self) -> String {
        self.config.as_ref().map(RunConfig::text).unwrap_or_default()
    }

    /// Returns the path of the signatures of an input's rows, if it has any.
    pub fn signatures(&self, entry: &JournalEntry) -> Option<PathBuf> {
        entry.signatures.as_ref()?;
        let first = entry.row_names().next()?;
        Some(signature_file::path_of(self.root(), first))
    }

    /// Begins to replace the outputs of an input.
    pub fn rewrite<'r>(&'r self, entry: &'r JournalEntry) -> EntryRewrite<'r> {
        EntryRewrite { run: self, old: entry, new: entry.clone(), files: Vec::new() }
    }

    /// Leaves lines out of a line file of the run. Returns the number of these lines, and writes
    /// nothing if there are none.
    ///
    /// # Errors
    ///
    /// * [`RunError::NotLog`]: the file is not the one that the run wrote.
    /// * [`RunError::Output`]: the file cannot be read or written.
    pub fn leave_out_lines(
        &self,
        kind: LogKind,
        path: &Path,
        mut is_left_out: impl FnMut(&[u8]) -> bool,
    ) -> Result<u64, RunError> {
        let path = std::path::absolute(path).map_err(RunError::output("read", path))?;
        let not_ours =
            || RunError::NotLog { path: path.clone(), lines: kind.name(), option: kind.option() };
        let folder = path.parent().unwrap_or(&path);
        links::refuse(folder, [path.clone(), part_of(&path)].into_iter())?;
        let failed = |action| RunError::output(action, &path);
        let file = File::open(&path).map_err(failed("open"))?;
        let mut lines = BufReader::with_capacity(1 << 17, file);
        let mut out = OutputFile::create(&path)?;
        let (mut digest, mut before, mut left_out) = (Sha256::new(), 0, 0);
        let (mut marks, mut line) = (BTreeMap::new(), Vec::new());
        let marked = self.entries.iter().filter_map(|entry| Some((entry, entry.log(kind)?)));
        for (entry, LogMark { bytes, digest: noted }) in marked {
            while before < bytes {
                line.clear();
                let read = lines.read_until(b'\n', &mut line).map_err(failed("read"))?;
                if read == 0 {
                    break;
                }
                before += read as u64;
                digest.update(&line);
                if is_left_out(&line) {
                    left_out += 1;
                } else {
                    out.append(&line)?;
                }
            }
            let found = data_encoding::HEXLOWER.encode(&digest.clone().finalize());
            if before != bytes || noted.is_some_and(|noted| digits(&noted) != found) {
                out.remove();
                return Err(not_ours());
            }
            marks.insert(entry.input.clone(), (out.bytes_written(), Some(out.digest()?)));
        }
        if left_out == 0 {
            drop(out);
            remove(&part_of(&path))?;
            return Ok(0);
        }
        let bytes = out.bytes_written();
        out.sync_as_part()?;
        let file = RedoFile::new(RedoTarget::Path(path.clone()), Some(bytes));
        self.complete(&RedoRecord::new(vec![file], RedoNote::Log(kind, marks)))?;
        Ok(left_out)
    }

    /// Leaves slow pages with these URLs out of the times of the run.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the file cannot be read or written.
    pub fn leave_out_slow_pages(
        &self,
        is_left_out: impl FnMut(&str) -> bool,
    ) -> Result<(), RunError> {
        timing::leave_out_pages(&self.root().join(RUN_FILES), is_left_out)
    }

    /// Notes a group of parts whose bytes are durable, and gives them their names.
    fn complete(&self, redo: &RedoRecord) -> Result<(), RunError> {
        redo.sync_names(&self.folders)?;
        {
            let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
            if log.is_none() {
                *log = Some(RedoLog::create(self.root())?);
            }
            log.as_mut().map_or(Ok(()), |log| log.append(redo))?;
        }
        RedoLog::complete(&self.folders, redo)
    }

    /// Puts the new entries into the journal and the statistics.
    ///
    /// # Errors
    ///
    /// As [`settle`].
    pub fn finish(self) -> Result<(), RunError> {
        let root = self.root().to_owned();
        settle(&root)
    }
}

/// Replaces the outputs of an input. Outputs that are not replaced stay.
pub struct EntryRewrite<'r> {
    run: &'r FinishedRun,
    old: &'r JournalEntry,
    new: JournalEntry,
    files: Vec<RedoFile>,
}

impl EntryRewrite<'_> {
    /// Returns the new entry, whose counters the caller changes.
    pub fn entry(&mut self) -> &mut JournalEntry {
        &mut self.new
    }

    /// Replaces an output by the bytes that `write` writes. `write` returns the number of rows in
    /// the new file. A file without rows is removed.
    ///
    /// # Errors
    ///
    /// Those of `write`, and [`RunError::Output`] if the file cannot be written.
    pub fn replace<E: From<RunError>>(
        &mut self,
        output: &RunOutput,
        write: impl FnOnce(&mut OutputFile) -> Result<u64, E>,
    ) -> Result<(), E> {
        let mut file = self.create(&output.path)?;
        let rows = match write(&mut file) {
            Ok(rows) => rows,
            Err(error) => {
                file.remove();
                return Err(error);
            }
        };
        let place = RedoTarget::Output(output.mark.output.clone());
        if rows == 0 {
            file.remove();
            self.files.push(RedoFile::new(place, None));
            self.enter_mark(output, None);
            return Ok(());
        }
        let (bytes, digest) = (file.bytes_written(), file.digest()?);
        file.sync_as_part()?;
        self.files.push(RedoFile::new(place, Some(bytes)));
        let digest = format!("sha256:{digest}");
        let mark = OutputMark { output: output.mark.output.clone(), bytes, digest, rows };
        self.enter_mark(output, Some(mark));
        Ok(())
    }

    fn create(&self, path: &Path) -> Result<OutputFile, RunError> {
        let root = self.run.root();
        links::refuse(root, [part_of(path)].into_iter())?;
        OutputFile::create(path)
    }

    /// Enters the mark of a new output in the entry.
    fn enter_mark(&mut self, output: &RunOutput, mark: Option<OutputMark>) {
        let entry = &mut self.new;
        let put = |list: &mut Vec<OutputMark>, mark: Option<OutputMark>| {
            let place = list.iter().position(|known| known.output == output.mark.output);
            match (place, mark) {
                (Some(place), Some(mark)) => list[place] = mark,
                (Some(place), None) => _ = list.remove(place),
                (None, _) => {}
            }
        };
        match output.content {
            OutputContent::SameRows => put(&mut entry.secondary_outputs, mark),
            OutputContent::Side(table) => entry.side_files.set(table, mark),
            OutputContent::Rows if entry.output.as_ref() == Some(&output.mark.output) => {
                entry.output_bytes = mark.as_ref().map_or(0, |mark| mark.bytes);
                entry.digest = mark.as_ref().map(|mark| mark.digest.clone());
                entry.output = mark.map(|mark| mark.output);
            }
            OutputContent::Rows => {
                put(&mut entry.files, mark);
                entry.output_bytes = entry.files.iter().map(|file| file.bytes).sum();
            }
        }
    }

    /// Replaces the signatures of the rows. `write` returns the bytes of all rows before
    /// compression, or `None` if there are no rows.
    ///
    /// # Errors
    ///
    /// As [`EntryRewrite::replace`].
    pub fn replace_signatures<E: From<RunError>>(
        &mut self,
        write: impl FnOnce(&mut OutputFile) -> Result<Option<u64>, E>,
    ) -> Result<(), E> {
        let (Some(path), Some(name)) = (self.run.signatures(self.old), self.old.row_names().next())
        else {
            return Ok(());
        };
        let mut file = self.create(&path)?;
        let row_bytes = match write(&mut file) {
            Ok(row_bytes) => row_bytes,
            Err(error) => {
                file.remove();
                return Err(error);
            }
        };
        let place = RedoTarget::Signatures(name.clone());
        let Some(row_bytes) = row_bytes else {
            file.remove();
            self.files.push(RedoFile::new(place, None));
            self.new.signatures = None;
            return Ok(());
        };
        let (bytes, digest) = (file.bytes_written(), file.digest()?);
        file.sync_as_part()?;
        self.files.push(RedoFile::new(place, Some(bytes)));
        self.new.signatures = Some(SignatureMark { bytes, digest, row_bytes });
        Ok(())
    }

    /// Gives the new files their names.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the log cannot be written, or a part cannot be renamed.
    pub fn commit(mut self) -> Result<(), RunError> {
        // Signatures come first, so that a named output always has its signatures.
        self.files.reverse();
        let note = RedoNote::Entry(Box::new(self.new));
        self.run.complete(&RedoRecord::new(self.files, note))
    }
}
