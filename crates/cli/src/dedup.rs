//! `huller dedup`: finds duplicates, writes what is kept, prints the account.

use crate::account_table::unusable;
use crate::args::DedupArgs;
use crate::exit::{Exit, eprint_line};
use crate::interrupt::Interrupt;
use crate::progress::say_unusable;
use crate::terminal::{size, thousands};
use anyhow::{Context, Result};
use huller_dedup::{Account, Monitor, Phase, Summary, run};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

pub(crate) fn run_dedup(args: &DedupArgs) -> Result<Exit> {
    let settings = args.settings()?;
    let interrupt = Interrupt::listen().context("cannot listen for signals")?;
    let mut monitor: Box<dyn Monitor> = if args.quiet {
        Box::new(Quiet)
    } else if std::io::stderr().is_terminal() {
        Box::new(Line::new())
    } else {
        Box::new(Plain)
    };
    let started = Instant::now();
    let result = run(
        &args.corpora,
        &args.against,
        &args.output,
        &settings,
        &args.options(),
        &mut *monitor,
        &interrupt.stop,
    );
    drop(monitor);
    let summary = result?;
    if summary.is_interrupted {
        if !args.quiet {
            eprint_line("interrupted: go on with --resume");
        }
        return Ok(interrupt.exit());
    }
    if !args.quiet {
        for line in lines(&summary, started.elapsed()) {
            eprint_line(&line);
        }
    }
    Ok(if summary.unusable.is_empty() { Exit::Success } else { Exit::InputFailed })
}

/// The account as a table, at most 80 columns wide.
fn lines(summary: &Summary, took: Duration) -> Vec<String> {
    let mut total = Account::default();
    summary.inputs.iter().for_each(|input| total += &input.account);
    let bytes = summary.inputs.iter().map(|input| input.bytes).sum();
    let inputs = summary.inputs.len();
    let plural = if inputs == 1 { "" } else { "s" };
    let mut lines =
        vec![format!("{inputs} input{plural}, {}, in {:.1} s", size(bytes), took.as_secs_f64())];
    let read = summary.inputs.iter().map(|input| input.input.as_str());
    lines.extend(unusable(read, summary.unusable.iter().map(|unusable| unusable.input.as_str())));
    let mut row =
        |name: &str, count: u64| lines.push(format!("  {name:<26}{:>16}", thousands(count)));
    if summary.table.earlier_rows > 0 {
        row("earlier rows", summary.table.earlier_rows);
    }
    row("rows read", total.records);
    row("kept", total.written);
    for (reason, count) in total.skipped.iter().chain(&total.failed) {
        row(&format!("  {reason}"), *count);
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

/// Prints errors and nothing else.
struct Quiet;

impl Monitor for Quiet {
    fn phase(&mut self, _: Phase, _: Option<u64>) {}
    fn progress(&mut self, _: u64) {}
    fn unusable(&mut self, input: &str, error: &str) {
        say_unusable(input, error);
    }
}

/// Prints a line when a phase begins, for logs.
struct Plain;

impl Monitor for Plain {
    fn phase(&mut self, phase: Phase, rows: Option<u64>) {
        let rows = rows.map_or_else(String::new, |rows| format!(", {} rows", thousands(rows)));
        eprint_line(&format!("{}{rows}", phase.name()));
    }
    fn progress(&mut self, _: u64) {}
    fn unusable(&mut self, input: &str, error: &str) {
        say_unusable(input, error);
    }
}

/// A progress line that is redrawn in place.
struct Line {
    bar: ProgressBar,
    phase: &'static str,
    rows: Option<u64>,
}

impl Line {
    fn new() -> Line {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        bar.set_style(ProgressStyle::with_template("{msg}").expect("the template is ours"));
        Line { bar, phase: "", rows: None }
    }
}

impl Monitor for Line {
    fn phase(&mut self, phase: Phase, rows: Option<u64>) {
        (self.phase, self.rows) = (phase.name(), rows);
        self.bar.set_message(self.phase);
    }

    fn progress(&mut self, rows: u64) {
        let of = self.rows.map_or_else(String::new, |all| format!(" of {}", thousands(all)));
        self.bar.set_message(format!("{}: {}{of} rows", self.phase, thousands(rows)));
    }

    fn unusable(&mut self, input: &str, error: &str) {
        self.bar.suspend(|| say_unusable(input, error));
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
