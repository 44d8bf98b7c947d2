//! What became of the lines of each input, in the form of the accounts of other commands.

use crate::settings::Step;
use huller_refine::{Outcome, Reason};
use serde::{Deserialize, Serialize, Serializer};
use std::collections::BTreeMap;
use std::io;

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
    #[serde(serialize_with = "in_order")]
    pub skipped: BTreeMap<String, u64>,
    /// Lines that are no rows, by reason.
    #[serde(serialize_with = "in_order")]
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

    pub(crate) fn fail(&mut self, reason: Reason) {
        self.records += 1;
        let counts = match reason.outcome() {
            Outcome::Failed => &mut self.failed,
            Outcome::Skipped => &mut self.skipped,
        };
        *counts.entry(reason.name().to_owned()).or_default() += 1;
    }

    /// How often this reason is counted.
    pub fn count(&self, reason: &str) -> u64 {
        [&self.skipped, &self.failed].into_iter().filter_map(|counts| counts.get(reason)).sum()
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

/// Counts in the order of all accounts: built-in reasons as [`Reason::ALL`] has them, then others by name.
fn in_order<S: Serializer>(counts: &BTreeMap<String, u64>, out: S) -> Result<S::Ok, S::Error> {
    let built_in = Reason::ALL.iter().filter_map(|reason| counts.get_key_value(reason.name()));
    out.collect_map(built_in.chain(counts.iter().filter(|(name, _)| !is_built_in(name))))
}

fn is_built_in(name: &str) -> bool {
    Reason::ALL.iter().any(|reason| reason.name() == name)
}

/// The sum of all accounts.
fn total(inputs: &[InputAccount]) -> InputAccount {
    let mut total =
        InputAccount { input: "total".to_owned(), bytes: 0, account: Account::default() };
    for input in inputs {
        total.bytes += input.bytes;
        total.account += &input.account;
    }
    total
}

/// `run.account.csv`: a line for each input and one for all, with the columns of other commands' accounts.
pub(crate) fn csv(inputs: &[InputAccount]) -> io::Result<Vec<u8>> {
    let total = total(inputs);
    let Account { skipped, failed, .. } = &total.account;
    let named: Vec<_> = [skipped, failed]
        .into_iter()
        .flat_map(|counts| counts.keys().map(String::as_str).filter(|name| !is_built_in(name)))
        .collect();
    let reasons = || Reason::ALL.iter().map(|reason| reason.name()).chain(named.iter().copied());
    let mut csv = csv::Writer::from_writer(Vec::new());
    let columns = ["input", "bytes", "records", "written", "skipped", "failed"];
    csv.write_record(columns.into_iter().chain(reasons()))?;
    for InputAccount { input, bytes, account } in inputs.iter().chain([&total]) {
        let Account { records, written, skipped, failed, .. } = account;
        let sums = [*bytes, *records, *written, skipped.values().sum(), failed.values().sum()];
        let counts = reasons().map(|name| account.count(name));
        let counts = sums.into_iter().chain(counts).map(|count| count.to_string());
        csv.write_record([input.clone()].into_iter().chain(counts))?;
    }
    csv.into_inner().map_err(csv::IntoInnerError::into_error)
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
    let InputAccount { bytes, account, .. } = total(inputs);
    let total = Total { bytes, account };
    let mut text = Vec::new();
    huller_row::push_line(&mut text, &Stats { version: VERSION, inputs, total, unusable });
    text
}
