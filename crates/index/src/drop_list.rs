//! Reads lists of rows to drop, as `huller dedup --mark` writes them.

use crate::error::IndexError;
use huller_archive::without_mark;
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
            for (number, line) in reader.split(b'\n').enumerate() {
                let line = line.map_err(input)?;
                let object = without_mark(&line);
                if object.trim_ascii().is_empty() {
                    continue;
                }
                let line: Line = serde_json::from_slice(object).map_err(|error| {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_order_marks_and_blank_lines_are_passed_over() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let line = r#"{"file":"a.jsonl","place":7,"reason":"dedup:text"}"#;
        std::fs::write(file.path(), format!("\u{feff}{line}\n\n\u{feff}\r\n")).unwrap();
        let list = DropList::read(&[file.path()]).unwrap();
        assert_eq!(list.reason("a.jsonl", 7).unwrap().name(), "dedup:text");
        std::fs::write(file.path(), format!("{line}\n{{}}\n")).unwrap();
        let problem = DropList::read(&[file.path()]).unwrap_err().to_string();
        assert!(problem.contains("line 2 of"), "{problem}");
    }
}
