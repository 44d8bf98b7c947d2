//! `huller stats`: adds up the statistics of runs, and reports missing inputs.

use crate::args::StatsArgs;
use crate::counters_table;
use crate::exit::{Exit, eprint_line};
use crate::stores::{READ_AHEAD, stores};
use anyhow::Result;
use huller_pipeline::{Coverage, FinishedInputs, MergedRuns};
use std::io::{self, Write};
use std::path::Path;

pub(crate) fn run(args: &StatsArgs) -> Result<Exit> {
    let merged = MergedRuns::read(&args.runs)?;
    let faults = fault_lines(&merged, args)?;
    if let Some(folder) = &args.output {
        merged.write(folder)?;
    }
    let mut stdout = io::stdout().lock();
    if args.json {
        stdout.write_all(&merged.json())?;
    } else if args.csv {
        stdout.write_all(&merged.csv()?)?;
    } else if !args.quiet {
        for line in counters_table::lines(&merged.summary, None) {
            writeln!(stdout, "{line}")?;
        }
    }
    stdout.flush()?;
    drop(stdout);
    for fault in &faults {
        eprint_line(&format!("error: {fault}"));
    }
    Ok(if faults.is_empty() { Exit::Success } else { Exit::InputFailed })
}

/// Returns the problems of the runs, one line each.
fn fault_lines(merged: &MergedRuns, args: &StatsArgs) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for run in &merged.unfinished {
        faults.push(format!("'{}' is unfinished: use --resume to continue it", run.display()));
    }
    faults.extend(merged.contradictions.iter().cloned());
    for unusable in &merged.summary.unusable {
        faults.push(format!("'{}' could not be used: {}", unusable.input, unusable.error));
    }
    if !args.manifest.is_empty() {
        let read_names: Vec<_> =
            merged.summary.inputs.iter().map(|input| input.name.clone()).collect();
        let finished =
            FinishedInputs { folder: Path::new(""), names: &read_names, as_listed: false };
        let coverage = Coverage::compute(&args.manifest, &stores(READ_AHEAD), [finished])?;
        let missing = coverage.missing.iter();
        faults.extend(missing.map(|input| format!("'{input}' is not finished in any run")));
    }
    Ok(faults)
}
