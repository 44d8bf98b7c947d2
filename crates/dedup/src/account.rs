//! What became of the lines of each input, in the form of the accounts of other commands.

use crate::row_line::Fault;
use crate::settings::Step;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of the form, which `huller stats` reads.
const VERSION: u32 = 2;

/// Counts of lines. Every line is written, skipped or failed, exactly once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// Lines read, blank ones apart.
    pub records: u64,
    /// Rows written, or kept where they are if none are written.
    pub written: u64,
    /// Rows that were dropped as duplicates, and lines that are too long, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// Lines that are no rows, by reason.
    pub failed: BTreeMap<String, u64>,
    /// Nothing is repaired: in the form for other commands' sake.
    #[serde(default)]
    repaired: BTreeMap<String, u64>,
}

/// What of an input was counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputAccount {
    /// Its name.
    pub input: String,
    /// Its bytes as stored.
    pub bytes: u64,
    /// The counts.
    #[serde(flatten)]
    pub account: Account,
}

/// An input that could not be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unusable {
    /// Its name.
    pub input: String,
    /// Why.
    pub error: String,
}

impl Account {
    pub(crate) fn write(&mut self) {
        self.records += 1;
        self.written += 1;
    }

    pub(crate) fn drop_row(&mut self, step: Step) {
        self.records += 1;
        *self.skipped.entry(step.reason().to_owned()).or_default() += 1;
    }

    pub(crate) fn fail(&mut self, fault: Fault) {
        self.records += 1;
        let counts = if fault.is_failure() { &mut self.failed } else { &mut self.skipped };
        *counts.entry(fault.name().to_owned()).or_default() += 1;
    }

    /// Whether there are lines, and none of them is a row.
    pub(crate) fn complaint(&self) -> Option<String> {
        let faults = Fault::ALL.map(|fault| {
            let counts = if fault.is_failure() { &self.failed } else { &self.skipped };
            (fault.name(), counts.get(fault.name()).copied().unwrap_or_default())
        });
        let no_rows: u64 = faults.iter().map(|(_, count)| count).sum();
        if self.records == 0 || no_rows < self.records {
            return None;
        }
        let faults = faults.iter().filter(|(_, count)| *count > 0);
        let faults: Vec<_> = faults.map(|(name, count)| format!("{name} {count}")).collect();
        Some(format!("none of its {} lines is a row ({})", self.records, faults.join(", ")))
    }
}

impl std::ops::AddAssign<&Account> for Account {
    fn add_assign(&mut self, other: &Account) {
        self.records += other.records;
        self.written += other.written;
        for (sums, counts) in
            [(&mut self.skipped, &other.skipped), (&mut self.failed, &other.failed)]
        {
            for (name, count) in counts {
                *sums.entry(name.clone()).or_default() += count;
            }
        }
    }
}

/// `run.account`.
pub(crate) fn json(inputs: &[InputAccount], unusable: &[Unusable]) -> Vec<u8> {
    #[derive(Serialize)]
    struct Stats<'a> {
        version: u32,
        inputs: &'a [InputAccount],
        total: Total,
        unusable: &'a [Unusable],
    }
    #[derive(Serialize)]
    struct Total {
        bytes: u64,
        #[serde(flatten)]
        account: Account,
    }
    let mut total = Total { bytes: 0, account: Account::default() };
    for input in inputs {
        total.bytes += input.bytes;
        total.account += &input.account;
    }
    let mut text = Vec::new();
    huller_row::push_line(&mut text, &Stats { version: VERSION, inputs, total, unusable });
    text
}
