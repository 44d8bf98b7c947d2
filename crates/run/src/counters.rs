//! Counters of records by outcome and reason, and their JSON form.

use crate::waterfall::Waterfall;
use huller_archive::Repair;
use huller_refine::{Reason, RejectionKind};
use serde::de::{Error, MapAccess, Visitor};
use serde::ser::{SerializeMap, SerializeStruct};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

const REASONS: usize = Reason::ALL.len();

/// More records than any run reads. The sum over all inputs of a file system stays below 2^64.
const MAX_RECORDS: u64 = 1 << 48;

/// The repairs and their names in JSON, in the order of tables.
const REPAIRS: [(Repair, &str); 3] = [
    (Repair::ContentLengthTooLong, "content_length_too_long"),
    (Repair::ChecksumMismatch, "checksum_mismatch"),
    (Repair::Truncated, "truncated"),
];

/// A count for each built-in reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ReasonCounts([u64; REASONS]);

impl Default for ReasonCounts {
    fn default() -> ReasonCounts {
        ReasonCounts([0; REASONS])
    }
}

/// Counts of records. Every record read is written, skipped or failed, exactly once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Records read, unreadable ones included.
    pub records: u64,
    /// Records that gave a row.
    pub written: u64,
    /// Records without a row, by the place of the built-in reason.
    without_row: ReasonCounts,
    /// Counts of reasons that are not built in, sorted by name. Usually empty, which takes no
    /// memory.
    named: Vec<(Reason, u64)>,
    repaired: [u64; REPAIRS.len()],
    /// Rows and characters before and after each stage. Empty in a run without stages.
    pub waterfall: Waterfall,
}

impl Counters {
    /// Counts a record that was read and gave a row.
    pub fn add_written(&mut self) {
        self.records += 1;
        self.written += 1;
    }

    /// Counts a record that was read and gave no row.
    pub fn add_rejected(&mut self, reason: Reason) {
        self.records += 1;
        self.reject(reason);
    }

    /// Counts the reason why a record gave no row. The caller counts the record itself.
    pub fn reject(&mut self, reason: Reason) {
        *self.slot(reason) += 1;
    }

    /// Counts rows that were written and are now removed, for this reason.
    pub fn remove_written(&mut self, rows: u64, reason: Reason) {
        let rows = rows.min(self.written);
        self.written -= rows;
        *self.slot(reason) += rows;
    }

    /// Returns the counter of a reason, and adds it if it is missing.
    fn slot(&mut self, reason: Reason) -> &mut u64 {
        if let Some(place) = reason.place() {
            return &mut self.without_row.0[place];
        }
        let key = |reason: Reason| (reason.name(), reason.kind() == RejectionKind::Failed);
        let place = match self.named.binary_search_by_key(&key(reason), |(of, _)| key(*of)) {
            Ok(place) => place,
            Err(place) => {
                self.named.insert(place, (reason, 0));
                place
            }
        };
        &mut self.named[place].1
    }

    /// Counts a repair of a record. The outcome of the record is counted separately.
    pub fn repair(&mut self, repair: Repair) {
        for (count, (known, _)) in self.repaired.iter_mut().zip(REPAIRS) {
            *count += u64::from(known == repair);
        }
    }

    /// Returns the number of records without a row for this reason.
    pub fn count(&self, reason: Reason) -> u64 {
        match reason.place() {
            Some(place) => self.without_row.0[place],
            None => self.named.iter().filter(|(of, _)| *of == reason).map(|(_, count)| count).sum(),
        }
    }

    /// Returns the number of records without a row for the reason of this name.
    pub fn count_of(&self, name: &str) -> u64 {
        let counts = [RejectionKind::Skipped, RejectionKind::Failed].map(|kind| {
            let named = self.reasons(kind).filter(|(reason, _)| reason.name() == name);
            named.map(|(_, count)| count).sum::<u64>()
        });
        counts.iter().sum()
    }

    /// Returns the number of skipped records, or of failed records.
    pub fn total(&self, kind: RejectionKind) -> u64 {
        self.reasons(kind).map(|(_, count)| count).sum()
    }

    /// Returns the reasons of one kind that occurred, with their counts. Built-in reasons come
    /// first in the order of tables, then others by name.
    pub fn reasons(&self, kind: RejectionKind) -> impl Iterator<Item = (Reason, u64)> {
        let built_in = Reason::ALL.iter().copied().zip(self.without_row.0);
        built_in
            .chain(self.named.iter().copied())
            .filter(move |(reason, count)| reason.kind() == kind && *count > 0)
    }

    /// Returns the counted reasons that are not built in, sorted by name.
    pub fn named(&self) -> impl Iterator<Item = Reason> {
        self.named.iter().map(|(reason, _)| *reason)
    }

    /// Returns the repairs that occurred, each with its number of records.
    pub fn repairs(&self) -> impl Iterator<Item = (&'static str, u64)> {
        REPAIRS
            .iter()
            .zip(self.repaired)
            .map(|((_, name), count)| (*name, count))
            .filter(|(_, count)| *count > 0)
    }

    /// Returns a message if records were read and all of them lack a page. In a run that refines,
    /// all of them lack a row. Such an input is not a crawl (not a corpus), or it is damaged
    /// throughout.
    pub(crate) fn without_pages(&self, refines: bool) -> Option<String> {
        let others = [RejectionKind::Failed, RejectionKind::Skipped].map(|kind| {
            let others = self.reasons(kind).filter(|(reason, _)| is_no_page(*reason));
            others.map(|(reason, count)| (count, reason.name())).collect::<Vec<_>>()
        });
        let mut others = others.concat();
        let counted: u64 = others.iter().map(|(count, _)| count).sum();
        if self.records == 0 || counted < self.records {
            return None;
        }
        others.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        let has = |reason: Reason| others.iter().any(|(_, name)| *name == reason.name());
        let remedy = if has(Reason::NoHtmlKey) {
            "; --html-key names the field or column of pages"
        } else if has(Reason::NoTextKey) {
            "; --text-key names the field or column of texts"
        } else if has(Reason::WindowTooLarge) && refines {
            "; decompress it with `zstd -d --long=31`"
        } else if has(Reason::WindowTooLarge) {
            "; --max-zstd-window sets the limit"
        } else if has(Reason::TooLarge) {
            "; --max-record-bytes sets the limit"
        } else if has(Reason::NotWhereIndexed) {
            "; the archives do not have records at the given places"
        } else {
            ""
        };
        let unit = if refines { "row with text" } else { "page" };
        let others: Vec<_> = others.iter().map(|(count, name)| format!("{name} {count}")).collect();
        let others = others.join(", ");
        Some(match self.records {
            1 => format!("its only record is not a {unit} ({others}){remedy}"),
            count => format!("none of its {count} records is a {unit} ({others}){remedy}"),
        })
    }

    /// Returns whether all records are of kinds that never hold pages, such as requests or images,
    /// and sound.
    pub(crate) fn has_only_other_records(&self) -> bool {
        self.total(RejectionKind::Failed) == 0 && self.without_pages(false).is_some()
    }

    /// Returns why an input counts as failed although it was read to its end. It has no page (in a
    /// run that refines, no row), or it has holes. `None` for a sound input.
    pub fn unusable_reason(&self, refines: bool) -> Option<String> {
        self.without_pages(refines).or_else(|| match self.count(Reason::Hole) {
            0 => None,
            holes => {
                let holes = if holes == 1 { "a hole".to_owned() } else { format!("{holes} holes") };
                Some(format!(
                    "it has {holes} of zeros: its writer reserved the space and did not fill it; \
                     the rows of the rest were written"
                ))
            }
        })
    }

    /// Whether the end of the input cut a record that still gave a page.
    pub fn is_cut_off(&self) -> bool {
        REPAIRS.iter().zip(self.repaired).any(|((how, _), n)| *how == Repair::Truncated && n > 0)
    }

    /// Whether records written, skipped and failed add up to the records read.
    pub fn is_balanced(&self) -> bool {
        // A run file that was edited by hand may hold any number.
        let mut counts = self.without_row.0.iter().chain(self.named.iter().map(|(_, count)| count));
        let sum = counts.try_fold(self.written, |sum, count| sum.checked_add(*count));
        sum == Some(self.records) && self.records <= MAX_RECORDS
    }
}

/// Whether this reason says that the record held no page: it has another type, is not a record, or
/// could not be read.
fn is_no_page(reason: Reason) -> bool {
    match reason {
        // A named reason comes from a stage, and a stage looks at a row.
        Reason::Named(_) => false,
        Reason::Warcinfo
        | Reason::Request
        | Reason::Metadata
        | Reason::Conversion
        | Reason::Continuation
        | Reason::OtherType
        | Reason::NotHtml
        | Reason::NestedArchive
        | Reason::NotARow
        | Reason::TooLarge
        | Reason::WindowTooLarge => true,
        _ => reason.kind() == RejectionKind::Failed,
    }
}

impl std::ops::AddAssign<&Counters> for Counters {
    fn add_assign(&mut self, other: &Counters) {
        self.records += other.records;
        self.written += other.written;
        self.without_row.0.iter_mut().zip(other.without_row.0).for_each(|(sum, more)| *sum += more);
        for (reason, more) in &other.named {
            *self.slot(*reason) += more;
        }
        self.repaired.iter_mut().zip(other.repaired).for_each(|(sum, more)| *sum += more);
        self.waterfall.add_all(&other.waterfall);
    }
}

/// Counts by name, as a JSON object.
struct NamedCounts<I>(I);

impl<I: Iterator<Item = (&'static str, u64)> + Clone> Serialize for NamedCounts<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, count) in self.0.clone() {
            map.serialize_entry(name, &count)?;
        }
        map.end()
    }
}

impl Serialize for Counters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let named = |kind| {
            let reasons: Vec<_> =
                self.reasons(kind).map(|(reason, n)| (reason.name(), n)).collect();
            NamedCounts(reasons.into_iter())
        };
        let repaired: Vec<_> = self.repairs().collect();
        let mut out = serializer.serialize_struct("Account", 6)?;
        out.serialize_field("records", &self.records)?;
        out.serialize_field("written", &self.written)?;
        out.serialize_field("skipped", &named(RejectionKind::Skipped))?;
        out.serialize_field("failed", &named(RejectionKind::Failed))?;
        out.serialize_field("repaired", &NamedCounts(repaired.into_iter()))?;
        if self.waterfall.is_empty() {
            out.skip_field("waterfall")?;
        } else {
            out.serialize_field("waterfall", &self.waterfall)?;
        }
        out.end()
    }
}

/// Takes over counts from JSON. A reason that this version does not know keeps its name.
fn reasons<E: Error>(
    counters: &mut Counters,
    kind: RejectionKind,
    counts: BTreeMap<String, u64>,
) -> Result<(), E> {
    for (name, count) in counts {
        let reason = Reason::named(&name, kind);
        *counters.slot(reason.ok_or_else(|| E::custom("too many unknown reasons"))?) = count;
    }
    Ok(())
}

impl<'de> Deserialize<'de> for Counters {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Counters, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = Counters;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("the statistics of an input")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Counters, M::Error> {
                let mut counters = Counters::default();
                while let Some(key) = map.next_key::<String>()? {
                    match key.as_str() {
                        "records" => counters.records = map.next_value()?,
                        "written" => counters.written = map.next_value()?,
                        "skipped" => {
                            reasons(&mut counters, RejectionKind::Skipped, map.next_value()?)?;
                        }
                        "failed" => {
                            reasons(&mut counters, RejectionKind::Failed, map.next_value()?)?;
                        }
                        "repaired" => {
                            for (name, count) in map.next_value::<BTreeMap<String, u64>>()? {
                                let known = REPAIRS.iter().position(|(_, known)| *known == name);
                                let known =
                                    known.ok_or_else(|| M::Error::custom("unknown repair"))?;
                                counters.repaired[known] = count;
                            }
                        }
                        "waterfall" => counters.waterfall = map.next_value()?,
                        _ => return Err(M::Error::custom("unknown field")),
                    }
                }
                Ok(counters)
            }
        }

        deserializer.deserialize_map(Fields)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_survives_json() {
        let mut counters = Counters { records: 4, written: 2, ..Counters::default() };
        counters.reject(Reason::Status);
        counters.reject(Reason::Truncated);
        counters.repair(Repair::ChecksumMismatch);
        assert!(counters.is_balanced());
        let json = serde_json::to_string(&counters).unwrap();
        let expected = r#"{"records":4,"written":2,"skipped":{"status":1},"failed":{"truncated":1},"repaired":{"checksum_mismatch":1}}"#;
        assert_eq!(json, expected);
        assert_eq!(serde_json::from_str::<Counters>(&json).unwrap(), counters);
    }

    #[test]
    fn an_account_without_a_page_says_so() {
        let mut counters = Counters { records: 3, ..Counters::default() };
        for reason in [Reason::Request, Reason::NoHtmlKey, Reason::NoHtmlKey] {
            counters.reject(reason);
        }
        let expected = "none of its 3 records is a page (no_html_key 2, request 1); --html-key names the field or column of pages";
        assert_eq!(counters.without_pages(false).unwrap(), expected);
        // An unwanted page is still a page.
        counters.records += 1;
        counters.reject(Reason::Status);
        assert_eq!(counters.without_pages(false), None);
        assert_eq!(Counters::default().without_pages(false), None);
    }

    #[test]
    fn an_account_of_rows_without_a_text_says_so() {
        let said = |reasons: &[Reason]| {
            let mut counters = Counters { records: reasons.len() as u64, ..Counters::default() };
            for reason in reasons {
                counters.reject(*reason);
            }
            counters.unusable_reason(true)
        };
        let expected = "none of its 3 records is a row with text (no_text_key 2, invalid_json 1); \
            --text-key names the field or column of texts";
        let reasons = [Reason::NoTextKey, Reason::InvalidJson, Reason::NoTextKey];
        assert_eq!(said(&reasons).unwrap(), expected);
        // A dropped row is still a row.
        assert_eq!(said(&[Reason::NoTextKey, Reason::TooShort]), None);
    }

    #[test]
    fn an_account_of_records_that_cannot_be_read_says_so() {
        let said = |reasons: &[Reason], refines| {
            let mut counters = Counters { records: reasons.len() as u64, ..Counters::default() };
            for reason in reasons {
                counters.reject(*reason);
            }
            counters.unusable_reason(refines)
        };
        for reason in [Reason::BadRow, Reason::CorruptRows, Reason::BadHttpHead, Reason::Panic] {
            for refines in [false, true] {
                assert!(said(&[reason, reason], refines).unwrap().contains(reason.name()));
                assert_eq!(said(&[reason, Reason::TooShort], refines), None);
            }
        }
        let window = said(&[Reason::WindowTooLarge, Reason::CorruptMember], false).unwrap();
        assert!(window.ends_with("; --max-zstd-window sets the limit"), "{window}");
        let large = said(&[Reason::TooLarge], false).unwrap();
        assert!(large.ends_with("; --max-record-bytes sets the limit"), "{large}");
        // The stage that failed looked at a row.
        assert_eq!(said(&[Reason::named("a:x", RejectionKind::Failed).unwrap()], true), None);
    }

    #[test]
    fn reasons_that_are_not_built_in_are_kept_and_added_up() {
        let json = r#"{"records":9,"written":1,"skipped":{"status":1,"a:x":2,"z:y":1},"failed":{"panic":1,"a:x":3},"repaired":{}}"#;
        let mut counters: Counters = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&counters).unwrap(), json);
        assert!(counters.is_balanced());
        let mut sum = Counters::default();
        sum += &counters;
        assert_eq!(sum, counters);
        sum += &counters;
        let reason = Reason::named("a:x", RejectionKind::Skipped).unwrap();
        assert_eq!((sum.count(reason), sum.total(RejectionKind::Failed)), (4, 8));
        counters.reject(reason);
        assert_eq!(counters.count(reason), 3);
        let again: Counters = serde_json::from_str(&serde_json::to_string(&sum).unwrap()).unwrap();
        assert_eq!(again, sum);
    }
}
