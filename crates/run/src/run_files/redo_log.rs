//! `run.redo`: the outputs that replace those of a finished run, one group of files per line.
//!
//! The new files of a group are durable parts before its line is written. Then the parts get their
//! names. At the end the journal and the statistics take over all lines, and the log is removed. So
//! the log can complete every group after a kill: a part that still exists gets its name. A group
//! without a line has changed nothing.

use crate::durable::{remove, sync_folder};
use crate::error::RunError;
use crate::line_log::LogKind;
use crate::part_file::{part_of, rename_part};
use crate::run_files::journal::{self, Journal, JournalEntry};
use crate::run_files::marks::LogMark;
use crate::run_files::output_folders::OutputFolders;
use crate::run_files::paths::{REDO, RUN_FILES};
use crate::run_files::stats;
use crate::signature_file;
use huller_row::push_line;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A group of files that are replaced together.
#[derive(Debug, Serialize, Deserialize)]
pub struct RedoRecord {
    /// The files.
    files: Vec<RedoFile>,
    /// Data for the journal.
    #[serde(flatten)]
    note: RedoNote,
}

/// Data of replaced files for the journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RedoNote {
    /// The entry of the input whose outputs they are.
    Entry(Box<JournalEntry>),
    /// The lengths of a line file after each input, by name of the input.
    Log(LogKind, BTreeMap<String, (u64, Option<String>)>),
}

/// A file that is replaced or removed.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RedoFile {
    /// The file.
    place: RedoTarget,
    /// Length of the new file in bytes. `None` removes the file.
    bytes: Option<u64>,
}

/// The way in which a file is named.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RedoTarget {
    /// By the name of an output in run files.
    Output(String),
    /// By the name of the output whose signatures it has.
    Signatures(String),
    /// By an absolute path.
    Path(PathBuf),
}

impl RedoFile {
    pub(crate) fn new(place: RedoTarget, bytes: Option<u64>) -> RedoFile {
        RedoFile { place, bytes }
    }

    fn path(&self, folders: &OutputFolders) -> Option<PathBuf> {
        match &self.place {
            RedoTarget::Output(name) => folders.path(name),
            RedoTarget::Signatures(name) => {
                folders.path(name)?;
                Some(signature_file::path_of(folders.root(), name))
            }
            RedoTarget::Path(path) => Some(path.clone()),
        }
    }

    /// Gives the part its name, unless it has the name already, or removes the file.
    fn complete(&self, folders: &OutputFolders, log: &Path) -> Result<(), RunError> {
        let damaged =
            |reason: &str| RunError::DamagedRun { path: log.to_owned(), reason: reason.to_owned() };
        let path =
            self.path(folders).ok_or_else(|| damaged("it names a file outside of the folder"))?;
        let Some(bytes) = self.bytes else {
            // Only files below the folders of the run are removed, whatever a changed log says.
            if matches!(self.place, RedoTarget::Path(_)) {
                return Err(damaged("it removes a file outside of the folder"));
            }
            remove(&path)?;
            return sync_if_there(&path);
        };
        let length = |path: &Path| fs::symlink_metadata(path).ok().map(|file| file.len());
        if length(&part_of(&path)) == Some(bytes) {
            rename_part(&path)?;
        } else if length(&path) != Some(bytes) {
            return Err(damaged("a file that it names is missing"));
        }
        sync_folder(&path)
    }
}

fn sync_if_there(path: &Path) -> Result<(), RunError> {
    if path.parent().is_some_and(Path::exists) { sync_folder(path) } else { Ok(()) }
}

impl RedoRecord {
    pub(crate) fn new(files: Vec<RedoFile>, note: RedoNote) -> RedoRecord {
        RedoRecord { files, note }
    }

    /// Makes the names of the parts durable. Otherwise a power cut could keep the line of the log
    /// and lose the parts.
    pub(crate) fn sync_names(&self, folders: &OutputFolders) -> Result<(), RunError> {
        let mut synced = HashSet::new();
        for file in self.files.iter().filter(|file| file.bytes.is_some()) {
            let Some(path) = file.path(folders) else { continue };
            if synced.insert(path.parent().map(Path::to_owned)) {
                sync_folder(&path)?;
            }
        }
        Ok(())
    }

    fn complete(&self, folders: &OutputFolders, log: &Path) -> Result<(), RunError> {
        self.files.iter().try_for_each(|file| file.complete(folders, log))
    }
}

/// The open log.
pub(crate) struct RedoLog {
    file: File,
    path: PathBuf,
}

impl RedoLog {
    /// Creates the log.
    pub(crate) fn create(root: &Path) -> Result<RedoLog, RunError> {
        let path = root.join(RUN_FILES).join(REDO);
        let failed = |action| RunError::output(action, &path);
        let file = OpenOptions::new().append(true).create_new(true).open(&path);
        let file = file.map_err(failed("create"))?;
        sync_folder(&path)?;
        Ok(RedoLog { file, path })
    }

    /// Notes a group whose new files are durable parts.
    pub(crate) fn append(&mut self, redo: &RedoRecord) -> Result<(), RunError> {
        let mut line = Vec::new();
        push_line(&mut line, redo);
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_all());
        written.map_err(RunError::output("write", &self.path))
    }

    /// Gives the files of a group their names. The group is in the log.
    pub(crate) fn complete(folders: &OutputFolders, redo: &RedoRecord) -> Result<(), RunError> {
        redo.complete(folders, &folders.root().join(RUN_FILES).join(REDO))
    }
}

/// Completes what a log has noted: files get their names, journal and statistics take over the
/// notes, and the log is removed. Without a log it changes nothing.
///
/// # Errors
///
/// * [`RunError::DamagedRun`]: the log or the statistics are damaged, or a file that the log names
///   is missing.
/// * [`RunError::Output`]: a file cannot be written, renamed or removed.
pub fn settle(root: &Path) -> Result<(), RunError> {
    let files = root.join(RUN_FILES);
    let path = files.join(REDO);
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(RunError::output("read", &path)(error)),
    };
    let folders = OutputFolders::read(root)?;
    let mut replaced: HashMap<String, JournalEntry> = HashMap::new();
    let mut logs = Vec::new();
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let redo: RedoRecord = match serde_json::from_slice(line) {
            Ok(redo) => redo,
            // A kill cut the line, so its group has changed nothing.
            Err(_) if !line.ends_with(b"\n") => continue,
            Err(error) => {
                let reason = error.to_string();
                return Err(RunError::DamagedRun { path, reason });
            }
        };
        redo.complete(&folders, &path)?;
        match redo.note {
            RedoNote::Entry(entry) => _ = replaced.insert(entry.input.clone(), *entry),
            RedoNote::Log(kind, marks) => logs.push((kind, marks)),
        }
    }
    let journal_path = files.join(journal::NAME);
    let mut entries: Vec<JournalEntry> = journal::read(&journal_path)?;
    for entry in &mut entries {
        if let Some(new) = replaced.remove(&entry.input) {
            *entry = new;
        }
        for (kind, marks) in &logs {
            if let Some((bytes, digest)) = marks.get(&entry.input) {
                entry.set_log(*kind, LogMark { bytes: *bytes, digest: digest.clone() });
            }
        }
    }
    stats::take_over(&files, &entries)?;
    Journal::create(&journal_path, entries)?;
    remove(&path)?;
    sync_folder(&path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counters::Counters;
    use crate::durable::create_folder;

    fn entry(bytes: u64) -> JournalEntry {
        let line = format!(
            r#"{{"input":"a","input_bytes":9,"output":"a.jsonl","output_bytes":{bytes},
                "digest":"sha256:x","rejects_bytes":null,
                "account":{{"records":0,"written":0,"skipped":{{}},"failed":{{}},"repaired":{{}}}},
                "config":"c"}}"#
        );
        let entry: JournalEntry = serde_json::from_str(&line).unwrap();
        assert_eq!(entry.counters, Counters::default());
        entry
    }

    fn folder(bytes: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        create_folder(&folder.path().join(RUN_FILES)).unwrap();
        let journal = folder.path().join(RUN_FILES).join(journal::NAME);
        Journal::create(&journal, vec![entry(3)]).unwrap();
        fs::write(folder.path().join("a.jsonl"), bytes).unwrap();
        folder
    }

    fn redo(bytes: Option<u64>) -> RedoRecord {
        let file = RedoFile::new(RedoTarget::Output("a.jsonl".to_owned()), bytes);
        RedoRecord::new(vec![file], RedoNote::Entry(Box::new(entry(bytes.unwrap_or_default()))))
    }

    #[test]
    fn a_noted_group_is_completed_and_a_cut_line_has_changed_nothing() {
        // The part may have its name already.
        for (old, part) in [("abc", Some("ab")), ("ab", None)] {
            let folder = folder(old);
            let (root, file) = (folder.path(), folder.path().join("a.jsonl"));
            let mut log = RedoLog::create(root).unwrap();
            log.append(&redo(Some(2))).unwrap();
            log.file.write_all(br#"{"files":[{"place":{"output":"a.jsonl"},"bytes":7"#).unwrap();
            if let Some(part) = part {
                fs::write(part_of(&file), part).unwrap();
            }
            settle(root).unwrap();
            assert_eq!(fs::read_to_string(&file).unwrap(), "ab");
            assert!(!part_of(&file).exists() && !root.join(RUN_FILES).join(REDO).exists());
            let entries: Vec<JournalEntry> =
                journal::read(&root.join(RUN_FILES).join(journal::NAME)).unwrap();
            assert_eq!(entries, [entry(2)]);
            settle(root).unwrap();
        }
    }

    #[test]
    fn a_file_that_lost_its_rows_is_removed_and_a_lost_part_is_damage() {
        let (gone, lost) = (folder("abc"), folder("abc"));
        RedoLog::create(gone.path()).unwrap().append(&redo(None)).unwrap();
        settle(gone.path()).unwrap();
        assert!(!gone.path().join("a.jsonl").exists());
        RedoLog::create(lost.path()).unwrap().append(&redo(Some(2))).unwrap();
        assert!(matches!(settle(lost.path()), Err(RunError::DamagedRun { .. })));
        assert_eq!(fs::read_to_string(lost.path().join("a.jsonl")).unwrap(), "abc");
        let outside = RedoFile::new(RedoTarget::Output("../b".to_owned()), None);
        let note = RedoNote::Log(LogKind::Rejects, BTreeMap::new());
        let other = folder("abc");
        RedoLog::create(other.path())
            .unwrap()
            .append(&RedoRecord::new(vec![outside], note))
            .unwrap();
        assert!(matches!(settle(other.path()), Err(RunError::DamagedRun { .. })));
    }

    #[test]
    fn a_changed_log_removes_no_file_outside_of_the_folder() {
        let (folder, other) = (folder("abc"), tempfile::tempdir().unwrap());
        let victim = other.path().join("mine");
        fs::write(&victim, "mine").unwrap();
        let file = RedoFile::new(RedoTarget::Path(victim.clone()), None);
        let note = RedoNote::Log(LogKind::Rejects, BTreeMap::new());
        RedoLog::create(folder.path()).unwrap().append(&RedoRecord::new(vec![file], note)).unwrap();
        assert!(matches!(settle(folder.path()), Err(RunError::DamagedRun { .. })));
        assert_eq!(fs::read_to_string(victim).unwrap(), "mine");
    }
}
