//! `huller index`: builds an index of corpora, prints the account.

use crate::args::IndexArgs;
use crate::exit::{Exit, eprint_line};
use crate::interrupt::Interrupt;
use crate::progress::say_unusable;
use crate::terminal::thousands;
use anyhow::{Context, Result};
use huller_dedup::Account;
use huller_index::{Options, Summary, build};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often a log is told how far the run is.
const BETWEEN_LINES: Duration = Duration::from_secs(30);

pub(crate) fn run(args: &IndexArgs) -> Result<Exit> {
    let interrupt = Interrupt::listen().context("cannot listen for signals")?;
    index(&args.corpora, &args.output, &args.options(), args.quiet, &interrupt)
}

/// Builds an index, prints its account.
pub(crate) fn index(
    corpora: &[PathBuf],
    output: &Path,
    options: &Options,
    is_quiet: bool,
    interrupt: &Interrupt,
) -> Result<Exit> {
    let started = Instant::now();
    let is_terminal = std::io::stderr().is_terminal();
    let bar = if is_terminal && !is_quiet {
        ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr())
    } else {
        ProgressBar::hidden()
    };
    bar.set_style(ProgressStyle::with_template("{msg}").expect("the template is ours"));
    let mut said = started;
    let mut progress = |lines: u64| {
        let message = format!("indexing: {} rows", thousands(lines));
        if !is_quiet && !is_terminal && said.elapsed() >= BETWEEN_LINES {
            said = Instant::now();
            eprint_line(&message);
        }
        bar.set_message(message);
    };
    let result = build(corpora, output, options, &mut progress, &interrupt.stop);
    bar.finish_and_clear();
    let summary = result?;
    for unusable in &summary.unusable {
        say_unusable(&unusable.input, &unusable.error);
    }
    if !is_quiet {
        for line in lines(&summary, started.elapsed()) {
            eprint_line(&line);
        }
    }
    if summary.is_interrupted {
        if !is_quiet {
            eprint_line("interrupted: go on with --resume");
        }
        return Ok(interrupt.exit());
    }
    Ok(if summary.unusable.is_empty() { Exit::Success } else { Exit::InputFailed })
}

/// The account as a table, at most 80 columns wide.
fn lines(summary: &Summary, took: Duration) -> Vec<String> {
    let mut total = Account::default();
    summary.inputs.iter().for_each(|input| total += &input.account);
    let inputs = summary.inputs.len();
    let plural = if inputs == 1 { "" } else { "s" };
    let mut lines =
        vec![format!("{inputs} input{plural} in the index, in {:.1} s", took.as_secs_f64())];
    let mut row =
        |name: &str, count: u64| lines.push(format!("  {name:<26}{:>16}", thousands(count)));
    row("lines read now", summary.new_lines);
    if summary.deleted > 0 {
        row("rows deleted now", summary.deleted);
    }
    row("lines in all", total.records);
    row("  indexed", total.written);
    for (reason, count) in total.skipped.iter().chain(&total.failed) {
        row(&format!("  {reason}"), *count);
    }
    lines
}
