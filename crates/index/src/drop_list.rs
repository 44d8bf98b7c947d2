//! Reads lists of rows to drop, as `huller dedup --mark` writes them.

use crate::error::IndexError;
use huller_refine::{Reason, RejectionKind};
use serde::Deserialize;
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Rows to drop: for each file, the reason by place.
#[derive(Debug, Default)]
pub(crate) struct DropList {
    files: BTreeMap<String, BTreeMap<u64, Reason>>,
}

#[derive(Deserialize)]
struct Line {
    file: String,
    place: u64,
    reason: String,
}

impl DropList {
    /// Reads lists. An unreadable line is an error, because a row that should be dropped would
    /// stay.
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
                        "line {} of '{}' does not have the form that `huller dedup --mark` \
                         writes: {error}",
                        number + 1,
                        path.display()
                    ))
                })?;
                let reason =
                    Reason::named(&line.reason, RejectionKind::Skipped).ok_or_else(|| {
                        IndexError::Usage(format!("'{}' has too many reasons", path.display()))
                    })?;
                list.files.entry(line.file).or_default().insert(line.place, reason);
            }
        }
        Ok(list)
    }

    /// Returns the reason for dropping a row.
    pub(crate) fn reason(&self, file: &str, place: u64) -> Option<Reason> {
        self.files.get(file)?.get(&place).copied()
    }

    /// Returns the rows to drop of a file, with their reasons.
    pub(crate) fn rows_of(&self, file: &str) -> impl Iterator<Item = (u64, Reason)> {
        self.files.get(file).into_iter().flatten().map(|(place, reason)| (*place, *reason))
    }

    /// Returns a note for each listed file that is not among these inputs. Its rows are not
    /// dropped.
    pub(crate) fn unmatched<'a>(&self, inputs: impl Iterator<Item = &'a str>) -> Vec<String> {
        let inputs: HashSet<&str> = inputs.collect();
        let others = self.files.iter().filter(|(file, _)| !inputs.contains(file.as_str()));
        let note = |(file, rows): (&String, &BTreeMap<u64, Reason>)| {
            format!("--drop lists {} rows of '{file}', which is not among the inputs", rows.len())
        };
        others.map(note).collect()
    }
}
