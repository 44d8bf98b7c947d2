//! `huller merge-stats`: accounts of several runs in, one account out, and whether anything is missing.

use crate::account_table;
use crate::args::MergeStatsArgs;
use crate::exit::{Exit, eprint_line};
use anyhow::Result;
use huller_pipeline::{Merged, Plan};
use std::collections::HashMap;
use std::path::Path;

pub(crate) fn run(args: &MergeStatsArgs) -> Result<Exit> {
    let merged = Merged::read(&args.runs)?;
    let mut faults = Vec::new();
    for run in &merged.unfinished {
        faults.push(format!("'{}' is unfinished: go on with --resume", run.display()));
    }
    faults.extend(merged.contradictions.iter().cloned());
    for unusable in &merged.summary.unusable {
        faults.push(format!("'{}' could not be used: {}", unusable.input, unusable.error));
    }
    for manifest in &args.manifest {
        faults.extend(missing(&merged, manifest)?);
    }
    if let Some(folder) = &args.output {
        merged.write(folder)?;
    }
    if !args.quiet {
        account_table::print(&merged.summary, None);
    }
    for fault in &faults {
        eprint_line(&format!("error: {fault}"));
    }
    Ok(if faults.is_empty() { Exit::Success } else { Exit::InputFailed })
}

/// The inputs of a list that no run has finished, a line each. Runs know files that were listed by their names alone.
fn missing(merged: &Merged, manifest: &Path) -> Result<Vec<String>> {
    let mut finished: HashMap<&str, usize> = HashMap::new();
    for input in &merged.summary.inputs {
        *finished.entry(&input.name).or_default() += 1;
    }
    let mut missing = Vec::new();
    for path in Plan::manifest(manifest)? {
        let name = path.file_name().unwrap_or(path.as_os_str()).display().to_string();
        match finished.get_mut(&*name) {
            Some(count) if *count > 0 => *count -= 1,
            _ => missing.push(format!("no run has finished '{}'", path.display())),
        }
    }
    Ok(missing)
}
