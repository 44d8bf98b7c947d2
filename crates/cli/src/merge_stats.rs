//! `huller merge-stats`: accounts of several runs in, one account out, and whether anything is missing.

use crate::account_table;
use crate::args::MergeStatsArgs;
use crate::exit::{Exit, eprint_line};
use anyhow::Result;
use huller_pipeline::{Coverage, Merged};
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
    if !args.manifest.is_empty() {
        let done: Vec<_> = merged.summary.inputs.iter().map(|input| input.name.clone()).collect();
        let coverage = Coverage::of(&args.manifest, [(Path::new(""), &*done)])?;
        let missing = coverage.missing.iter();
        faults.extend(missing.map(|input| format!("no run has finished '{input}'")));
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
