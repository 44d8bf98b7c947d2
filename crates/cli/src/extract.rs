//! `huller extract` and `huller refine`: makes a plan, runs it, prints the statistics.

use crate::args::{ExtractArgs, RefineArgs, RunArgs};
use crate::counters_table;
use crate::exit::{Exit, eprint_line};
use crate::index_build::IndexBuild;
use crate::interrupt::Interrupt;
use crate::print_config::print_config;
use crate::progress;
use crate::run_destination::RunDestination;
use crate::terminal::{print_waiting, printable};
use crate::usage_error::UsageError;
use anyhow::{Context, Result, bail};
use huller_archive::check_wacz;
use huller_pipeline::{
    IndexOptions, JobSource, Monitor, Options, OutputTo, Plan, PlanOptions, RejectionKind,
    RunEnding, Settings, SilentMonitor, Summary, check, run,
};
use huller_row::JSONL;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

pub(crate) fn run_extract(mut args: ExtractArgs) -> Result<Exit> {
    if args.config.print_config {
        return print_config("extract", &args.configuration()?);
    }
    args.complete()?;
    args.entries.check(!args.revisits_from.is_empty())?;
    if args.entries.is_given() && !args.run.manifest.is_empty() {
        let problem = "--records-from names the inputs: leave out --manifest".to_owned();
        return Err(UsageError(problem).into());
    }
    args.run.check_with(args.entries.is_given())?;
    write_rows(&args.run, &args.settings()?, args.entries.options(args.run.memory))
}

/// Runs `huller refine`.
pub(crate) fn run_refine(args: &RefineArgs) -> Result<Exit> {
    if args.config.print_config {
        return print_config("refine", &args.configuration()?);
    }
    args.run.check()?;
    let settings = args.settings()?;
    let is_same =
        settings.format.name() == JSONL.name() && settings.layout(String::new()).keeps_members();
    let only_copies = is_same && settings.side_tables.is_empty();
    let has_work = settings.stages.iter().next().is_some() || !settings.withdrawn.is_empty();
    if only_copies && !has_work {
        bail!(UsageError(
            "no stages given: use --stages, --preset, --lang or --config, or give another --format, \
             --schema or --fields, or --passages"
                .to_owned()
        ));
    }
    write_rows(&args.run, &settings, IndexOptions::default())
}

/// Makes a plan, runs it, prints the statistics.
fn write_rows(args: &RunArgs, settings: &Settings, index: IndexOptions) -> Result<Exit> {
    let destination = RunDestination::prepare(args)?;
    let output_to = destination.output.clone();
    let tables = settings.side_tables.values().map(|table| table.folder().to_owned());
    let outputs = destination.folder().into_iter().chain(tables);
    let plan_options = args.plan_options(outputs.collect())?;
    let plan = Plan::new(&args.inputs, &PlanOptions { index, ..plan_options })?;
    for suffix in settings.output_suffixes() {
        plan.check_outputs(&output_to, &suffix)?;
        if let Some(uploads) = &destination.uploads {
            plan.check_uploads(uploads, &suffix)?;
        }
        if let Some(rejects) = &args.rejects {
            plan.check_rejects(rejects, &output_to, &suffix)?;
        }
    }
    for table in settings.side_tables.values() {
        plan.check_outputs(&OutputTo::Folder(table.folder().to_owned()), &table.suffix())?;
    }
    if output_to == OutputTo::Stdout && !settings.format.formats().is_empty() {
        bail!(UsageError(
            "several formats need several files: write to a folder, or give one --format with -o -"
                .to_owned()
        ));
    }
    if output_to == OutputTo::Stdout && settings.split.is_asked() {
        bail!(UsageError(
            "--rows-per-file and --bytes-per-file need several files: write to a folder, not to \
             -o -"
                .to_owned()
        ));
    }
    if output_to == OutputTo::Stdout && settings.stages.names().contains(&"signature") {
        bail!(UsageError(
            "signatures go to a file next to the rows: write to a folder, not to -o -".to_owned()
        ));
    }
    let indexing = IndexBuild::from_args(args, settings, &destination)?;
    if let Some(dropped) = args.dropped_to() {
        plan.check_dropped(&dropped, &output_to)?;
    }
    let options = Options { uploads: destination.uploads.clone(), ..args.options() };
    if args.dry_run {
        check(&plan, settings, &output_to, &options)?;
        return dry_run(&plan, &destination, settings);
    }
    let interrupt = Interrupt::listen().context("cannot listen for signals")?;
    let mut monitor: Box<dyn Monitor> =
        if args.quiet { Box::new(Quiet) } else { progress::monitor_for_stderr(&plan.stores) };
    if !args.quiet && plan.jobs.iter().any(|job| job.source == JobSource::Stdin) {
        print_waiting();
    }
    let started = Instant::now();
    let result = run(&plan, settings, &output_to, &options, &mut *monitor, &interrupt.stop);
    drop(monitor);
    let summary = result?;
    destination.clear();
    if !args.quiet {
        counters_table::print(&summary, Some(started.elapsed()));
    }
    let exit = exit_code(&summary, args, &interrupt);
    let is_done = args.strict && summary.ending != RunEnding::Interrupted;
    let exit = if is_done && !wacz_digests_hold(&plan) { Exit::InputFailed } else { exit };
    match indexing {
        Some(indexing) if summary.ending != RunEnding::Interrupted => {
            indexing.run(args, &interrupt, exit)
        }
        _ => Ok(exit),
    }
}

/// Compares the archives in WACZ files with the digests that the files state, and reports
/// differences.
fn wacz_digests_hold(plan: &Plan) -> bool {
    let mut all_hold = true;
    for job in &plan.jobs {
        let JobSource::File(path) = &job.source else { continue };
        // A pipe cannot be read again.
        let is_file = path.metadata().is_ok_and(|metadata| metadata.is_file());
        if is_file || plan.stores.is_elsewhere(path) {
            let problems = check_wacz(&plan.stores, path);
            for problem in problems.unwrap_or_else(|error| vec![error.to_string()]) {
                all_hold = false;
                eprint_line(&format!("error: '{}': {problem}", printable(&job.name)));
            }
        }
    }
    all_hold
}

fn exit_code(summary: &Summary, args: &RunArgs, interrupt: &Interrupt) -> Exit {
    if summary.ending == RunEnding::Interrupted {
        if !args.quiet && args.output_to() != OutputTo::Stdout {
            eprint_line("interrupted: use --resume to continue");
        }
        return interrupt.exit();
    }
    let damaged = args.strict
        && (summary.total.total(RejectionKind::Failed) > 0 || summary.total.is_cut_off());
    if damaged || !summary.unusable.is_empty() { Exit::InputFailed } else { Exit::Success }
}

/// Prints which input would be written to which output.
fn dry_run(plan: &Plan, destination: &RunDestination, settings: &Settings) -> Result<Exit> {
    let mut stdout = std::io::stdout().lock();
    for job in &plan.jobs {
        let output = match destination.output {
            OutputTo::Folder(_) => {
                let suffixes = settings.output_suffixes();
                let files = suffixes.iter().map(|suffix| job.output_path(Path::new(""), suffix));
                let files: Vec<_> = files.map(|file| destination.display_path(&file)).collect();
                let more = if settings.split.is_asked() { " and so on" } else { "" };
                format!("{}{more}", files.join(", "))
            }
            OutputTo::Stdout => "-".to_owned(),
        };
        writeln!(stdout, "{} -> {}", printable(&job.name), printable(&output))?;
    }
    for line in counters_table::ignored_file_lines(&plan.ignored) {
        eprint_line(&line);
    }
    for (path, error) in &plan.unusable {
        eprint_line(&format!("error: cannot read '{path}': {error}"));
    }
    Ok(if plan.unusable.is_empty() { Exit::Success } else { Exit::InputFailed })
}

/// A monitor that prints errors and nothing else.
struct Quiet;

impl Monitor for Quiet {
    fn started(&mut self, inputs: u64, bytes: Option<u64>) {
        SilentMonitor.started(inputs, bytes);
    }
    fn progress(&mut self, progress: huller_pipeline::Progress) {
        SilentMonitor.progress(progress);
    }
    fn finished(&mut self, input: &str, counters: &huller_pipeline::Counters) {
        SilentMonitor.finished(input, counters);
    }
    fn unusable(&mut self, input: &str, error: &str) {
        progress::print_unusable(input, error);
    }
    fn note(&mut self, note: &str) {
        progress::print_note(note);
    }
}
