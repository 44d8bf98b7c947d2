//! `huller index`: builds an index of corpora or joins indexes, prints the statistics.

use crate::args::IndexArgs;
use crate::counters_table::ignored_file_lines;
use crate::exit::{Exit, eprint_line};
use crate::interrupt::Interrupt;
use crate::progress;
use crate::terminal::thousands;
use anyhow::{Context, Result};
use huller_index::{Options, Summary, build};
use huller_pipeline::{Counters, RejectionKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub(crate) fn run(args: &IndexArgs) -> Result<Exit> {
    let interrupt = Interrupt::listen().context("cannot listen for signals")?;
    index(&args.corpora, &args.output, &args.options(), args.quiet, &interrupt)
}

/// Builds an index, and prints its statistics.
pub(crate) fn index(
    corpora: &[PathBuf],
    output: &Path,
    options: &Options,
    is_quiet: bool,
    interrupt: &Interrupt,
) -> Result<Exit> {
    let started = Instant::now();
    let mut monitor = progress::rows::choose(is_quiet, "indexing");
    let result = build(corpora, output, options, &mut monitor, &interrupt.stop);
    drop(monitor);
    let summary = result?;
    let has_counts = !summary.is_interrupted || !summary.inputs.is_empty();
    if !is_quiet && has_counts {
        for line in statistics_table(&summary, started.elapsed()) {
            eprint_line(&line);
        }
    }
    if summary.is_interrupted {
        if !is_quiet {
            eprint_line(if summary.is_joined {
                "interrupted: join the indexes again"
            } else {
                "interrupted: use --resume to continue"
            });
        }
        return Ok(interrupt.exit());
    }
    Ok(if summary.unusable.is_empty() { Exit::Success } else { Exit::InputFailed })
}

/// Returns the statistics as a table, at most 80 columns wide.
fn statistics_table(summary: &Summary, took: Duration) -> Vec<String> {
    let mut total = Counters::default();
    summary.inputs.iter().for_each(|input| total += &input.counters);
    let inputs = summary.inputs.len();
    let plural = if inputs == 1 { "" } else { "s" };
    let mut lines =
        vec![format!("{inputs} input{plural} in the index, in {:.1} s", took.as_secs_f64())];
    lines.extend(ignored_file_lines(&summary.ignored));
    let mut row =
        |name: &str, count: u64| lines.push(format!("  {name:<26}{:>16}", thousands(count)));
    if !summary.is_joined {
        row("lines read now", summary.new_lines);
    }
    if summary.deleted > 0 {
        row("rows deleted now", summary.deleted);
    }
    row("lines in all", total.records);
    row("  indexed", total.written);
    for kind in [RejectionKind::Skipped, RejectionKind::Failed] {
        for (reason, count) in total.reasons(kind) {
            row(&format!("  {}", reason.name()), count);
        }
    }
    lines
}
