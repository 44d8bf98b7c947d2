//! Checks that the run files agree with one another.

use super::finding::{FindingKind, Findings, Severity};
use crate::counters::Counters;
use crate::run_files::checkpoint;
use crate::run_files::journal::{self, JournalEntry};
use crate::run_files::paths::REDO;
use crate::run_files::run_config::{self, RunConfig};
use crate::run_files::side_tables::SideTables;
use crate::run_files::stats::{self, StatsFile, StatsRow};
use crate::summary::{InputSummary, Summary, UnusableInput};
use huller_row::{Format, JSONL, Layout};
use serde::de::DeserializeOwned;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::Path;

/// Returns the readable entries of the journal.
pub(crate) fn journal(files: &Path, findings: &mut Findings) -> Vec<JournalEntry> {
    let entries = lines(files, journal::NAME, findings);
    check(&entries, findings);
    settings(files, &entries, findings);
    entries
}

/// Returns the readable lines of a journal.
fn lines<T: DeserializeOwned>(files: &Path, name: &'static str, findings: &mut Findings) -> Vec<T> {
    let text = match fs::read(files.join(name)) {
        Ok(text) => text,
        Err(error) => {
            findings.damage(FindingKind::Journal, name, error.to_string());
            return Vec::new();
        }
    };
    let mut entries = Vec::new();
    for (number, line) in (1..).zip(text.split_inclusive(|byte| *byte == b'\n')) {
        match serde_json::from_slice(line) {
            Ok(entry) => entries.push(entry),
            Err(_) if !line.ends_with(b"\n") => findings.add(
                Severity::Unfinished,
                FindingKind::Leftover,
                name,
                format!("line {number} is incomplete: the run was killed there"),
            ),
            Err(error) => {
                let detail = format!("line {number}: {error}");
                findings.damage(FindingKind::Journal, name, detail);
            }
        }
    }
    entries
}

/// Checks that each name has one entry, and that all sums agree.
fn check(entries: &[JournalEntry], findings: &mut Findings) {
    let (mut inputs, mut outputs) = (HashSet::new(), HashSet::new());
    for entry in entries {
        let mut enter = |names: &mut HashSet<String>, name: &String, what| {
            if !names.insert(name.clone()) {
                let detail = format!("the {what} '{name}' is listed more than once");
                findings.damage(FindingKind::DuplicateEntry, journal::NAME, detail);
            }
        };
        enter(&mut inputs, &entry.input, "input");
        entry.output_names().for_each(|name| enter(&mut outputs, name, "output"));
        let rows: u64 = entry.files.iter().map(|file| file.rows).sum();
        if !entry.files.is_empty() && rows != entry.counters.written {
            let (input, written) = (&entry.input, entry.counters.written);
            let detail = format!(
                "'{input}': its files have {rows} rows, but its statistics \
                {written}"
            );
            findings.damage(FindingKind::Rows, journal::NAME, detail);
        }
        if let Some(other) =
            entry.secondary_outputs.iter().find(|file| file.rows != entry.counters.written)
        {
            let (output, rows, written) = (&other.output, other.rows, entry.counters.written);
            let detail = format!("'{output}' has {rows} rows, but the statistics {written}");
            findings.damage(FindingKind::Rows, journal::NAME, detail);
        }
        if !entry.counters.is_balanced() {
            let Counters { records, written, .. } = entry.counters;
            let detail = format!(
                "'{}': {records} records are not the sum of {written} written and those skipped \
                 and failed",
                entry.input
            );
            findings.damage(FindingKind::Counters, journal::NAME, detail);
        }
    }
}

/// Checks that all inputs were read with the settings of `run.config`.
fn settings(files: &Path, entries: &[JournalEntry], findings: &mut Findings) {
    let hash = match RunConfig::read(&files.join(run_config::NAME)) {
        Ok(Some(config)) => Some(config.hash()),
        Ok(None) => {
            let detail = "it is missing: an earlier version made the run, or it was removed";
            findings.add(Severity::Note, FindingKind::Settings, run_config::NAME, detail);
            None
        }
        Err(error) => {
            findings.damage(FindingKind::Settings, run_config::NAME, error.to_string());
            None
        }
    };
    let Some(expected) = hash.as_ref().or(entries.first().map(|entry| &entry.config_hash)) else {
        return;
    };
    if let Some(other) = entries.iter().find(|entry| entry.config_hash != *expected) {
        let detail = format!("'{}' was processed with other settings than the run", other.input);
        findings.damage(FindingKind::Settings, journal::NAME, detail);
    }
}

/// Returns the length limit of pages in bytes. If the run files lack it, there is no limit.
pub(crate) fn max_page_bytes(files: &Path) -> usize {
    let config = RunConfig::read(&files.join(run_config::NAME)).ok().flatten();
    config.and_then(|config| config.max_page_bytes()).unwrap_or(usize::MAX)
}

/// Whether the run read only the records that indexes named.
pub(crate) fn has_index(files: &Path) -> bool {
    let config = RunConfig::read(&files.join(run_config::NAME)).ok().flatten();
    config.is_some_and(|config| config.has_index())
}

/// Returns layout and format of the rows.
pub(crate) fn outputs(files: &Path) -> (Layout, &'static dyn Format) {
    let config = RunConfig::read(&files.join(run_config::NAME)).ok().flatten();
    config.map_or_else(|| (Layout::default(), JSONL), |config| (config.layout(), config.format()))
}

/// Returns the layouts of the side tables.
pub(crate) fn side_layouts(files: &Path) -> SideTables<Layout> {
    let config = RunConfig::read(&files.join(run_config::NAME)).ok().flatten();
    SideTables::from_fn(|table| config.as_ref().map(|config| config.side_layout(table)))
}

/// Whether the run wrote rows, rather than a list of rows to drop.
pub(crate) fn has_rows(files: &Path, findings: &mut Findings) -> bool {
    let config = RunConfig::read(&files.join(run_config::NAME)).ok().flatten();
    let has_rows = config.is_none_or(|config| config.writes_rows());
    if !has_rows {
        let detail = "the run listed rows to drop and wrote no rows: the list is not checked";
        findings.add(Severity::Note, FindingKind::OtherFile, run_config::NAME, detail);
    }
    has_rows
}

/// Returns how the inputs were divided into shards, and the digest of the list. `None` for a run
/// over all inputs.
pub(crate) fn list(files: &Path) -> Option<String> {
    let config = RunConfig::read(&files.join(run_config::NAME)).ok()??;
    Some(format!("{} {}", config.shard_rule()?, config.list_digest().unwrap_or_default()))
}

/// Compares statistics, checkpoints and `_SUCCESS` with the journal.
pub(crate) fn compare(
    files: &Path,
    entries: &[JournalEntry],
    succeeded: bool,
    findings: &mut Findings,
) {
    let has_unusable = statistics(files, entries, succeeded, findings);
    if files.join(REDO).exists() {
        let detail = "a command that replaces rows was interrupted: repeat it";
        findings.add(Severity::Unfinished, FindingKind::Leftover, REDO, detail);
    }
    let log = files.join("run.checkpoint");
    let checkpoints = checkpoint::read(&log).unwrap_or_default();
    match (checkpoints.last(), succeeded) {
        (Some(_), true) => {
            let detail = "it exists, but an input is not done";
            findings.damage(FindingKind::Success, "_SUCCESS", detail);
        }
        (Some(last), false) => {
            let detail = format!(
                "'{}': {} batches are done, {} rows; --resume continues there",
                last.input, last.batches, last.counters.written
            );
            let severity = Severity::Unfinished;
            findings.add(severity, FindingKind::Leftover, "run.checkpoint", detail);
        }
        (None, _) => {}
    }
    if !succeeded {
        let detail = if has_unusable {
            "it is missing: not all inputs could be used"
        } else {
            "it is missing: the run has not finished"
        };
        findings.add(Severity::Unfinished, FindingKind::Success, "_SUCCESS", detail);
    }
}

/// Compares `run.account` and `run.account.csv` with the journal. Returns whether some inputs could
/// not be used.
fn statistics(
    files: &Path,
    entries: &[JournalEntry],
    succeeded: bool,
    findings: &mut Findings,
) -> bool {
    const NAME: &str = "run.account";
    // An unfinished run may have left the files of the previous run, or half of its own.
    let severity = if succeeded { Severity::Damage } else { Severity::Note };
    let json = match fs::read(files.join(NAME)) {
        Ok(json) => json,
        Err(error) if error.kind() == io::ErrorKind::NotFound && !succeeded => return false,
        Err(error) => {
            findings.add(severity, FindingKind::Stats, NAME, error.to_string());
            return false;
        }
    };
    let read = serde_json::from_slice::<StatsFile>(&json);
    let StatsFile { inputs, unusable, without_pages, ignored, .. } = match read {
        Ok(stats) => stats,
        Err(error) => {
            findings.add(severity, FindingKind::Stats, NAME, error.to_string());
            return false;
        }
    };
    if succeeded && !unusable.is_empty() {
        let detail = "it exists, but not all inputs could be used";
        findings.damage(FindingKind::Success, "_SUCCESS", detail);
    }
    for UnusableInput { input, error } in &unusable {
        let severity = Severity::Unfinished;
        findings.add(severity, FindingKind::Unusable, NAME, format!("'{input}': {error}"));
    }
    let entered: HashMap<&str, &JournalEntry> =
        entries.iter().map(|entry| (entry.input.as_str(), entry)).collect();
    let mut is_sound = true;
    let mut summary = Summary { unusable, without_pages, ignored, ..Summary::default() };
    for StatsRow { input: name, bytes, counters } in inputs {
        let (kind, detail) = match entered.get(name.as_str()) {
            None => (FindingKind::JournalLine, format!("'{name}' is not in the journal")),
            Some(entry) if entry.input_bytes != bytes || entry.counters != counters => {
                (FindingKind::Stats, format!("'{name}': the journal has other statistics"))
            }
            Some(_) => {
                summary.total += &counters;
                summary.inputs.push(InputSummary { name, bytes, counters });
                continue;
            }
        };
        is_sound = false;
        findings.add(severity, kind, NAME, detail);
    }
    let has_unusable = !summary.unusable.is_empty();
    if !is_sound {
        return has_unusable;
    }
    for (name, expected) in
        [(NAME, Ok(stats::json(&summary))), ("run.account.csv", stats::csv(&summary))]
    {
        let is_right = match (fs::read(files.join(name)), expected) {
            (Ok(found), Ok(expected)) => found == expected,
            _ => false,
        };
        if !is_right {
            let detail = "it differs from the sum of the statistics in the journal";
            findings.add(severity, FindingKind::Stats, name, detail);
        }
    }
    has_unusable
}
