//! The result of a run: its inputs, their counters, and how it ended.

use crate::counters::Counters;
use crate::run_files::marks::OutputMark;
use crate::run_files::side_tables::SideTables;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The result of a run.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The finished inputs in the order of the plan, including those of the resumed run.
    pub inputs: Vec<InputSummary>,
    /// The sum of the counters of these inputs.
    pub total: Counters,
    /// Number of rows in each side table that the run writes.
    pub side_rows: SideTables<u64>,
    /// Inputs that could not be used, or not to their end.
    pub unusable: Vec<UnusableInput>,
    /// Inputs that were read to their end and hold no page, in a run over pages whose other inputs
    /// hold some. The error says what they hold.
    pub without_pages: Vec<UnusableInput>,
    /// Files and folders in the given folders that are not inputs.
    pub ignored: IgnoredFiles,
    /// Number of inputs that an earlier run had finished.
    pub resumed: usize,
    /// How the run ended.
    pub ending: RunEnding,
}

/// A finished input.
#[derive(Clone, Debug)]
pub struct InputSummary {
    /// Name of the input.
    pub name: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Counts of its records by outcome and reason.
    pub counters: Counters,
}

impl InputSummary {
    /// Returns whether a record of the input is or may have been a page.
    pub fn has_page(&self) -> bool {
        self.counters.records > 0 && self.counters.without_pages(false).is_none()
    }

    /// Returns the input as a row of the statistics.
    pub fn row(&self) -> impl Serialize + '_ {
        #[derive(Serialize)]
        struct Row<'a> {
            input: &'a str,
            bytes: u64,
            #[serde(flatten)]
            counters: &'a Counters,
        }
        Row { input: &self.name, bytes: self.bytes, counters: &self.counters }
    }
}

/// An input that could not be used, or not to its end.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnusableInput {
    /// Name of the input.
    pub input: String,
    /// The reason.
    pub error: String,
}

/// Files and folders that lie in the input folders and are not read. Of several shards, only the
/// first reports them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IgnoredFiles {
    /// Folders with the output of a run.
    #[serde(default)]
    pub outputs: Vec<String>,
    /// Number of files of each kind that is not an input, by the ending of the name.
    #[serde(default)]
    pub files: BTreeMap<String, u64>,
}

impl IgnoredFiles {
    /// Whether every file was an input.
    pub fn is_empty(&self) -> bool {
        self.outputs.is_empty() && self.files.is_empty()
    }

    /// Returns the number of such files.
    pub fn count(&self) -> u64 {
        self.files.values().sum()
    }
}

impl std::ops::AddAssign<IgnoredFiles> for IgnoredFiles {
    fn add_assign(&mut self, other: IgnoredFiles) {
        self.outputs.extend(other.outputs);
        for (kind, count) in other.files {
            *self.files.entry(kind).or_default() += count;
        }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunEnding {
    /// All inputs were read.
    #[default]
    Complete,
    /// The run was interrupted. It can be resumed if it wrote to a folder.
    Interrupted,
}

impl Summary {
    /// Adds the files of a finished input in side tables.
    pub fn add_side_files(&mut self, files: &SideTables<OutputMark>) {
        for (table, mark) in files.iter() {
            if let Some(rows) = self.side_rows.get_mut(table) {
                *rows += mark.rows;
            }
        }
    }

    /// Adds the finished inputs that are unusable as a whole. A crawl may have files of
    /// requests, images or metadata alone. Such an input is unusable only if `is_strict`, or if no
    /// input has a page.
    pub fn add_unusable(&mut self, refines: bool, is_strict: bool) {
        let is_strict = is_strict || refines || !self.inputs.iter().any(InputSummary::has_page);
        for InputSummary { name, counters, .. } in &self.inputs {
            let found = |error| UnusableInput { input: name.clone(), error };
            if let Some(error) = counters.unusable_reason(refines) {
                let is_lenient = !is_strict && counters.has_only_other_records();
                let list = if is_lenient { &mut self.without_pages } else { &mut self.unusable };
                list.push(found(error));
            }
        }
    }

    /// Returns the size of all finished inputs in bytes.
    pub fn bytes(&self) -> u64 {
        self.inputs.iter().map(|input| input.bytes).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_refine::Reason;

    fn input(name: &str, written: u64, rejected: &[Reason]) -> InputSummary {
        let mut counters = Counters::default();
        for _ in 0..written {
            counters.add_written();
        }
        for reason in rejected {
            counters.add_rejected(*reason);
        }
        InputSummary { name: name.to_owned(), bytes: 1, counters }
    }

    fn judged(inputs: &[InputSummary], refines: bool, is_strict: bool) -> (usize, usize) {
        let mut summary = Summary { inputs: inputs.to_vec(), ..Summary::default() };
        summary.add_unusable(refines, is_strict);
        (summary.unusable.len(), summary.without_pages.len())
    }

    #[test]
    fn an_input_without_a_page_is_unusable_only_if_no_input_has_one() {
        let pages = input("pages", 1, &[Reason::Request]);
        let requests = input("requests", 0, &[Reason::Request]);
        let holes = input("holes", 3, &[Reason::Hole]);
        let wrong_key = input("wrong key", 0, &[Reason::NoHtmlKey]);
        let all = [requests.clone(), pages, holes, wrong_key];
        assert_eq!(judged(&all, false, false), (2, 1));
        assert_eq!(judged(&all, false, true), (3, 0));
        assert_eq!(judged(&all, true, false), (3, 0), "files of rows are expected to hold rows");
        assert_eq!(judged(&[requests], false, false), (1, 0));
    }
}
