//! Scores metadata against gold: titles, authors and dates of publication.
//!
//! A value is *exact* if it equals the gold's in NFKC and lower case, with single spaces as white
//! space. A date is exact if the parts that the gold gives (year, month, day) are equal. A value is
//! *near* if it is exact, or if one of the two contains the other. A date is near if it differs by
//! at most one day, because gold dates are often in another time zone.
//!
//! Precision is the share of exact values among the values found on pages with gold. Recall is the
//! share of exact values among these pages. Values found on pages of the set without gold are
//! counted separately, because the gold may be incomplete.

use crate::error::EvalError;
use crate::gold::Gold;
use crate::groups::ALL;
pub use crate::predictions::FieldValues;
use crate::run::Plan;
use crate::source::{for_each_page, index_by_id};
use crate::tokens::normalise;
use huller_metadata::{Metadata, MetadataReader};
use huller_page::PageBuf;
use huller_provenance::days;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The names of the fields.
pub const FIELDS: [&str; 3] = ["title", "author", "published"];

/// The name of our own system.
pub const OURS: &str = "huller";

/// The counts of one field of one system on one group of pages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldRow {
    /// Name of the system.
    pub name: String,
    /// The data set, or `ALL`.
    pub group: String,
    /// One of [`FIELDS`].
    pub field: String,
    /// Number of pages with gold.
    pub pages: usize,
    /// Number of these on which a value was found.
    pub found: usize,
    /// Number of these on which the value is exact.
    pub exact: usize,
    /// Number of these on which the value is near.
    pub near: usize,
    /// Number of pages without gold in the sets that have gold for this field.
    pub without_gold: usize,
    /// Number of pages without gold on which a value was found.
    pub found_without_gold: usize,
}

impl FieldRow {
    /// Returns precision, recall, the share of pages with a near value, and F1. A ratio with
    /// denominator 0 is 0.
    pub fn shares(&self) -> [f64; 4] {
        let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        [
            share(self.exact, self.found),
            share(self.exact, self.pages),
            share(self.near, self.pages),
            share(2 * self.exact, self.found + self.pages),
        ]
    }
}

/// All fields of all systems.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldReport {
    /// The rows, group by group, then field by field, each with all systems.
    pub rows: Vec<FieldRow>,
    /// Number of pages that all archives lack; they are left out.
    pub missing: u64,
}

static NO_VALUES: FieldValues = [String::new(), String::new(), String::new()];

/// The agreement of a value with the gold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Agreement {
    /// There is no value.
    Absent,
    /// The value differs.
    Wrong,
    /// The value is almost right.
    Near,
    /// The value is right.
    Exact,
}

impl Plan {
    /// Scores the metadata of all pages in the sets that have gold metadata. Calls `progress` after
    /// each page.
    ///
    /// # Errors
    ///
    /// If an archive cannot be read.
    pub fn fields(&self, progress: &(dyn Fn() + Sync)) -> Result<FieldReport, EvalError> {
        let has_gold = |page: &Gold| gold_fields(page).iter().any(|field| !field.is_empty());
        let sets: BTreeSet<&str> =
            self.gold.iter().filter(|page| has_gold(page)).map(|page| &*page.dataset).collect();
        let pages: Vec<usize> =
            (0..self.gold.len()).filter(|page| sets.contains(&*self.gold[*page].dataset)).collect();
        let pages_by_id = index_by_id(&self.gold, pages.iter().copied());
        let work =
            |scratch: &mut MetadataScratch, pages: &[usize], html: &str| -> Vec<FieldValues> {
                let values = pages.iter().map(|page| {
                    progress();
                    scratch.read_metadata(html, self.gold[*page].url.as_deref())
                });
                values.collect()
            };
        // Our own system reads the pages; other systems give their values in files.
        let (scored_pages, _) = self.run_in_pool(|| {
            for_each_page(&self.archives, &pages_by_id, MetadataScratch::default, work)
        })?;
        let mut ours: Vec<Option<FieldValues>> = vec![None; self.gold.len()];
        for (pages, values) in scored_pages {
            pages.iter().zip(values).for_each(|(page, values)| ours[*page] = Some(values));
        }
        let missing = pages.iter().filter(|page| ours[**page].is_none()).count() as u64;
        // For each system, the values of every page; `None` for a page that it did not read.
        let mut systems: Vec<(&str, Vec<Option<&FieldValues>>)> = Vec::new();
        if !self.archives.is_empty() {
            systems.push((OURS, ours.iter().map(Option::as_ref).collect()));
        }
        for predictions in &self.predictions {
            let values = |page: &Gold| Some(predictions.fields(page).unwrap_or(&NO_VALUES));
            systems.push((&predictions.name, self.gold.iter().map(values).collect()));
        }
        // A row for each group, field and system.
        let mut rows = Vec::new();
        for group in sets.iter().copied().chain([ALL]) {
            for (field, field_name) in FIELDS.into_iter().enumerate() {
                let of_group = |page: &&usize| {
                    let set = &*self.gold[**page].dataset;
                    (group == ALL || group == set) && self.set_has_gold(set, field)
                };
                let of_group: Vec<usize> = pages.iter().filter(of_group).copied().collect();
                for (name, values) in systems.iter().filter(|_| !of_group.is_empty()) {
                    let mut row = FieldRow {
                        name: (*name).to_owned(),
                        group: group.to_owned(),
                        field: field_name.to_owned(),
                        ..FieldRow::default()
                    };
                    for &page in &of_group {
                        if let Some(values) = values[page] {
                            count_value(
                                &mut row,
                                field,
                                &values[field],
                                gold_fields(&self.gold[page])[field],
                            );
                        }
                    }
                    rows.push(row);
                }
            }
        }
        Ok(FieldReport { rows, missing })
    }

    fn set_has_gold(&self, set: &str, field: usize) -> bool {
        let mut of_set = self.gold.iter().filter(|page| page.dataset == set);
        of_set.any(|page| !gold_fields(page)[field].is_empty())
    }
}

fn gold_fields(page: &Gold) -> [&str; 3] {
    [&page.title, &page.author, &page.date].map(|field| field.as_deref().unwrap_or_default().trim())
}

fn count_value(row: &mut FieldRow, field: usize, value: &str, gold: &str) {
    if gold.is_empty() {
        row.without_gold += 1;
        row.found_without_gold += usize::from(!value.is_empty());
        return;
    }
    let agreement =
        if field == 2 { date_agreement(value, gold) } else { field_agreement(value, gold) };
    row.pages += 1;
    row.found += usize::from(agreement > Agreement::Absent);
    row.near += usize::from(agreement >= Agreement::Near);
    row.exact += usize::from(agreement == Agreement::Exact);
}

fn field_agreement(value: &str, gold: &str) -> Agreement {
    let [value, gold] =
        [value, gold].map(|text| normalise(text).split_whitespace().collect::<Vec<_>>().join(" "));
    if value.is_empty() {
        Agreement::Absent
    } else if value == gold {
        Agreement::Exact
    } else if value.contains(&gold) || gold.contains(&value) {
        Agreement::Near
    } else {
        Agreement::Wrong
    }
}

fn date_agreement(value: &str, gold: &str) -> Agreement {
    if value.is_empty() {
        return Agreement::Absent;
    }
    let (value, gold) = (date_parts(value), date_parts(gold));
    let stated = gold.iter().take_while(|number| **number > 0).count();
    if stated > 0 && value[..stated] == gold[..stated] {
        return Agreement::Exact;
    }
    let day_number = |[year, month, day]: [i64; 3]| days(year, month, day);
    if stated == 3 && value[2] > 0 && (day_number(value) - day_number(gold)).abs() <= 1 {
        return Agreement::Near;
    }
    Agreement::Wrong
}

/// Returns year, month and day at the beginning of a date; 0 for a missing part.
fn date_parts(date: &str) -> [i64; 3] {
    let mut date_parts = date.split(|c: char| !c.is_ascii_digit());
    [4, 2, 2].map(|digits| {
        let number = date_parts.next().filter(|number| number.len() <= digits);
        number.and_then(|number| number.parse().ok()).unwrap_or(0)
    })
}

/// Buffers for reading metadata.
#[derive(Default)]
struct MetadataScratch {
    columns: PageBuf,
    reader: MetadataReader,
    found: Metadata,
}

impl MetadataScratch {
    /// Returns the metadata of a page; empty if reading it panics.
    fn read_metadata(&mut self, html: &str, url: Option<&str>) -> FieldValues {
        let read_page = catch_unwind(AssertUnwindSafe(|| {
            self.reader.read(&self.columns.fill(html), url, &mut self.found);
            let Metadata { title, author, published, .. } = &self.found;
            [title, author, published].map(String::clone)
        }));
        read_page.unwrap_or_else(|_| {
            *self = MetadataScratch::default();
            FieldValues::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_without_case_and_white_space() {
        assert_eq!(field_agreement("Rain\n and  SUN", "rain and sun"), Agreement::Exact);
        assert_eq!(field_agreement("By Ann Ray", "Ann Ray"), Agreement::Near);
        assert_eq!(field_agreement("Ann", "Bob"), Agreement::Wrong);
        assert_eq!(field_agreement(" ", "Bob"), Agreement::Absent);
    }

    #[test]
    fn dates_are_compared_as_far_as_the_gold_goes() {
        assert_eq!(date_agreement("2010-01-30T08:05Z", "2010-1-30 7:00"), Agreement::Exact);
        assert_eq!(date_agreement("2010-01-30", "2010"), Agreement::Exact);
        assert_eq!(date_agreement("2012-03-01", "2012-02-29"), Agreement::Near);
        assert_eq!(date_agreement("2009-12-31", "2010-01-01"), Agreement::Near);
        assert_eq!(date_agreement("2011-03-01", "2011-02-27"), Agreement::Wrong);
        assert_eq!(date_agreement("", "2010"), Agreement::Absent);
        assert_eq!(date_agreement("soon", "2010"), Agreement::Wrong);
        assert_eq!(date_agreement("2010-01-30", "soon"), Agreement::Wrong);
    }

    #[test]
    fn precision_is_of_values_found_and_recall_of_all_pages() {
        let mut row = FieldRow::default();
        for (value, gold) in [("a", "a"), ("ab", "a"), ("", "a"), ("x", "a"), ("x", ""), ("", "")] {
            count_value(&mut row, 0, value, gold);
        }
        assert_eq!((row.pages, row.found, row.exact, row.near), (4, 3, 1, 2));
        assert_eq!((row.without_gold, row.found_without_gold), (2, 1));
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        let [precision, recall, contained, f1] = row.shares();
        assert!(near(precision, 1.0 / 3.0) && near(recall, 0.25) && near(contained, 0.5));
        assert!(near(f1, 2.0 / 7.0));
        assert_eq!(FieldRow::default().shares().map(f64::to_bits), [0; 4]);
    }
}
