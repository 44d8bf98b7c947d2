//! The oracle: what must become of the records of an input under some settings.

use super::records::{Fate, MIN_CHARS, Marker, Record};
use std::collections::BTreeMap;

/// What decides the bytes of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    pub(super) extractor: &'static str,
    pub(super) compress: &'static str,
    pub(super) min_chars: bool,
    pub(super) any_status: bool,
    pub(super) html: bool,
    pub(super) limit: Option<u32>,
    /// Little memory, which lowers the limits on records and pages.
    pub(super) memory: bool,
}

impl Settings {
    /// As flags.
    pub(super) fn flags(&self) -> Vec<String> {
        let Settings { extractor, compress, min_chars, any_status, html, limit, memory } = self;
        let mut flags = vec![format!("--extractor={extractor}"), format!("--compress={compress}")];
        let optional = [
            min_chars.then(|| format!("--min-chars={MIN_CHARS}")),
            any_status.then(|| "--status=any".to_owned()),
            html.then(|| "--html".to_owned()),
            limit.map(|limit| format!("--limit={limit}")),
            memory.then(|| "--memory=300M".to_owned()),
        ];
        flags.extend(optional.into_iter().flatten());
        flags
    }
}

/// Counts by reason.
pub(super) type Counts = BTreeMap<String, u64>;

/// What must become of the records of one version of an input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Expected {
    /// The markers of rows in their order; `false` for records that may fail instead.
    pub(super) rows: Vec<(Marker, bool)>,
    pub(super) skipped: Counts,
    /// Without records that may be rows.
    pub(super) failed: Counts,
    pub(super) records: u64,
}

impl Expected {
    /// What must become of these records.
    pub(super) fn new<'a>(
        records: impl IntoIterator<Item = &'a Record>,
        settings: &Settings,
    ) -> Expected {
        let mut expected = Expected::default();
        for Record { marker, fate, .. } in records {
            expected.records += 1;
            let mut skip =
                |reason: &str| *expected.skipped.entry(reason.to_owned()).or_default() += 1;
            match fate {
                Fate::Short if settings.min_chars => skip("too_short"),
                Fate::ErrorPage if !settings.any_status => skip("status"),
                Fate::Page | Fate::Short | Fate::ErrorPage => expected.rows.push((*marker, true)),
                Fate::Damaged => expected.rows.push((*marker, false)),
                Fate::Skipped(reason) => skip(reason),
                Fate::Failed(reason) => {
                    *expected.failed.entry((*reason).to_owned()).or_default() += 1;
                }
            }
        }
        expected
    }

    /// How many rows there must be at least.
    pub(super) fn least_rows(&self) -> u64 {
        self.rows.iter().filter(|(_, is_sure)| *is_sure).count() as u64
    }

    /// What is wrong with the rows of an output and its account, if anything is. Where a limit may have cut them off, what
    /// is there must be right.
    pub(super) fn differs(
        &self,
        rows: &[Marker],
        account: &Account,
        may_be_cut: bool,
    ) -> Option<String> {
        let Account { records, written, skipped, failed } = account;
        if *written != rows.len() as u64 {
            return Some(format!("{} rows, {written} in the account", rows.len()));
        }
        if *records != written + skipped.values().chain(failed.values()).sum::<u64>() {
            return Some(format!("the account does not add up: {account:?}"));
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
        let may_fail =
            self.rows.iter().filter(|(marker, is_sure)| !is_sure && !rows.contains(marker));
        let is_counted = *records == self.records
            && *skipped == self.skipped
            && all_failed == sure_failed + may_fail.count() as u64
            && self.failed.iter().all(|(reason, count)| failed.get(reason) >= Some(count));
        (!is_counted).then(|| format!("the account is {account:?}, expected was {self:?}"))
    }
}

/// The counts of an account, as run files have them.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
pub(super) struct Account {
    pub(super) records: u64,
    pub(super) written: u64,
    pub(super) skipped: Counts,
    pub(super) failed: Counts,
}

/// Reasons of records that are no pages and may not even be a sign of one.
const NO_PAGES: [&str; 14] = [
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
    "unreadable_file",
];

/// Reasons that are not listed among the rejects, since such records are no pages.
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

impl Account {
    fn reasons(&self) -> impl Iterator<Item = (&String, &u64)> {
        self.skipped.iter().chain(&self.failed)
    }

    /// Whether records were read, and none of them was a page.
    pub(super) fn is_without_page(&self) -> bool {
        self.records > 0
            && self.written == 0
            && self.reasons().all(|(reason, _)| NO_PAGES.contains(&&**reason))
    }

    /// How many of its records are listed among the rejects.
    pub(super) fn listed(&self) -> Counts {
        let mut listed = Counts::new();
        for (reason, count) in self.reasons() {
            if !NOT_LISTED.contains(&&**reason) {
                *listed.entry(reason.clone()).or_default() += count;
            }
        }
        listed
    }

    pub(super) fn add(&mut self, other: &Account) {
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
