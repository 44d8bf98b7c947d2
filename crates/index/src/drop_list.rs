//! The list of rows to drop, as `huller dedup --mark` writes it.

use crate::error::IndexError;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Rows to drop: by file, the reason for each place.
#[derive(Debug, Default)]
pub(crate) struct DropList {
    files: BTreeMap<String, BTreeMap<u64, Box<str>>>,
}

#[derive(Deserialize)]
struct Line {
    file: String,
    place: u64,
    reason: Box<str>,
}

impl DropList {
    /// Reads lists. A line that cannot be read ends it: a row that should be dropped would stay.
    pub(crate) fn read(paths: &[impl AsRef<Path>]) -> Result<DropList, IndexError> {
        let mut list = DropList::default();
        for path in paths {
            let path = path.as_ref();
            let input = |source| IndexError::Input { path: path.to_owned(), source };
            let reader = BufReader::new(File::open(path).map_err(input)?);
            for (number, line) in reader.lines().enumerate() {
                let line = line.map_err(input)?;
                let line: Line = serde_json::from_str(&line).map_err(|error| {
                    IndexError::Usage(format!(
                        "line {} of '{}' is not as `huller dedup --mark` writes it: {error}",
                        number + 1,
                        path.display()
                    ))
                })?;
                list.files.entry(line.file).or_default().insert(line.place, line.reason);
            }
        }
        Ok(list)
    }

    /// Why a row is dropped.
    pub(crate) fn reason(&self, file: &str, place: u64) -> Option<&str> {
        self.files.get(file)?.get(&place).map(|reason| &**reason)
    }

    /// The rows of a file, with their reasons.
    pub(crate) fn of(&self, file: &str) -> impl Iterator<Item = (u64, &str)> {
        self.files.get(file).into_iter().flatten().map(|(place, reason)| (*place, &**reason))
    }
}
