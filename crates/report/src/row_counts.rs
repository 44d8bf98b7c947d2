//! Counts the rows of a run by their fields.

use crate::run_files_data::floor_to_u64;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Most different values of a field with a count of their own. All further values count as `other`.
const MAX_VALUES: usize = 400;

/// Counts by value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally(BTreeMap<String, u64>);

impl Tally {
    pub(crate) fn add(&mut self, value: &str) {
        if let Some(count) = self.0.get_mut(value) {
            *count += 1;
        } else {
            let name = if self.0.len() < MAX_VALUES { value } else { "other" };
            *self.0.entry(name.to_owned()).or_default() += 1;
        }
    }

    /// Returns the values with their counts, most frequent first.
    pub(crate) fn by_count(&self) -> Vec<(&str, u64)> {
        let mut values: Vec<_> = self.0.iter().map(|(value, count)| (&**value, *count)).collect();
        values.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        values
    }
}

/// Counts of the rows of a run by their fields.
///
/// ```
/// use huller_report::{CountedRow, RowCounts};
///
/// let mut counts = RowCounts::default();
/// counts.add(&CountedRow { text: "a b".into(), score: Some(0.9), ..CountedRow::default() });
/// counts.add_other_line();
/// assert_eq!(counts.rows(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct RowCounts {
    /// Number of rows.
    rows: u64,
    pub(crate) other_lines: u64,
    pub(crate) charsets: Tally,
    pub(crate) charset_sources: Tally,
    pub(crate) languages: Tally,
    pub(crate) page_types: Tally,
    pub(crate) extractors: Tally,
    pub(crate) truncated: Tally,
    /// Rows by length of their text: from 2^i to 2^(i+1) - 1 Unicode scalars at i + 1. Rows without
    /// a text come first.
    pub(crate) lengths: [u64; 28],
    /// Rows by expected score, in steps of a twentieth.
    pub(crate) scores: [u64; 20],
    /// Number of rows with a score.
    pub(crate) scored: u64,
    /// Sum of the scores.
    pub(crate) score_sum: f64,
    /// Number of rows with replacement characters.
    pub(crate) replaced: u64,
    /// Number of Unicode scalars of all texts.
    pub(crate) chars: u64,
}

/// The fields of a row that are counted.
#[derive(Clone, Debug, Default)]
#[expect(missing_docs, reason = "the names are those of docs/rows.md")]
pub struct CountedRow<'a> {
    pub text: Cow<'a, str>,
    pub charset: Option<Cow<'a, str>>,
    pub charset_source: Option<Cow<'a, str>>,
    pub language: Option<Cow<'a, str>>,
    pub page_type: Option<Cow<'a, str>>,
    pub extractor: Option<Cow<'a, str>>,
    pub truncated: Option<Cow<'a, str>>,
    pub score: Option<f64>,
    pub replaced: u64,
}

impl RowCounts {
    /// Counts a line that is not a row.
    pub fn add_other_line(&mut self) {
        self.other_lines += 1;
    }

    /// Counts a row.
    pub fn add(&mut self, row: &CountedRow<'_>) {
        self.rows += 1;
        for (tally, value) in [
            (&mut self.charsets, &row.charset),
            (&mut self.charset_sources, &row.charset_source),
            (&mut self.languages, &row.language),
            (&mut self.page_types, &row.page_type),
            (&mut self.extractors, &row.extractor),
            (&mut self.truncated, &row.truncated),
        ] {
            if let Some(value) = value {
                tally.add(value);
            }
        }
        let chars = row.text.chars().count() as u64;
        self.chars += chars;
        let bin = if chars == 0 { 0 } else { chars.ilog2() as usize + 1 };
        self.lengths[bin.min(self.lengths.len() - 1)] += 1;
        if let Some(score) = row.score {
            let twentieth = floor_to_u64((score * 20.0).min(19.0)) as usize;
            self.scores[twentieth] += 1;
            self.scored += 1;
            self.score_sum += score;
        }
        self.replaced += u64::from(row.replaced > 0);
    }

    /// Returns the number of rows counted.
    pub fn rows(&self) -> u64 {
        self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_counted_by_every_field() {
        let mut counts = RowCounts::default();
        counts.add(&CountedRow {
            text: "äb".into(),
            charset: Some("UTF-8".into()),
            language: Some("eng".into()),
            score: Some(1.0),
            replaced: 3,
            ..CountedRow::default()
        });
        counts.add(&CountedRow::default());
        counts.add_other_line();
        assert_eq!((counts.rows, counts.other_lines, counts.chars, counts.replaced), (2, 1, 2, 1));
        assert_eq!((counts.lengths[0], counts.lengths[2], counts.scores[19]), (1, 1, 1));
        assert_eq!(counts.languages.by_count(), [("eng", 1)]);
        assert!(counts.page_types.by_count().is_empty());
    }

    #[test]
    fn values_without_end_take_no_memory_without_end() {
        let mut tally = Tally::default();
        for number in 0..10_000 {
            tally.add(&number.to_string());
        }
        assert_eq!(tally.0.len(), MAX_VALUES + 1);
        assert_eq!(tally.by_count()[0], ("other", 10_000 - MAX_VALUES as u64));
    }
}
