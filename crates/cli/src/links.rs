//! `huller links`: builds a host graph of tables of links, prints the statistics.

use crate::args::LinksArgs;
use crate::counters_table::rows_read;
use crate::exit::{Exit, eprint_line};
use crate::interrupt::Interrupt;
use crate::progress;
use crate::terminal::thousands;
use anyhow::{Context, Result};
use huller_graph::{GraphSummary, build};
use std::time::{Duration, Instant};

pub(crate) fn run(args: &LinksArgs) -> Result<Exit> {
    let interrupt = Interrupt::listen().context("cannot listen for signals")?;
    let started = Instant::now();
    let mut monitor = progress::rows::choose(args.quiet, "reading");
    let options = args.options();
    let result = build(&args.inputs, &args.output, &options, &mut monitor, &interrupt.stop);
    drop(monitor);
    let summary = result?;
    if summary.is_interrupted {
        if !args.quiet {
            eprint_line("interrupted: no graph was written");
        }
        return Ok(interrupt.exit());
    }
    if !args.quiet {
        for line in statistics_table(&summary, started.elapsed()) {
            eprint_line(&line);
        }
        if !summary.is_written {
            eprint_line("no link could be used: no graph was written");
        }
    }
    let is_whole = summary.unusable.is_empty() && summary.is_written;
    Ok(if is_whole { Exit::Success } else { Exit::InputFailed })
}

/// Returns the statistics as a table, at most 80 columns wide.
fn statistics_table(summary: &GraphSummary, took: Duration) -> Vec<String> {
    let mut lines = rows_read("links", (&summary.inputs, &summary.ignored), took);
    for (name, count) in [("hosts", summary.hosts), ("edges", summary.edges)] {
        lines.push(format!("  {name:<26}{:>16}", thousands(count)));
    }
    lines
}
