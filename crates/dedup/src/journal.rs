//! What a run has finished: a line of JSON for each file that was signed, for the decisions, and for each output.

use crate::account::InputAccount;
use crate::cluster_table::DroppedBy;
use crate::durable::{self, FileMark};
use crate::error::DedupError;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Something that is done. It holds nothing that depends on time, machine or number of threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Entry {
    /// All rows of an input are signed; the account says which lines were none.
    Signed(InputAccount),
    /// It is decided which rows are kept: the digest of the decisions.
    Decided(String),
    /// The output of an input is written.
    Written(Written),
}

/// An output that is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Written {
    #[serde(flatten)]
    pub(crate) account: InputAccount,
    /// What was left out of its texts.
    #[serde(default, skip_serializing_if = "DroppedBy::is_empty")]
    pub(crate) left_out: DroppedBy,
    /// The name of the file, where it is not that of the input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) output_name: Option<String>,
    /// The file, if the input gave a row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) output: Option<FileMark>,
    /// The signatures of its rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) signatures: Option<FileMark>,
}

impl Written {
    /// Of an input whose rows stay where they are.
    pub(crate) fn nothing(account: InputAccount) -> Written {
        Written {
            account,
            left_out: DroppedBy::default(),
            output_name: None,
            output: None,
            signatures: None,
        }
    }
}

/// The journal, open for appending.
pub(crate) struct Journal {
    file: File,
    path: PathBuf,
    pub(crate) entries: Vec<Entry>,
}

impl Journal {
    /// Opens the journal at a path. A last line that was cut when a run was killed is forgotten.
    pub(crate) fn open(path: &Path) -> Result<Journal, DedupError> {
        let entries = read(path)?;
        let mut text = Vec::new();
        for entry in &entries {
            huller_row::push_line(&mut text, entry);
        }
        durable::replace(path, &text)?;
        let file = OpenOptions::new().append(true).open(path);
        let file = file.map_err(DedupError::output("open", path))?;
        Ok(Journal { file, path: path.to_owned(), entries })
    }

    /// Adds an entry, durably.
    pub(crate) fn append(&mut self, entry: Entry) -> Result<(), DedupError> {
        let mut line = Vec::new();
        huller_row::push_line(&mut line, &entry);
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_data());
        written.map_err(DedupError::output("write", &self.path))?;
        self.entries.push(entry);
        Ok(())
    }

    /// The inputs that are signed.
    pub(crate) fn signed(&self) -> impl Iterator<Item = &InputAccount> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Signed(account) => Some(account),
            _ => None,
        })
    }

    pub(crate) fn decided(&self) -> Option<&str> {
        self.entries.iter().find_map(|entry| match entry {
            Entry::Decided(digest) => Some(digest.as_str()),
            _ => None,
        })
    }

    /// The outputs that are written.
    pub(crate) fn written(&self) -> impl Iterator<Item = &Written> {
        self.entries.iter().filter_map(|entry| match entry {
            Entry::Written(written) => Some(written),
            _ => None,
        })
    }
}

/// The entries that an earlier run left.
pub(crate) fn read(path: &Path) -> Result<Vec<Entry>, DedupError> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(DedupError::output("read", path)(error)),
    };
    let mut entries = Vec::new();
    for (number, line) in text.split_inclusive(|byte| *byte == b'\n').enumerate() {
        match serde_json::from_slice(line) {
            Ok(entry) => entries.push(entry),
            Err(_) if !line.ends_with(b"\n") => {}
            Err(error) => {
                let (line, path) = (number + 1, path.display());
                let problem = format!("line {line} of '{path}' is damaged: {error}");
                return Err(DedupError::CannotResume(problem));
            }
        }
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::Account;

    #[test]
    fn a_cut_line_is_forgotten_and_a_damaged_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("dedup.journal");
        let account = InputAccount { input: "a".to_owned(), bytes: 3, account: Account::default() };
        let mut journal = Journal::open(&path).unwrap();
        journal.append(Entry::Signed(account.clone())).unwrap();
        journal.append(Entry::Decided("x".to_owned())).unwrap();
        let written = Written::nothing(account.clone());
        journal.append(Entry::Written(written)).unwrap();
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..whole.len() - 3]).unwrap();
        let journal = Journal::open(&path).unwrap();
        assert_eq!((journal.signed().next(), journal.decided()), (Some(&account), Some("x")));
        assert_eq!(journal.written().count(), 0);
        fs::write(&path, [b"{}\n", &*whole].concat()).unwrap();
        assert!(matches!(Journal::open(&path), Err(DedupError::CannotResume(_))));
    }
}
