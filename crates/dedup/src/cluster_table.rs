//! Counts clusters by size, and the rows that each step dropped.

use crate::decide::Decisions;
use crate::error::DedupError;
use crate::settings::DedupStep;
use crate::signed_file::SignedFile;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Clusters of duplicates by size, and rows and characters by the step that dropped them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterTable {
    /// Rows of the inputs.
    pub rows: u64,
    /// Rows of earlier corpora.
    pub earlier_rows: u64,
    /// Clusters of at least two rows, by size: `2`, `3`, `4-7`, `8-15` and so on, in this order.
    pub clusters: Vec<(String, u64)>,
    /// Number of rows in the largest cluster.
    pub largest: u64,
    /// Dropped rows and characters, by the reason of the step.
    pub dropped: BTreeMap<String, DropCounts>,
}

/// Rows that a step dropped. For [`DedupStep::Lines`] and [`DedupStep::Paragraphs`], the rows whose
/// texts were changed, and the characters that they lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DropCounts {
    /// Number of rows.
    pub rows: u64,
    /// Number of Unicode scalars in their texts.
    pub chars: u64,
}

impl std::ops::AddAssign for DropCounts {
    fn add_assign(&mut self, other: DropCounts) {
        self.rows += other.rows;
        self.chars += other.chars;
    }
}

/// Rows and characters that several steps left out of texts, by their reasons.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct DropsByReason(pub(crate) BTreeMap<String, DropCounts>);

impl DropsByReason {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Notes that a step shortened the text `text_before` to `text_after`.
    pub(crate) fn add(&mut self, step: DedupStep, text_before: &str, text_after: &str) {
        let chars = text_before.chars().count() - text_after.chars().count();
        *self.0.entry(step.reason().to_owned()).or_default() +=
            DropCounts { rows: 1, chars: chars as u64 };
    }
}

impl std::ops::AddAssign<&DropsByReason> for DropsByReason {
    fn add_assign(&mut self, other: &DropsByReason) {
        for (reason, dropped) in &other.0 {
            *self.0.entry(reason.clone()).or_default() += *dropped;
        }
    }
}

impl ClusterTable {
    pub(crate) fn from_decisions(
        decisions: &Decisions,
        files: &[SignedFile],
    ) -> Result<ClusterTable, DedupError> {
        let mut by_size = BTreeMap::new();
        let mut largest = 0;
        for row in 0..decisions.rows() {
            if decisions.kept_for(row) == row {
                let size = decisions.size(row);
                if size > 1 {
                    *by_size.entry(size_class(size)).or_insert(0) += 1;
                    largest = largest.max(size);
                }
            }
        }
        let mut dropped: BTreeMap<String, DropCounts> = BTreeMap::new();
        let mut row = 0;
        for file in files {
            file.for_each(|record| {
                if let Some(step) = decisions.dropped_by(row) {
                    let dropped = dropped.entry(step.reason().to_owned()).or_default();
                    dropped.rows += 1;
                    dropped.chars += u64::from(record.chars());
                }
                row += 1;
                Ok(())
            })?;
        }
        Ok(ClusterTable {
            rows: u64::from(decisions.rows() - decisions.earlier),
            earlier_rows: u64::from(decisions.earlier),
            clusters: by_size
                .into_iter()
                .map(|(min_size, count)| (name(min_size), count))
                .collect(),
            largest: u64::from(largest),
            dropped,
        })
    }
}

/// Returns the least size in the class of a size.
fn size_class(size: u32) -> u32 {
    if size <= 3 { size } else { 1 << size.ilog2() }
}

fn name(min_size: u32) -> String {
    if min_size <= 3 {
        min_size.to_string()
    } else {
        format!("{min_size}-{}", min_size - 1 + min_size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_classed() {
        let names: Vec<_> = [2, 3, 4, 7, 8, 1_000_000].map(|size| name(size_class(size))).into();
        assert_eq!(names, ["2", "3", "4-7", "4-7", "8-15", "524288-1048575"]);
    }
}
