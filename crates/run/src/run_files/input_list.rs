//! `_huller/run.list`: the list that a run took a share of.
//!
//! Shares go by position, so a list that has grown at its front shares everything out differently.
//! So the list belongs to the run: `run.config` has its digest, and this file the names themselves,
//! to say where another list differs. A run over a whole list has no such file, and may be given
//! more inputs later.

use crate::durable::replace;
use crate::error::RunError;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::Path;

/// Name of the file among the run files. It is no `.jsonl`, since readers of a corpus take every
/// file that is called so.
pub const NAME: &str = "run.list";

/// How inputs are shared out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shares {
    /// By their positions in this list.
    Position(InputList),
    /// By their names, so that the list may grow.
    Name,
}

/// The names of all inputs by position, whether they can be used or not, and whoever's share they
/// are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputList(pub Vec<String>);

impl InputList {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// One JSON string a line, since names may hold anything.
    fn to_lines(&self) -> Vec<u8> {
        let mut lines = Vec::new();
        for name in &self.0 {
            lines.extend(serde_json::to_vec(name).expect("text becomes JSON"));
            lines.push(b'\n');
        }
        lines
    }

    /// What `run.config` knows it by.
    pub fn digest(&self) -> String {
        format!("sha256:{}", HEXLOWER.encode(&Sha256::digest(self.to_lines())))
    }

    /// Writes it and makes it durable.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), RunError> {
        replace(path, &self.to_lines())
    }

    /// Reads what a run left. `None` if it left none that can be read.
    pub fn read(path: &Path) -> Option<InputList> {
        let text = fs::read(path).ok()?;
        let lines = text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        lines.map(|line| serde_json::from_slice(line).ok()).collect::<Option<_>>().map(InputList)
    }

    /// The first position at which two lists differ, in words. `None` if they don't.
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
