//! `_huller/run.list`: the list of which a run reads a shard.
//!
//! Shards go by position, so a list that has grown at its front gives each shard other inputs.
//! Therefore the list belongs to the run: `run.config` has its digest. This file has the names, to
//! report where another list differs. A run over a whole list has no such file, and may get more
//! inputs later.

use crate::durable::replace;
use crate::error::RunError;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;

/// Name of the file among the run files. It does not end in `.jsonl`, since readers of a corpus
/// take every file with that suffix.
pub const NAME: &str = "run.list";

/// How inputs are divided into shards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShardRule {
    /// By their positions in this list.
    Position(InputList),
    /// By their names, so that the list may grow.
    Name,
}

/// The names of all inputs by position, usable or not, of all shards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputList(pub Vec<String>);

impl InputList {
    /// Returns the number of inputs.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the file's bytes: one JSON string per line, since a name may hold any character.
    fn to_lines(&self) -> Vec<u8> {
        let mut lines = Vec::new();
        for name in &self.0 {
            lines.extend(serde_json::to_vec(name).expect("text becomes JSON"));
            lines.push(b'\n');
        }
        lines
    }

    /// Returns the digest of the list, as `run.config` holds it.
    pub fn digest(&self) -> String {
        format!("sha256:{}", HEXLOWER.encode(&Sha256::digest(self.to_lines())))
    }

    /// Writes the list and makes it durable.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), RunError> {
        replace(path, &self.to_lines())
    }

    /// Reads the list of a run. `None` if it is missing or unreadable.
    pub fn read(path: &Path) -> Option<InputList> {
        let text = fs::read(path).ok()?;
        let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        lines.map(|line| serde_json::from_slice(line).ok()).collect::<Option<_>>().map(InputList)
    }

    /// Describes the first position at which two lists differ. `None` if they are equal.
    pub fn first_difference(&self, earlier: &InputList) -> Option<String> {
        let longest = self.len().max(earlier.len());
        let place = (0..longest).find(|place| self.0.get(*place) != earlier.0.get(*place))?;
        let name = |list: &InputList| match list.0.get(place) {
            Some(name) => format!("'{name}'"),
            None => "not there".to_owned(),
        };
        Some(format!("input {} is {}, was {}", place + 1, name(self), name(earlier)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(names: &[&str]) -> InputList {
        InputList(names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn a_list_is_known_by_its_names_and_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let then = list(&["a", "b\n\"", "c"]);
        then.write(&path).unwrap();
        assert_eq!(InputList::read(&path), Some(then.clone()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        for (other, difference) in [
            (list(&["new", "a", "b\n\"", "c"]), "input 1 is 'new', was 'a'"),
            (list(&["a", "b\n\"", "c", "d"]), "input 4 is 'd', was not there"),
            (list(&["a", "b\n\""]), "input 3 is not there, was 'c'"),
        ] {
            assert_eq!(other.first_difference(&then).unwrap(), difference);
            assert_ne!(other.digest(), then.digest());
        }
        assert_eq!(then.first_difference(&then), None);
        fs::write(&path, "\"a\"\nno string\n").unwrap();
        assert_eq!(InputList::read(&path), None);
    }
}
