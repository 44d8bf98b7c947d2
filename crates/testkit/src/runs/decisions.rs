//! The oracle of duplicates: it decides which rows of several inputs are kept.

use super::expected::ExpectedRecords;
use super::inputs::Version;
use super::records::{Record, RecordOutcome};
use super::row_similarity::{Address, RowText};
use super::settings::{Dedup, DedupOutput, RecordResult, Settings};
use std::collections::BTreeMap;

/// Returns the expected outcome of the records of all inputs, in the order of reading.
pub(super) fn decide_all(versions: &[&Version], settings: &Dedup) -> Vec<ExpectedRecords> {
    let alone = Settings::Dedup(settings.clone());
    let records: Vec<(usize, &Record)> = versions
        .iter()
        .enumerate()
        .flat_map(|(place, version)| version.records().map(move |record| (place, record)))
        .collect();
    let mut becomes: Vec<RecordResult> =
        records.iter().map(|(_, record)| alone.expected_result(record.fate)).collect();
    for step in ["url", "text", "near"].into_iter().filter(|step| settings.by.contains(step)) {
        drop_duplicates(step, settings, &records, &mut becomes);
    }
    let mut expected = vec![ExpectedRecords::default(); versions.len()];
    for ((place, record), becomes) in records.into_iter().zip(becomes) {
        let is_row =
            settings.written == DedupOutput::Marked && matches!(becomes, RecordResult::Skipped(_));
        expected[place].add(record.marker, if is_row { RecordResult::Row } else { becomes });
    }
    expected
}

/// The property by which two rows are duplicates.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum DuplicateKey {
    Address(u32),
    Text(u32, u32),
    Story(u32),
}

fn key(step: &str, record: &Record) -> Option<DuplicateKey> {
    if matches!(record.fate, RecordOutcome::Unwanted) && step == "url" {
        return None;
    }
    match (step, record.likeness.address, record.likeness.text) {
        ("url", Address::Shared(number), _) => Some(DuplicateKey::Address(number)),
        // A short text contains its marker.
        (_, _, RowText::Shared { story, version }) if record.fate != RecordOutcome::Short => {
            match step {
                "text" => Some(DuplicateKey::Text(story, version)),
                "near" => Some(DuplicateKey::Story(story)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Applies a step to the rows that earlier steps kept.
fn drop_duplicates(
    step: &str,
    settings: &Dedup,
    records: &[(usize, &Record)],
    becomes: &mut [RecordResult],
) {
    let mut groups: BTreeMap<DuplicateKey, Vec<usize>> = BTreeMap::new();
    for (row, (_, record)) in records.iter().enumerate() {
        if becomes[row] == RecordResult::Row
            && let Some(key) = key(step, record)
        {
            groups.entry(key).or_default().push(row);
        }
    }
    let keeps = settings.keep.unwrap_or(if step == "url" { "newest" } else { "first" });
    let reason = match step {
        "url" => "dedup:url",
        "text" => "dedup:text",
        _ => "dedup:near",
    };
    for rows in groups.into_values() {
        let mut kept = rows[0];
        for &row in &rows {
            let day = |row: usize| records[row].1.likeness.day;
            if keeps == "newest" && day(row) > day(kept) {
                kept = row;
            }
        }
        for row in rows.into_iter().filter(|row| *row != kept) {
            becomes[row] = RecordResult::Skipped(reason);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::inputs::{InputForm, InputMaker, Packing};
    use super::super::rows::RowFormat;
    use super::*;
    use crate::random::Random;
    use std::collections::BTreeSet;

    fn settings(by: &'static [&'static str], keep: Option<&'static str>) -> Dedup {
        Dedup { by, keep, written: DedupOutput::Kept, seed: 1, memory: false }
    }

    fn versions() -> Vec<Version> {
        let form = InputForm::Rows(RowFormat::Json, Packing::Plain);
        let version = |input| InputMaker::new(input, form, Random::new(input), true).version(false);
        (0..12).map(version).collect()
    }

    #[test]
    fn of_equal_texts_the_first_is_kept_and_every_record_is_counted() {
        let versions = versions();
        let all: Vec<&Version> = versions.iter().collect();
        for (by, near) in [(&["text"] as &[_], false), (&["near"], true), (&["text", "near"], true)]
        {
            let expected = decide_all(&all, &settings(by, None));
            let kept: BTreeSet<_> =
                expected.iter().flat_map(|it| &it.rows).map(|(marker, _)| *marker).collect();
            let (mut seen, mut dropped) = (BTreeSet::new(), 0);
            for record in versions.iter().flat_map(Version::records) {
                let RowText::Shared { story, version } = record.likeness.text else { continue };
                if !matches!(record.fate, RecordOutcome::Page | RecordOutcome::Unwanted) {
                    continue;
                }
                let is_first = seen.insert((story, if near { 0 } else { version }));
                assert_eq!(kept.contains(&record.marker), is_first, "{by:?} {record:?}");
                dropped += usize::from(!is_first);
            }
            assert!(dropped > 5, "{dropped}");
            for (expected, version) in expected.iter().zip(&versions) {
                let counts = expected.skipped.values().chain(expected.failed.values());
                let sum = expected.rows.len() as u64 + counts.sum::<u64>();
                assert_eq!(
                    (sum, expected.records),
                    (expected.records, version.records().count() as u64)
                );
            }
        }
    }

    #[test]
    fn of_one_address_the_newest_is_kept_unless_the_first_is_asked_for() {
        let versions = versions();
        let all: Vec<&Version> = versions.iter().collect();
        for keep in [None, Some("first")] {
            let expected = decide_all(&all, &settings(&["url"], keep));
            let kept: BTreeSet<_> =
                expected.iter().flat_map(|it| &it.rows).map(|(marker, _)| *marker).collect();
            let mut groups: BTreeMap<u32, Vec<&Record>> = BTreeMap::new();
            for record in versions.iter().flat_map(Version::records) {
                if let (Address::Shared(number), RecordOutcome::Page | RecordOutcome::Short) =
                    (record.likeness.address, record.fate)
                {
                    groups.entry(number).or_default().push(record);
                }
            }
            assert!(groups.values().any(|group| group.len() > 2));
            for group in groups.values() {
                let best = match keep {
                    None => group.iter().map(|record| record.likeness.day).max().unwrap(),
                    Some(_) => group[0].likeness.day,
                };
                let first = group.iter().find(|record| record.likeness.day == best).unwrap();
                for record in group {
                    assert_eq!(kept.contains(&record.marker), record.marker == first.marker);
                }
            }
        }
    }
}
