//! `huller extract`: a plan, a run, an account.

use crate::account_table;
use crate::args::ExtractArgs;
use crate::exit::{Exit, eprint_line};
use crate::interrupt::Interrupt;
use crate::progress;
use crate::terminal::printable;
use anyhow::{Context, Result};
use huller_pipeline::Outcome;
use huller_pipeline::{Ending, Monitor, OutputTo, Plan, Settings, Silent, Summary, run};
use std::io::Write;
use std::time::Instant;

pub(crate) fn run_extract(args: &ExtractArgs) -> Result<Exit> {
    let settings = args.settings()?;
    let to = args.output_to();
    let plan = Plan::new(&args.inputs, &args.plan_options()?)?;
    plan.check_outputs(&to, settings.compression.file_suffix())?;
    if let Some(rejects) = &args.rejects {
        plan.check_rejects(rejects, &to, settings.compression.file_suffix())?;
    }
    if args.dry_run {
        return dry_run(&plan, &to, &settings);
    }
    let interrupt = Interrupt::listen().context("cannot listen for signals")?;
    let mut monitor: Box<dyn Monitor> =
        if args.quiet { Box::new(Quiet) } else { progress::choose() };
    let started = Instant::now();
    let options = args.options();
    let result = run(&plan, &settings, &to, &options, &mut *monitor, &interrupt.stop);
    drop(monitor);
    let summary = result?;
    if !args.quiet {
        account_table::print(&summary, Some(started.elapsed()));
    }
    Ok(exit(&summary, args, &interrupt))
}

fn exit(summary: &Summary, args: &ExtractArgs, interrupt: &Interrupt) -> Exit {
    if summary.ending == Ending::Interrupted {
        if !args.quiet && args.output_to() != OutputTo::Stdout {
            eprint_line("interrupted: go on with --resume");
        }
        return interrupt.exit();
    }
    let damaged = args.strict && summary.total.total(Outcome::Failed) > 0;
    if damaged || !summary.unusable.is_empty() { Exit::InputFailed } else { Exit::Success }
}

/// Says what would be written where.
fn dry_run(plan: &Plan, to: &OutputTo, settings: &Settings) -> Result<Exit> {
    let mut stdout = std::io::stdout().lock();
    for job in &plan.jobs {
        let output = match to {
            OutputTo::Folder(folder) => {
                job.output_path(folder, settings.compression.file_suffix()).display().to_string()
            }
            OutputTo::Stdout => "-".to_owned(),
        };
        writeln!(stdout, "{} -> {}", printable(&job.name), printable(&output))?;
    }
    for (path, error) in &plan.unusable {
        eprint_line(&format!("error: cannot read '{path}': {error}"));
    }
    Ok(if plan.unusable.is_empty() { Exit::Success } else { Exit::InputFailed })
}

/// Says nothing but what went wrong.
struct Quiet;

impl Monitor for Quiet {
    fn started(&mut self, inputs: u64, bytes: Option<u64>) {
        Silent.started(inputs, bytes);
    }
    fn progress(&mut self, progress: huller_pipeline::Progress) {
        Silent.progress(progress);
    }
    fn finished(&mut self, input: &str, account: &huller_pipeline::Account) {
        Silent.finished(input, account);
    }
    fn unusable(&mut self, input: &str, error: &str) {
        progress::say_unusable(input, error);
    }
}
