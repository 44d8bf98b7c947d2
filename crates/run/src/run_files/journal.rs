//! Journals of a run's finished work, one entry per line. [`JournalEntry`] is a finished input.

use crate::counters::Counters;
use crate::durable::replace;
use crate::error::RunError;
use crate::line_log::LogKind;
use crate::run_files::marks::{LogMark, OutputMark, SignatureMark};
use crate::run_files::side_tables::SideTables;
use crate::summary::InputSummary;
use huller_row::push_line;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Name of the file among the run files.
pub const NAME: &str = "run.journal";

/// Version of the file format. It is raised when runs cannot continue from older journals.
pub const VERSION: u32 = 2;

/// A finished input. It holds nothing that depends on time, machine or number of threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JournalEntry {
    /// Name of the input, as in the plan.
    pub input: String,
    /// Size of the input, in bytes as stored.
    pub input_bytes: u64,
    /// Number of bytes of the input that were read. Absent if the run reached its limit of rows
    /// within the input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_read: Option<u64>,
    /// Digest of the first [`JournalEntry::input_read`] bytes: `xxh128:` and hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_digest: Option<String>,
    /// Name of the output, relative to the output folder. `None` if the input has no rows: such an
    /// input has no file, since many readers stop at an empty one. Also `None` if the input has
    /// several files.
    pub output: Option<String>,
    /// Bytes of all files of the input.
    pub output_bytes: u64,
    /// `sha256:` and the digest of the output, hexadecimal.
    pub digest: Option<String>,
    /// The files, in runs that write several per input.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<OutputMark>,
    /// The files with the same rows in other formats, in runs with several. A reader of all rows of
    /// the folder must skip these.
    #[serde(rename = "also", default, skip_serializing_if = "Vec::is_empty")]
    pub secondary_outputs: Vec<OutputMark>,
    /// The files of the input in the side tables of the run. Their names are relative to the output
    /// folder too, and begin with `../`.
    #[serde(flatten)]
    pub side_files: SideTables<OutputMark>,
    /// Length of the rejects file after this input in bytes, if the run writes it.
    pub rejects_bytes: Option<u64>,
    /// Whether the run reached its limit within the input, so that it may have more rows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut_by_limit: bool,
    /// SHA-256 of the rejects file up to there, if it can be read back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejects_digest: Option<String>,
    /// Length of the file of dropped rows after this input in bytes, if the run writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped_bytes: Option<u64>,
    /// SHA-256 of the file of dropped rows up to there, if it can be read back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped_digest: Option<String>,
    /// The signature file of the output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signatures: Option<SignatureMark>,
    /// Counters of all records of the input.
    #[serde(rename = "account")]
    pub counters: Counters,
    /// Data that the command notes for the input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<Value>,
    /// Hash of the run's `run.config`.
    #[serde(rename = "config")]
    pub config_hash: String,
}

impl JournalEntry {
    /// Returns the length of a line file after this input.
    pub fn log(&self, kind: LogKind) -> Option<LogMark> {
        let (bytes, digest) = match kind {
            LogKind::Rejects => (self.rejects_bytes, &self.rejects_digest),
            LogKind::Dropped => (self.dropped_bytes, &self.dropped_digest),
        };
        Some(LogMark { bytes: bytes?, digest: digest.clone() })
    }

    /// Notes the length of a line file after this input.
    pub fn set_log(&mut self, kind: LogKind, mark: LogMark) {
        let (bytes, digest) = match kind {
            LogKind::Rejects => (&mut self.rejects_bytes, &mut self.rejects_digest),
            LogKind::Dropped => (&mut self.dropped_bytes, &mut self.dropped_digest),
        };
        (*bytes, *digest) = (Some(mark.bytes), mark.digest);
    }

    /// Returns the files with the rows of the input, each row in exactly one.
    pub fn outputs(&self) -> Vec<OutputMark> {
        let alone = self.output.as_ref().map(|output| OutputMark {
            output: output.clone(),
            bytes: self.output_bytes,
            digest: self.digest.clone().unwrap_or_default(),
            rows: self.counters.written,
        });
        alone.into_iter().chain(self.files.iter().cloned()).collect()
    }

    /// Returns all files of the input. Some repeat its rows in another format, or belong to side
    /// tables.
    pub fn all_outputs(&self) -> impl Iterator<Item = OutputMark> {
        let others = self.secondary_outputs.iter().chain(self.side_files.values());
        self.outputs().into_iter().chain(others.cloned())
    }

    /// Returns the names of all files of the input.
    pub fn output_names(&self) -> impl Iterator<Item = &String> {
        let others = self.secondary_outputs.iter().chain(self.side_files.values());
        self.row_names().chain(others.map(|file| &file.output))
    }

    /// Returns the names of the files with the rows, each row in exactly one.
    pub fn row_names(&self) -> impl Iterator<Item = &String> {
        self.output.iter().chain(self.files.iter().map(|file| &file.output))
    }

    /// Returns the input with its counters.
    pub fn summary(&self) -> InputSummary {
        let JournalEntry { input, input_bytes, counters, .. } = self.clone();
        InputSummary { name: input, bytes: input_bytes, counters }
    }
}

/// A journal that is open for appending, one line of JSON per entry. Each command defines the type
/// of its entries.
pub struct Journal<E> {
    file: File,
    path: PathBuf,
    entries: Vec<E>,
}

/// Reads the entries of an earlier run, except for a last line that was cut by a kill.
///
/// # Errors
///
/// The file cannot be read, or a line of it is damaged.
pub fn read<E: DeserializeOwned + CheckedEntry>(path: &Path) -> Result<Vec<E>, RunError> {
    entries(&bytes(path)?, path)
}

/// Returns the bytes of a journal. A missing file gives no bytes.
fn bytes(path: &Path) -> Result<Vec<u8>, RunError> {
    match fs::read(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        read => read.map_err(RunError::output("read", path)),
    }
}

/// Returns the entries of a journal. Errors name `path`.
///
/// # Errors
///
/// A complete line is not an entry, or its counts do not add up.
pub fn entries<E: DeserializeOwned + CheckedEntry>(
    text: &[u8],
    path: &Path,
) -> Result<Vec<E>, RunError> {
    let mut entries = Vec::new();
    for (number, line) in text.split_inclusive(|b| *b == b'\n').enumerate() {
        let problem = match serde_json::from_slice::<E>(line) {
            Ok(entry) if entry.is_sound() => {
                entries.push(entry);
                continue;
            }
            Ok(_) => "its counts do not add up".to_owned(),
            Err(_) if !line.ends_with(b"\n") => continue,
            Err(error) => error.to_string(),
        };
        let reason = format!("line {} of '{}' is damaged: {problem}", number + 1, path.display());
        return Err(RunError::CannotResume { reason });
    }
    Ok(entries)
}

/// Reads the readable entries of a run that is to be replaced, whatever its state.
///
/// # Errors
///
/// The file cannot be read.
pub fn read_sound<E: DeserializeOwned>(path: &Path) -> Result<Vec<E>, RunError> {
    Ok(sound_entries(&bytes(path)?))
}

/// Returns the readable entries of a journal.
pub fn sound_entries<E: DeserializeOwned>(text: &[u8]) -> Vec<E> {
    text.split(|b| *b == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

/// An entry whose counts may disagree if a run file was edited by hand.
pub trait CheckedEntry {
    /// Whether all counts agree.
    fn is_sound(&self) -> bool;
}

impl CheckedEntry for JournalEntry {
    fn is_sound(&self) -> bool {
        self.counters.is_balanced()
    }
}

impl<E: Serialize> Journal<E> {
    /// Creates the journal with exactly `entries`, and opens it for appending.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the file cannot be written.
    pub fn create(path: &Path, entries: Vec<E>) -> Result<Journal<E>, RunError> {
        let mut text = Vec::new();
        for entry in &entries {
            push_line(&mut text, entry);
        }
        // Written again even without a change: the earlier run may have ended because the journal
        // could not be made durable.
        replace(path, &text)?;
        let file =
            OpenOptions::new().append(true).open(path).map_err(RunError::output("open", path))?;
        Ok(Journal { file, path: path.to_owned(), entries })
    }

    /// Adds an entry and makes it durable.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the file cannot be written.
    pub fn append(&mut self, entry: E) -> Result<(), RunError> {
        let mut line = Vec::new();
        push_line(&mut line, &entry);
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_all());
        written.map_err(RunError::output("write", &self.path))?;
        self.entries.push(entry);
        Ok(())
    }

    /// Returns all entries, those of earlier runs first.
    pub fn entries(&self) -> &[E] {
        &self.entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl CheckedEntry for u32 {
        fn is_sound(&self) -> bool {
            *self < 100
        }
    }

    #[test]
    fn a_cut_line_is_forgotten_and_a_damaged_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.journal");
        let mut journal = Journal::create(&path, vec![7_u32]).unwrap();
        journal.append(12).unwrap();
        assert_eq!(journal.entries(), [7, 12]);
        assert_eq!(read::<u32>(&path).unwrap(), [7, 12]);
        fs::write(&path, "7\n12\n{").unwrap();
        assert_eq!(read::<u32>(&path).unwrap(), [7, 12]);
        for damaged in ["7\n{}\n12\n", "7\n100\n"] {
            fs::write(&path, damaged).unwrap();
            let error = read::<u32>(&path).unwrap_err().to_string();
            assert!(error.starts_with("cannot resume: line 2 of '"), "{error}");
        }
        assert!(read::<u32>(&folder.path().join("none")).unwrap().is_empty());
    }
}
