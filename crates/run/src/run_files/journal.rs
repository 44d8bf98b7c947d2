//! Journals: what a run has finished, an entry a line. [`Entry`] is that of a finished input.

use crate::account::Account;
use crate::durable::replace;
use crate::error::RunError;
use crate::line_log::LogKind;
use crate::run_files::marks::{LogMark, OutputMark, SignatureMark};
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

/// Raised whenever a run could not go on with what an earlier version entered.
pub const VERSION: u32 = 2;

/// A finished input. It holds nothing that depends on time, machine or number of threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Name of the input, as in the plan.
    pub input: String,
    /// Size of the input, in bytes as stored.
    pub input_bytes: u64,
    /// How many bytes of the input were read, and their digest, `xxh128:` and hexadecimal. Absent
    /// where the run reached its limit of rows within the input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_read: Option<u64>,
    /// Digest of the first [`Entry::input_read`] bytes: `xxh128:` and hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_digest: Option<String>,
    /// The output, relative to the output folder. `None` if the input gave no row: then there is no
    /// file, since many readers of rows stop at an empty one. `None` also where the input has
    /// several files.
    pub output: Option<String>,
    /// Their bytes, all together.
    pub output_bytes: u64,
    /// `sha256:` and the digest of the output, hexadecimal.
    pub digest: Option<String>,
    /// The files, in runs that write several for an input.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<OutputMark>,
    /// The files with the same rows in other formats, in runs with several. Whoever reads the rows
    /// of a folder passes over these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<OutputMark>,
    /// Length of the rejects file after this input, where there is one.
    pub rejects_bytes: Option<u64>,
    /// Whether the run reached its limit within the input, so that there may be more in it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut_by_limit: bool,
    /// SHA-256 of the rejects file up to there, where it can be read back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejects_digest: Option<String>,
    /// The same of the dropped rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped_bytes: Option<u64>,
    /// SHA-256 of the file of dropped rows up to there, where it can be read back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dropped_digest: Option<String>,
    /// The file of signatures of the output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signatures: Option<SignatureMark>,
    /// Counts of all records of the input.
    pub account: Account,
    /// What the command itself notes of the input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<Value>,
    /// Hash of the run's `run.config`.
    pub config: String,
}

impl Entry {
    /// How long a file of lines was after this input.
    pub fn log(&self, kind: LogKind) -> Option<LogMark> {
        let (bytes, digest) = match kind {
            LogKind::Rejects => (self.rejects_bytes, &self.rejects_digest),
            LogKind::Dropped => (self.dropped_bytes, &self.dropped_digest),
        };
        Some(LogMark { bytes: bytes?, digest: digest.clone() })
    }

    /// Notes how long a file of lines is after this input.
    pub fn set_log(&mut self, kind: LogKind, mark: LogMark) {
        let (bytes, digest) = match kind {
            LogKind::Rejects => (&mut self.rejects_bytes, &mut self.rejects_digest),
            LogKind::Dropped => (&mut self.dropped_bytes, &mut self.dropped_digest),
        };
        (*bytes, *digest) = (Some(mark.bytes), mark.digest);
    }

    /// The files that its rows stand in, each row in one.
    pub fn outputs(&self) -> Vec<OutputMark> {
        let alone = self.output.as_ref().map(|output| OutputMark {
            output: output.clone(),
            bytes: self.output_bytes,
            digest: self.digest.clone().unwrap_or_default(),
            rows: self.account.written,
        });
        alone.into_iter().chain(self.files.iter().cloned()).collect()
    }

    /// The names of all files that it gave.
    pub fn output_names(&self) -> impl Iterator<Item = &String> {
        self.row_names().chain(self.also.iter().map(|file| &file.output))
    }

    /// The names of those that its rows stand in, each row in one.
    pub fn row_names(&self) -> impl Iterator<Item = &String> {
        self.output.iter().chain(self.files.iter().map(|file| &file.output))
    }

    /// The input and its account.
    pub fn summary(&self) -> InputSummary {
        let Entry { input, input_bytes, account, .. } = self.clone();
        InputSummary { name: input, bytes: input_bytes, account }
    }
}

/// A journal, open for appending: one line of JSON for each entry. Each command says what its
/// entries are.
pub struct Journal<E> {
    file: File,
    path: PathBuf,
    entries: Vec<E>,
}

/// The entries that an earlier run left, without a last line that was cut when the run was killed.
///
/// # Errors
///
/// The file cannot be read, or a line of it is damaged.
pub fn read<E: DeserializeOwned + Sound>(path: &Path) -> Result<Vec<E>, RunError> {
    entries(&bytes(path)?, path)
}

/// The bytes of a journal; nothing if there is none.
fn bytes(path: &Path) -> Result<Vec<u8>, RunError> {
    match fs::read(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        read => read.map_err(RunError::output("read", path)),
    }
}

/// The entries of a journal. `path` is what an error names.
///
/// # Errors
///
/// A line that has its end is no entry, or contradicts itself.
pub fn entries<E: DeserializeOwned + Sound>(text: &[u8], path: &Path) -> Result<Vec<E>, RunError> {
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

/// The entries that can be read, of a run that is to be replaced, whatever state it is in.
///
/// # Errors
///
/// The file cannot be read.
pub fn read_sound<E: DeserializeOwned>(path: &Path) -> Result<Vec<E>, RunError> {
    Ok(sound_entries(&bytes(path)?))
}

/// The entries of a journal that can be read.
pub fn sound_entries<E: DeserializeOwned>(text: &[u8]) -> Vec<E> {
    text.split(|b| *b == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

/// What can contradict itself, because someone changed a run file by hand.
pub trait Sound {
    /// Whether all of it agrees.
    fn is_sound(&self) -> bool;
}

impl Sound for Entry {
    fn is_sound(&self) -> bool {
        self.account.is_balanced()
    }
}

impl<E: Serialize> Journal<E> {
    /// Opens the journal so that it holds exactly `entries`.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn create(path: &Path, entries: Vec<E>) -> Result<Journal<E>, RunError> {
        let mut text = Vec::new();
        for entry in &entries {
            push_line(&mut text, entry);
        }
        // Written again even if nothing changes: the earlier run may have ended because the journal
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
    /// It cannot be written.
    pub fn append(&mut self, entry: E) -> Result<(), RunError> {
        let mut line = Vec::new();
        push_line(&mut line, &entry);
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_all());
        written.map_err(RunError::output("write", &self.path))?;
        self.entries.push(entry);
        Ok(())
    }

    /// All entries, those of earlier runs first.
    pub fn entries(&self) -> &[E] {
        &self.entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Sound for u32 {
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
