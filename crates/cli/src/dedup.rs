//! `huller dedup`: finds duplicates, writes the kept rows, prints the statistics.

use crate::args::DedupArgs;
use crate::counters_table::{ignored_file_lines, unusable};
use crate::exit::{Exit, eprint_line};
use crate::interrupt::Interrupt;
use crate::progress;
use crate::terminal::{size, thousands};
use anyhow::{Context, Result};
use huller_dedup::{Summary, run};
use huller_pipeline::RejectionKind;
use std::time::{Duration, Instant};

pub(crate) fn run_dedup(args: &DedupArgs) -> Result<Exit> {
    let settings = args.settings()?;
    let interrupt = Interrupt::listen().context("cannot listen for signals")?;
    let mut monitor = progress::rows::choose(args.quiet, "reading");
    let started = Instant::now();
    let result = run(
        &args.corpora,
        &args.against,
        &args.output,
        &settings,
        &args.options(),
        &mut monitor,
        &interrupt.stop,
    );
    drop(monitor);
    let summary = result?;
    if summary.is_interrupted {
        if !args.quiet {
            eprint_line("interrupted: use --resume to continue");
        }
        return Ok(interrupt.exit());
    }
    if !args.quiet {
        for line in statistics_table(&summary, started.elapsed()) {
            eprint_line(&line);
        }
    }
    Ok(if summary.unusable.is_empty() { Exit::Success } else { Exit::InputFailed })
}

/// Returns the statistics as a table, at most 80 columns wide.
fn statistics_table(summary: &Summary, took: Duration) -> Vec<String> {
    let total = &summary.total;
    let bytes = summary.inputs.iter().map(|input| input.bytes).sum();
    let inputs = summary.inputs.len();
    let plural = if inputs == 1 { "" } else { "s" };
    let mut lines =
        vec![format!("{inputs} input{plural}, {}, in {:.1} s", size(bytes), took.as_secs_f64())];
    let read = summary.inputs.iter().map(|input| input.name.as_str());
    lines.extend(unusable(read, summary.unusable.iter().map(|unusable| unusable.input.as_str())));
    lines.extend(ignored_file_lines(&summary.ignored));
    let mut row =
        |name: &str, count: u64| lines.push(format!("  {name:<26}{:>16}", thousands(count)));
    if summary.table.earlier_rows > 0 {
        row("earlier rows", summary.table.earlier_rows);
    }
    row("rows read", total.records);
    row("kept", total.written);
    for kind in [RejectionKind::Skipped, RejectionKind::Failed] {
        for (reason, count) in total.reasons(kind) {
            row(&format!("  {}", reason.name()), count);
        }
    }
    let clusters: u64 = summary.table.clusters.iter().map(|(_, count)| count).sum();
    row("clusters", clusters);
    for (class, count) in &summary.table.clusters {
        row(&format!("  of {class}"), *count);
    }
    if summary.table.largest > 0 {
        row("rows of the largest", summary.table.largest);
    }
    lines
}
