//! Counts the rows that match a query, in total and by language, host and page type.

use crate::schema::{LANGUAGE, PAGE_TYPE, SITE};
use std::collections::{BTreeMap, HashMap};
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::StrColumn;
use tantivy::{DocId, Score, SegmentOrdinal, SegmentReader};

/// Number of values listed per field.
const MAX_LISTED_VALUES: usize = 20;

/// Number of values taken from a segment. It is far above the listed number, so only counts of the
/// rarest listed values may be too low.
const VALUES_PER_SEGMENT: usize = 1000;

/// Counts of the rows that match a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All matching rows.
    pub rows: u64,
    /// The most frequent languages with their numbers of rows, most frequent first.
    pub languages: Vec<(String, u64)>,
    /// The most frequent hosts, likewise.
    pub hosts: Vec<(String, u64)>,
    /// The most frequent page types, likewise.
    pub page_types: Vec<(String, u64)>,
}

/// The collector that counts matching rows.
pub(crate) struct CountCollector;

/// Number of rows by value of one field in one segment. Values are ordinals of the column.
struct ValueCounts {
    column: Option<StrColumn>,
    rows: HashMap<u64, u64>,
}

/// The counts of one segment.
pub(crate) struct SegmentCounter {
    /// Number of rows counted so far.
    rows: u64,
    fields: [ValueCounts; 3],
}

/// The counts of one segment, by value text.
pub(crate) struct SegmentCounts {
    /// Number of rows counted.
    rows: u64,
    fields: [Vec<(String, u64)>; 3],
}

impl Collector for CountCollector {
    type Fruit = Counts;
    type Child = SegmentCounter;

    fn for_segment(
        &self,
        _: SegmentOrdinal,
        segment: &SegmentReader,
    ) -> tantivy::Result<SegmentCounter> {
        let values = |name| -> tantivy::Result<ValueCounts> {
            Ok(ValueCounts { column: segment.fast_fields().str(name)?, rows: HashMap::new() })
        };
        Ok(SegmentCounter {
            rows: 0,
            fields: [values(LANGUAGE)?, values(SITE)?, values(PAGE_TYPE)?],
        })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    fn merge_fruits(
        &self,
        segments: Vec<tantivy::Result<SegmentCounts>>,
    ) -> tantivy::Result<Counts> {
        let mut rows = 0;
        let mut fields = [BTreeMap::new(), BTreeMap::new(), BTreeMap::new()];
        for segment in segments {
            let segment = segment?;
            rows += segment.rows;
            for (merged_counts, segment_counts) in fields.iter_mut().zip(segment.fields) {
                for (value, count) in segment_counts {
                    *merged_counts.entry(value).or_insert(0) += count;
                }
            }
        }
        let [languages, hosts, page_types] =
            fields.map(|values| most_frequent(values, MAX_LISTED_VALUES));
        Ok(Counts { rows, languages, hosts, page_types })
    }
}

impl SegmentCollector for SegmentCounter {
    type Fruit = tantivy::Result<SegmentCounts>;

    fn collect(&mut self, row: DocId, _: Score) {
        self.rows += 1;
        for ValueCounts { column, rows } in &mut self.fields {
            if let Some(value) = column.as_ref().and_then(|column| column.ords().first(row)) {
                *rows.entry(value).or_insert(0) += 1;
            }
        }
    }

    fn harvest(self) -> tantivy::Result<SegmentCounts> {
        let [languages, hosts, page_types] = self.fields.map(ValueCounts::named);
        Ok(SegmentCounts { rows: self.rows, fields: [languages?, hosts?, page_types?] })
    }
}

impl ValueCounts {
    /// Returns the most frequent values with their counts.
    fn named(self) -> tantivy::Result<Vec<(String, u64)>> {
        let Some(column) = self.column else { return Ok(Vec::new()) };
        let row_values =
            most_frequent(self.rows, VALUES_PER_SEGMENT).into_iter().map(|(value, count)| {
                let mut name = String::new();
                column.ord_to_str(value, &mut name)?;
                Ok((name, count))
            });
        row_values.collect()
    }
}

/// Returns the values with most rows, at most `limit`. Equally frequent values are in ascending
/// order.
fn most_frequent<T: Ord>(
    values: impl IntoIterator<Item = (T, u64)>,
    limit: usize,
) -> Vec<(T, u64)> {
    let mut values: Vec<_> = values.into_iter().collect();
    values.sort_by(|(one, rows), (other, others)| others.cmp(rows).then_with(|| one.cmp(other)));
    values.truncate(limit);
    values
}
