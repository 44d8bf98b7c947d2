//! Checks that inputs still hold the bytes that the run read.

use super::finding::{FindingKind, Findings, Severity};
use crate::change_detector::is_same;
use crate::plan::{Job, Plan};
use crate::run_files::journal::{self, JournalEntry};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};

/// Reads the inputs of the journal again, if the plan has them. An input with another name in the
/// plan, as in a list, is recognized by length and digest.
pub(crate) fn check(
    entries: &[JournalEntry],
    plan: &Plan,
    max_page_bytes: usize,
    findings: &mut Findings,
) {
    let jobs: HashMap<&str, &Job> = plan.jobs.iter().map(|job| (job.name.as_str(), job)).collect();
    let named: HashSet<&str> = entries.iter().map(|entry| entry.input.as_str()).collect();
    // Files of the plan whose names are not in the journal, by length.
    let mut others: HashMap<Option<u64>, Vec<&Job>> = HashMap::new();
    for job in plan.jobs.iter().filter(|job| !named.contains(job.name.as_str())) {
        others.entry(job.bytes).or_default().push(job);
    }
    let found: Vec<_> = (entries.par_iter())
        .map(|entry| {
            let (Some(read), Some(digest)) = (entry.input_read, &entry.input_digest) else {
                return InputComparison::NotRead;
            };
            let is_same = |job: &Job| is_same(job, &plan.stores, max_page_bytes, read, digest);
            let Some(job) = jobs.get(entry.input.as_str()) else {
                let lengths = [Some(entry.input_bytes), None];
                let mut alike = lengths.iter().filter_map(|length| others.get(length)).flatten();
                let is_there = alike.any(|job| is_same(job) == Some(true));
                return if is_there { InputComparison::Same } else { InputComparison::NotGiven };
            };
            match is_same(job) {
                Some(true) if job.bytes.is_none_or(|bytes| bytes == entry.input_bytes) => {
                    InputComparison::Same
                }
                Some(_) => InputComparison::Other("it has changed since the run read it"),
                None => InputComparison::Other("it cannot be read again"),
            }
        })
        .collect();
    let is_compared = |compared: &InputComparison| !matches!(compared, InputComparison::NotGiven);
    if !entries.is_empty() && !found.iter().any(is_compared) {
        let detail = "the run read none of the given inputs";
        findings.damage(FindingKind::Input, journal::NAME, detail);
    }
    for (entry, compared) in entries.iter().zip(found) {
        let name = &entry.input;
        let (severity, detail) = match compared {
            InputComparison::Same => continue,
            InputComparison::NotRead => {
                let detail = "the journal has no digest of its content: it was not read to its end";
                (Severity::Note, format!("'{name}': {detail}"))
            }
            InputComparison::NotGiven => {
                (Severity::Note, format!("'{name}' is not among the inputs given"))
            }
            InputComparison::Other(what) => (Severity::Damage, format!("'{name}': {what}")),
        };
        findings.add(severity, FindingKind::Input, journal::NAME, detail);
    }
}

/// Result of the comparison of an input.
enum InputComparison {
    Same,
    NotRead,
    NotGiven,
    Other(&'static str),
}
