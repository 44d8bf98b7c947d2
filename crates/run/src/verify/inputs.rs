//! Whether inputs still hold the bytes that the run read of them.

use super::finding::{FindingKind, Findings, Severity};
use crate::plan::Plan;
use crate::run_files::journal::{self, Entry};
use crate::watch::is_same;
use rayon::prelude::*;
use std::collections::HashMap;

/// Reads the inputs of the journal again, as far as the plan has them.
pub(crate) fn check(
    entries: &[Entry],
    plan: &Plan,
    max_page_bytes: usize,
    findings: &mut Findings,
) {
    let jobs: HashMap<&str, _> = plan.jobs.iter().map(|job| (job.name.as_str(), job)).collect();
    let found: Vec<_> = (entries.par_iter())
        .filter_map(|entry| {
            let name = &entry.input;
            let (Some(read), Some(digest)) = (entry.input_read, &entry.input_digest) else {
                let what = "the journal has no digest of its bytes: it was not read to its end";
                return Some((Severity::Note, format!("'{name}': {what}")));
            };
            let Some(job) = jobs.get(name.as_str()) else {
                return Some((Severity::Note, format!("'{name}' is not among the inputs given")));
            };
            let said = match is_same(job, &plan.stores, max_page_bytes, read, digest) {
                Some(true) if job.bytes.is_none_or(|bytes| bytes == entry.input_bytes) => {
                    return None;
                }
                Some(_) => "it is not what was read",
                None => "it cannot be read again",
            };
            Some((Severity::Damage, format!("'{name}': {said}")))
        })
        .collect();
    for (severity, detail) in found {
        findings.add(severity, FindingKind::Input, journal::NAME, detail);
    }
}
