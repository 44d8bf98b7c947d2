//! The oracle: the expected outcome of an input's records under some settings.

use super::records::{Marker, Record};
use super::settings::{RecordResult, Settings};
use std::collections::BTreeMap;

/// Counts by reason.
pub(super) type Counts = BTreeMap<String, u64>;

/// The version of an input that an entry belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InputVersion {
    pub(super) input: usize,
    pub(super) version: usize,
}

/// The expected outcome of the records of one version of an input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ExpectedRecords {
    /// The markers of rows in order; `false` for records that may fail instead.
    pub(super) rows: Vec<(Marker, bool)>,
    pub(super) skipped: Counts,
    /// Counts without the records that may be rows.
    pub(super) failed: Counts,
    pub(super) records: u64,
}

impl ExpectedRecords {
    /// Returns the expected outcome of these records.
    pub(super) fn new<'a>(
        records: impl IntoIterator<Item = &'a Record>,
        settings: &Settings,
    ) -> ExpectedRecords {
        let mut expected = ExpectedRecords::default();
        for Record { marker, fate, .. } in records {
            expected.add(*marker, settings.expected_result(*fate));
        }
        expected
    }

    /// Counts a record.
    pub(super) fn add(&mut self, marker: Marker, becomes: RecordResult) {
        self.records += 1;
        let count = |counts: &mut Counts, reason: &str| {
            *counts.entry(reason.to_owned()).or_default() += 1;
        };
        match becomes {
            RecordResult::Row => self.rows.push((marker, true)),
            RecordResult::MaybeRow => self.rows.push((marker, false)),
            RecordResult::Skipped(reason) => count(&mut self.skipped, reason),
            RecordResult::Failed(reason) => count(&mut self.failed, reason),
        }
    }

    /// Returns the least number of rows.
    pub(super) fn least_rows(&self) -> u64 {
        self.rows.iter().filter(|(_, is_sure)| *is_sure).count() as u64
    }

    /// Returns the fault in the statistics of an input whose rows were not written, if there is
    /// one.
    pub(super) fn counters_differ(&self, counters: &EntryCounts) -> Option<String> {
        let least = self.least_rows();
        let is_right = counters.adds_up()
            && counters.records == self.records
            && counters.skipped == self.skipped
            && (least..=self.rows.len() as u64).contains(&counters.written);
        (!is_right).then(|| format!("the statistics are {counters:?}, expected {self:?}"))
    }

    /// Returns the fault in the rows and statistics of an output, if there is one. Where a limit
    /// may have cut the rows, only the written rows must be right.
    pub(super) fn differs(
        &self,
        rows: &[Marker],
        counters: &EntryCounts,
        may_be_cut: bool,
    ) -> Option<String> {
        let EntryCounts { records, written, skipped, failed } = counters;
        if *written != rows.len() as u64 {
            return Some(format!("{} rows, {written} in the statistics", rows.len()));
        }
        if !counters.adds_up() {
            return Some(format!("the statistics do not add up: {counters:?}"));
        }
        let mut wanted = self.rows.iter();
        let mut lost: Vec<&Marker> = Vec::new();
        for row in rows {
            loop {
                match wanted.next() {
                    None => {
                        return Some(format!("row {row} is not of this version, or not in order"));
                    }
                    Some((marker, _)) if marker == row => break,
                    Some((marker, is_sure)) => lost.extend(is_sure.then_some(marker)),
                }
            }
        }
        if !may_be_cut {
            lost.extend(wanted.filter(|(_, is_sure)| *is_sure).map(|(marker, _)| marker));
        }
        if !lost.is_empty() {
            let lost: Vec<_> = lost.iter().map(ToString::to_string).collect();
            return Some(format!("no row of {}", lost.join(", ")));
        }
        if may_be_cut {
            return None;
        }
        let all_failed: u64 = failed.values().sum();
        let sure_failed: u64 = self.failed.values().sum();
        let (mut missing, mut uncertain) = (0, 0);
        for (marker, _) in self.rows.iter().filter(|(_, is_sure)| !is_sure) {
            if rows.contains(marker) { uncertain += 1 } else { missing += 1 }
        }
        // A cut within a checksum leaves its last row whole, and counts as damage besides.
        let more = all_failed.saturating_sub(sure_failed + missing);
        let is_counted = *records == self.records + more
            && *skipped == self.skipped
            && all_failed >= sure_failed + missing
            && more <= uncertain
            && self.failed.iter().all(|(reason, count)| failed.get(reason) >= Some(count));
        (!is_counted).then(|| format!("the statistics are {counters:?}, expected {self:?}"))
    }
}

/// The counts of a journal entry or of the statistics.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
pub(super) struct EntryCounts {
    pub(super) records: u64,
    pub(super) written: u64,
    pub(super) skipped: Counts,
    pub(super) failed: Counts,
}

/// Reasons of records that are not pages and may not even indicate a page.
const NO_PAGES: [&str; 16] = [
    "warcinfo",
    "request",
    "metadata",
    "conversion",
    "continuation",
    "other_type",
    "not_html",
    "corrupt_member",
    "truncated",
    "garbage",
    "bad_content_length",
    "invalid_json",
    "no_html_key",
    "no_text_key",
    "bad_row",
    "unreadable_file",
];

/// Reasons that are not listed among the rejects, since such records are not pages.
const NOT_LISTED: [&str; 8] = [
    "warcinfo",
    "request",
    "metadata",
    "revisit",
    "conversion",
    "continuation",
    "other_type",
    "not_html",
];

impl EntryCounts {
    fn adds_up(&self) -> bool {
        self.records == self.written + self.reasons().map(|(_, count)| count).sum::<u64>()
    }

    fn reasons(&self) -> impl Iterator<Item = (&String, &u64)> {
        self.skipped.iter().chain(&self.failed)
    }

    /// Returns whether records were read, but no page was found.
    pub(super) fn is_without_page(&self) -> bool {
        self.records > 0
            && self.written == 0
            && self.reasons().all(|(reason, _)| NO_PAGES.contains(&&**reason))
    }

    /// Returns the number of records that the rejects must list, by reason.
    pub(super) fn listed_rejects(&self) -> Counts {
        let mut listed = Counts::new();
        for (reason, count) in self.reasons() {
            if !NOT_LISTED.contains(&&**reason) {
                *listed.entry(reason.clone()).or_default() += count;
            }
        }
        listed
    }

    pub(super) fn add(&mut self, other: &EntryCounts) {
        self.records += other.records;
        self.written += other.written;
        for (sums, counts) in
            [(&mut self.skipped, &other.skipped), (&mut self.failed, &other.failed)]
        {
            for (reason, count) in counts {
                *sums.entry(reason.clone()).or_default() += count;
            }
        }
    }
}
