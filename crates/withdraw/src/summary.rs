//! The result of a withdrawal.

use huller_run::withdrawals::tombstone::Rule;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The result of a withdrawal.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The result for each folder, in the order of the request.
    pub targets: Vec<TargetSummary>,
    /// Number of tombstones that were new to at least one folder.
    pub new_tombstones: u64,
    /// Notes for the user.
    pub notes: Vec<String>,
}

/// The result for a folder.
#[derive(Clone, Debug, Default)]
pub struct TargetSummary {
    /// The folder.
    pub path: PathBuf,
    /// Number of rows that were read.
    pub rows: u64,
    /// Number of rows that were withdrawn, by the name of the rule.
    pub withdrawn: BTreeMap<&'static str, u64>,
    /// Number of rows that left the tables beside the rows, such as passages.
    pub side_rows: u64,
    /// Number of lines that left lists of rejects and files of dropped rows.
    pub lines: u64,
}

impl TargetSummary {
    pub(crate) fn count(&mut self, rule: Rule, rows: u64) {
        *self.withdrawn.entry(rule.name()).or_default() += rows;
    }

    /// Returns the number of rows that were withdrawn.
    pub fn total(&self) -> u64 {
        self.withdrawn.values().sum()
    }

    /// Returns whether nothing was removed from the folder.
    pub fn is_unchanged(&self) -> bool {
        self.total() == 0 && self.side_rows == 0 && self.lines == 0
    }
}
