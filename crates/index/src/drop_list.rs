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
    /// Entries that are known to name no row of the inputs.
    unnamed: usize,
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

    /// Notes that a file was read to its end, and how many of its rows the list names.
    pub(crate) fn file_read(&mut self, file: &str, named: usize) {
        let listed = self.files.get(file).map_or(0, BTreeMap::len);
        self.unnamed += listed.saturating_sub(named);
    }

    /// Returns a note if entries name no row. The entries of files that this run did not read are
    /// taken to name rows, since an earlier run may have dropped these.
    pub(crate) fn note(&self) -> Option<String> {
        let all: usize = self.files.values().map(BTreeMap::len).sum();
        let unnamed = self.unnamed;
        (unnamed > 0).then(|| format!("{unnamed} of {all} entries of --drop name no row"))
    }

    /// Returns a note for each listed file that is not among these inputs. Its rows are not
    /// dropped.
    pub(crate) fn unmatched<'a>(&mut self, inputs: impl Iterator<Item = &'a str>) -> Vec<String> {
        let inputs: HashSet<&str> = inputs.collect();
        let others = self.files.iter().filter(|(file, _)| !inputs.contains(file.as_str()));
        self.unnamed += others.clone().map(|(_, rows)| rows.len()).sum::<usize>();
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
    fn entries_that_name_no_row_are_reported() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let line = |file: &str, place: u64| {
            format!(r#"{{"file":"{file}","place":{place},"reason":"dedup:text"}}"#)
        };
        let lines = [line("a", 0), line("a", 7), line("b", 0), line("b", 9), line("c", 0)];
        std::fs::write(file.path(), lines.join("\n")).unwrap();
        let mut list = DropList::read(&[file.path()]).unwrap();
        let notes = list.unmatched(["a", "b"].into_iter());
        assert_eq!(notes, ["--drop lists 1 rows of 'c', which is not among the inputs"]);
        list.file_read("a", 2);
        list.file_read("b", 1);
        assert_eq!(list.note().unwrap(), "2 of 5 entries of --drop name no row");
    }

    #[test]
    fn byte_order_marks_and_blank_lines_are_passed_over() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let line = r#"{"file":"a.jsonl","place":7,"reason":"dedup:text"}"#;
        std::fs::write(file.path(), format!("\u{feff}{line}\n\n\u{feff}\r\n")).unwrap();
        let list = DropList::read(&[file.path()]).unwrap();
        assert_eq!(list.reason("a.jsonl", 7).unwrap().name(), "dedup:text");
        std::fs::write(file.path(), "").unwrap();
        assert_eq!(DropList::read(&[file.path()]).unwrap().note(), None);
        std::fs::write(file.path(), format!("{line}\n{{}}\n")).unwrap();
        let problem = DropList::read(&[file.path()]).unwrap_err().to_string();
        assert!(problem.contains("line 2 of"), "{problem}");
    }
}
