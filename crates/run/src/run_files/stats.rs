//! `run.account` and `run.account.csv`: the statistics of a run, one row per input.

use crate::counters::Counters;
use crate::durable::replace;
use crate::error::RunError;
use crate::run_files::journal::JournalEntry;
use crate::summary::{IgnoredFiles, InputSummary, Summary, UnusableInput};
use huller_refine::{Reason, RejectionKind};
use huller_row::push_line;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;

/// Version of the file format. Version 1 had a fixed set of reasons.
pub const VERSION: u32 = 2;

#[derive(Serialize)]
struct Stats<'a, R> {
    version: u32,
    inputs: Vec<R>,
    total: StatsTotal<'a>,
    unusable: &'a [UnusableInput],
    #[serde(skip_serializing_if = "<[UnusableInput]>::is_empty")]
    without_pages: &'a [UnusableInput],
    #[serde(rename = "passed_over", skip_serializing_if = "IgnoredFiles::is_empty")]
    ignored: &'a IgnoredFiles,
}

#[derive(Serialize)]
struct StatsTotal<'a> {
    bytes: u64,
    #[serde(flatten)]
    counters: &'a Counters,
}

/// Writes both files.
///
/// # Errors
///
/// A file cannot be written.
pub fn write(folder: &Path, summary: &Summary) -> Result<(), RunError> {
    replace(&folder.join("run.account"), &json(summary))?;
    let path = folder.join("run.account.csv");
    let csv = csv(summary).map_err(RunError::output("write", &path))?;
    replace(&path, &csv)
}

/// The members of `run.account` that commands read. The other members are derived from
/// these.
#[derive(Deserialize)]
pub(crate) struct StatsFile {
    pub(crate) version: u32,
    pub(crate) inputs: Vec<StatsRow>,
    pub(crate) unusable: Vec<UnusableInput>,
    #[serde(default)]
    pub(crate) without_pages: Vec<UnusableInput>,
    #[serde(default, rename = "passed_over")]
    pub(crate) ignored: IgnoredFiles,
}

/// An input in `run.account`.
#[derive(Deserialize)]
pub(crate) struct StatsRow {
    pub(crate) input: String,
    pub(crate) bytes: u64,
    #[serde(flatten)]
    pub(crate) counters: Counters,
}

/// Rewrites both files with the counters of `entries`. Does nothing if the folder has no
/// statistics.
///
/// # Errors
///
/// The statistics cannot be read or written.
pub fn take_over(folder: &Path, entries: &[JournalEntry]) -> Result<(), RunError> {
    let path = folder.join("run.account");
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(RunError::output("read", &path)(error)),
    };
    let read = serde_json::from_slice(&text);
    let read = read.map_err(|error| RunError::DamagedRun { path, reason: error.to_string() });
    let StatsFile { inputs, unusable, without_pages, ignored, .. } = read?;
    let entries_by_input: HashMap<&str, &JournalEntry> =
        entries.iter().map(|entry| (entry.input.as_str(), entry)).collect();
    let mut summary = Summary { unusable, without_pages, ignored, ..Summary::default() };
    for StatsRow { input: name, bytes, counters } in inputs {
        let entry = entries_by_input.get(name.as_str());
        let counters = entry.map_or(counters, |entry| entry.counters.clone());
        summary.total += &counters;
        summary.inputs.push(InputSummary { name, bytes, counters });
    }
    write(folder, &summary)
}

/// Returns the contents of `run.account`.
pub fn json(summary: &Summary) -> Vec<u8> {
    let rows = summary.inputs.iter();
    let stats = Stats {
        version: VERSION,
        inputs: rows.map(InputSummary::row).collect(),
        total: StatsTotal { bytes: summary.bytes(), counters: &summary.total },
        unusable: &summary.unusable,
        without_pages: &summary.without_pages,
        ignored: &summary.ignored,
    };
    let mut text = Vec::new();
    push_line(&mut text, &stats);
    text
}

/// Returns the contents of `run.account.csv`.
///
/// # Errors
///
/// A row cannot be written. This cannot occur, since the rows go to memory.
pub fn csv(summary: &Summary) -> io::Result<Vec<u8>> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    let columns = ["input", "bytes", "records", "written", "skipped", "failed"];
    let reasons: Vec<Reason> = Reason::ALL.iter().copied().chain(summary.total.named()).collect();
    csv.write_record(columns.into_iter().chain(reasons.iter().map(|reason| reason.name())))?;
    let total = InputSummary {
        name: "total".to_owned(),
        bytes: summary.bytes(),
        counters: summary.total.clone(),
    };
    for InputSummary { name, bytes, counters } in summary.inputs.iter().chain([&total]) {
        let sums = [
            *bytes,
            counters.records,
            counters.written,
            counters.total(RejectionKind::Skipped),
            counters.total(RejectionKind::Failed),
        ];
        let counts = sums.into_iter().chain(reasons.iter().map(|reason| counters.count(*reason)));
        csv.write_record([name.clone()].into_iter().chain(counts.map(|count| count.to_string())))?;
    }
    csv.into_inner().map_err(csv::IntoInnerError::into_error)
}
