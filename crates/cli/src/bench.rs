//! `huller bench`: measures the cost of a run on this machine.

mod page;
mod table;

use crate::args::{Args, BenchArgs, Command};
use crate::exit::{Exit, eprint_line};
use crate::interrupt::Interrupt;
use crate::output_file::{OutputFile, WriteError};
use crate::terminal::{Screen, printable, size, thousands};
use crate::usage_error::UsageError;
use anyhow::{Context, Result, bail};
use clap::Parser;
use huller_bench::stages::{self, Stages};
use huller_bench::{
    AlternatingRuns, Bench, BenchError, BenchRequest, BenchTables, Corpus, Growth, Machine,
    MeasuredCorpus, MeasuredKind, MeasuredProcess, Neighbours, Progress, Roofline, Run,
    SerialParts, corpus_maker, growth, machine,
};
use huller_pipeline::{JobSource, Plan, PlanOptions, Settings};
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// The files that `--output` writes.
const FILES: [&str; 3] = ["bench.json", "bench.csv", "bench.html"];

pub(crate) fn run(args: &BenchArgs) -> Result<Exit> {
    if let (Some(megabytes), Some(output)) = (args.make_corpus, &args.output) {
        return make_corpus(args, megabytes, output);
    }
    if args.survey {
        return print_survey(args);
    }
    if let (Some(file), [program, arguments @ ..]) = (&args.process, &*args.options) {
        return run_once(file, program, arguments);
    }
    args.check()?;
    if let Some(folder) = &args.output {
        refuse_existing(folder, args.overwrite)?;
    }
    let settings = run_settings(args)?;
    let plan = match &*args.inputs {
        [] => Plan::default(),
        inputs => Plan::new(inputs, &PlanOptions::default())?,
    };
    let interrupt = Interrupt::listen().context("cannot listen for signals")?;
    match measure(args, settings, &plan, &interrupt) {
        Ok(bench) => print_and_write(args, &bench),
        // A program that was interrupted together with this one failed for that reason.
        Err(_) if interrupt.stop.load(Ordering::Relaxed) => Ok(interrupt.exit()),
        Err(error) => Err(error),
    }
}

/// Prints the machine and any inputs, which affect figures as the programs do.
fn print_survey(args: &BenchArgs) -> Result<Exit> {
    let machine = Machine::detect();
    let most_others_cores = Neighbours::noise_limit(machine.processors);
    let others_cores = Neighbours::measure_idle();
    let corpus = match &*args.inputs {
        [] => None,
        inputs => Some(Corpus::survey(&Plan::new(inputs, &PlanOptions::default())?)?),
    };
    let known = serde_json::json!({
        "version": program_version(),
        "machine": machine,
        "clock_mhz": machine::clock_mhz(),
        "others_cores": others_cores,
        "most_others_cores": most_others_cores,
        "corpus": corpus,
    });
    writeln!(std::io::stdout().lock(), "{known}")?;
    Ok(Exit::Success)
}

/// Runs a command and writes its time and memory.
fn run_once(file: &Path, program: &OsStr, arguments: &[OsString]) -> Result<Exit> {
    let run = huller_bench::run_once(program, arguments)?;
    let json = serde_json::to_vec(&run).context("a run is JSON")?;
    std::fs::write(file, json)
        .map_err(|source| BenchError::Io { path: file.to_owned(), source })?;
    Ok(Exit::Success)
}

/// Returns name and version of this program.
fn program_version() -> String {
    format!("huller {}", env!("CARGO_PKG_VERSION"))
}

/// Returns the settings of the runs with each extractor and format, as `huller extract` parses them
/// from the options that are passed on.
fn run_settings(args: &BenchArgs) -> Result<Vec<MeasuredKind>> {
    let mut all_settings = Vec::new();
    for extractor in args.extractors.0.iter().map(|extractor| extractor.name()) {
        for format in args.formats.iter().map(|format| format.word()) {
            let own =
                ["huller", "extract", "x", "-o", "x", "--extractor", extractor, "--format", format];
            let words = own.map(OsString::from).into_iter().chain(args.options.iter().cloned());
            let parsed = Args::try_parse_from(words).map_err(|error| {
                let text = error.to_string();
                let line = text.lines().next().unwrap_or_default();
                UsageError(format!(
                    "the options for `huller extract`: {}",
                    line.trim_start_matches("error: ")
                ))
            })?;
            let Command::Extract(extract) = parsed.command else { bail!("another command") };
            let (extractor, format) = (extractor.to_owned(), format.to_owned());
            all_settings.push(MeasuredKind { extractor, format, settings: extract.settings()? });
        }
    }
    Ok(all_settings)
}

fn measure(
    args: &BenchArgs,
    mut settings: Vec<MeasuredKind>,
    plan: &Plan,
    interrupt: &Interrupt,
) -> Result<Bench> {
    let say = |line: &str| {
        if !args.quiet {
            eprint_line(line);
        }
    };
    let machine = Machine::detect();
    let others_before = Neighbours::measure_idle();
    let noise_limit = Neighbours::noise_limit(machine.processors);
    if let Some(cores) = others_before.filter(|cores| *cores > noise_limit && !args.busy) {
        bail!(BenchError::Busy { cores, most: noise_limit });
    }
    let clock_before = machine::clock_mhz();
    let corpus = Corpus::survey(plan)?;
    if args.inputs.is_empty() {
        // Only growth is measured, over generated pages.
        settings.clear();
    } else {
        let (raw, packed) = (size(corpus.raw_bytes), size(corpus.packed_bytes));
        let files = count_with_noun(corpus.inputs, "file");
        say(&format!("{raw} of records in {files}, {packed} on disk, digest {}", corpus.digest));
    }
    let folder = work_folder(args)?;
    let program = std::env::current_exe().context("cannot find this program")?;
    let workers = args.workers(machine.usable);
    let runs = usize::from(args.runs);
    let alternation = AlternatingRuns {
        program: &program,
        options: &args.options,
        corpus: &corpus,
        subjects: bench_subjects(args, &workers),
        runs,
        folder: folder.path(),
    };
    let mut progress = |round: usize, subject: &MeasuredProcess, run: &Run| {
        let (wall, cpu) = (run.usage.wall_s, run.usage.cpu_s());
        let name = subject.name();
        say(&format!("round {} of {runs}: {name}: {wall:.3} s, CPU {cpu:.3} s", round + 1));
    };
    let stop = &*interrupt.stop;
    let series = alternation.run(stop, &mut progress)?;
    let growth = measure_growth(args, &program, folder.path(), (stop, &mut progress))?;
    let clock_after = machine::clock_mhz();
    // Measured last, because memory of this process would count as that of the programs it starts.
    let stages = if args.stages {
        say("measuring the stages, in this process");
        Some(stage_costs(&corpus, &settings, runs, stop)?)
    } else {
        None
    };
    if !settings.is_empty() {
        say("measuring reader, writer and digests, in this process, with synthetic workers");
    }
    let usable = machine.usable;
    let serial_parts =
        SerialParts::measure(plan, settings, (runs, usable), folder.path(), &interrupt.stop)?;
    let (raw_mb, packed_share) = (corpus.raw_mb(), corpus.packed_share());
    let rooflines = Roofline::for_all_kinds(
        &series,
        &serial_parts,
        MeasuredCorpus { raw_mb, packed_share, usable },
    );
    Ok(Bench {
        version: 1,
        request: bench_request(args, workers),
        machine,
        clock_mhz: [clock_before, clock_after],
        others_before,
        corpus,
        series,
        serial_parts,
        rooflines,
        stages,
        growth,
    })
}

/// Measures how cost grows, with the first extractor and the first format, if it was asked for.
fn measure_growth(
    args: &BenchArgs,
    program: &Path,
    folder: &Path,
    (stop, progress): (&AtomicBool, Progress<'_>),
) -> Result<Option<Growth>, BenchError> {
    let Some(megabytes) = args.growth else { return Ok(None) };
    let plan = growth::Plan {
        program,
        options: &args.options,
        extractor: args.extractors.0[0].name(),
        format: args.formats[0].word(),
        runs: usize::from(args.runs),
        megabytes,
        total_megabytes: args.growth_files,
        folder,
    };
    Growth::measure(&plan, stop, progress).map(Some)
}

/// Measures the cost of each stage: of all extractors with the first format, and of all formats
/// with the first extractor.
fn stage_costs(
    corpus: &Corpus,
    settings: &[MeasuredKind],
    runs: usize,
    stop: &AtomicBool,
) -> Result<Stages, BenchError> {
    let settings_of = |is_one: &dyn Fn(&&MeasuredKind) -> bool| -> Vec<Settings> {
        settings.iter().filter(is_one).map(|measured| measured.settings.clone()).collect()
    };
    let extractors = settings_of(&|measured| measured.format == settings[0].format);
    let formats = settings_of(&|measured| measured.extractor == settings[0].extractor);
    stages::measure(corpus, &extractors, &formats, runs, stop)
}

/// Returns the user's settings, which every output repeats.
fn bench_request(args: &BenchArgs, workers: Vec<usize>) -> BenchRequest {
    BenchRequest {
        version: program_version(),
        optimised: !cfg!(debug_assertions),
        workers,
        runs: usize::from(args.runs),
        extractors: args.extractors.0.iter().map(|extractor| extractor.name().to_owned()).collect(),
        formats: args.formats.iter().map(|format| format.word().to_owned()).collect(),
        options: args.options.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
        busy: args.busy,
    }
}

/// Returns the subjects that run in alternation over the inputs, or an empty list without inputs.
fn bench_subjects(args: &BenchArgs, workers: &[usize]) -> Vec<MeasuredProcess> {
    if args.inputs.is_empty() {
        return Vec::new();
    }
    let mut subjects = vec![MeasuredProcess::Start];
    for extractor in &args.extractors.0 {
        for format in &args.formats {
            subjects.extend(workers.iter().map(|&workers| MeasuredProcess::Extract {
                workers,
                extractor: extractor.name().to_owned(),
                format: format.word().to_owned(),
            }));
        }
    }
    subjects.extend(
        args.against.iter().map(|command| MeasuredProcess::Other { command: command.clone() }),
    );
    subjects
}

/// Prints the tables and writes the files, unless other programs disturbed the runs.
fn print_and_write(args: &BenchArgs, bench: &Bench) -> Result<Exit> {
    let tables = BenchTables::from_bench(bench);
    table::print(&tables, Screen::for_stdout().width, &mut std::io::stdout().lock())?;
    let refused = bench.is_disturbed() && !args.busy;
    if let Some(folder) = args.output.as_ref().filter(|_| !refused) {
        write(folder, bench, &tables)?;
    }
    if refused {
        let cores = bench.busy_cores_of_others().unwrap_or_default();
        bail!(BenchError::Busy { cores, most: Neighbours::noise_limit(bench.machine.processors) });
    }
    Ok(Exit::Success)
}

fn write(folder: &Path, bench: &Bench, tables: &BenchTables) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(WriteError::for_path(folder))?;
    let mut json = serde_json::to_vec_pretty(bench).context("a measurement is JSON")?;
    json.push(b'\n');
    let contents = [json, bench.to_csv()?, page::html(tables).into_bytes()];
    for (name, bytes) in FILES.iter().zip(contents) {
        OutputFile::write_whole(&folder.join(name), [] as [&Path; 0], &bytes)?;
    }
    Ok(())
}

fn refuse_existing(folder: &Path, overwrite: bool) -> Result<()> {
    let existing = FILES.iter().map(|name| folder.join(name)).find(|path| path.exists());
    match existing {
        Some(path) if !overwrite => {
            bail!(UsageError(format!(
                "'{}' exists: use --overwrite to replace it, or choose another -o",
                path.display()
            )))
        }
        _ => Ok(()),
    }
}

fn work_folder(args: &BenchArgs) -> Result<huller_bench::WorkFolder> {
    huller_bench::WorkFolder::new(args.work.as_deref()).map_err(Into::into)
}

fn make_corpus(args: &BenchArgs, megabytes: u64, output: &Path) -> Result<Exit> {
    if output.exists() && !args.overwrite {
        bail!(UsageError(format!(
            "'{}' exists: use --overwrite to replace it, or choose another -o",
            output.display()
        )));
    }
    let archives = match &*args.inputs {
        [] => Vec::new(),
        inputs => plan_files(&Plan::new(inputs, &PlanOptions::default())?)?,
    };
    let is_input = |path: &PathBuf| {
        let canonical_path = |path: &Path| path.canonicalize().ok();
        canonical_path(path).is_some() && canonical_path(path) == canonical_path(output)
    };
    if archives.iter().any(is_input) {
        bail!(UsageError(format!("'{}' is an input: choose another -o", output.display())));
    }
    let corpus = corpus_maker::make(&archives, megabytes, args.seed, output)?;
    let mut stdout = std::io::stdout().lock();
    writeln!(
        stdout,
        "{}: {} pages ({} different), {} before compression, {} on disk, digest {}",
        printable(&output.display().to_string()),
        thousands(corpus.records),
        thousands(corpus.distinct),
        size(corpus.raw_bytes),
        size(corpus.packed_bytes),
        corpus.digest
    )?;
    Ok(Exit::Success)
}

/// Returns the files of a plan, and refuses other inputs.
fn plan_files(plan: &Plan) -> Result<Vec<PathBuf>, BenchError> {
    if let Some((path, error)) = plan.unusable.first() {
        return Err(BenchError::Unusable { path: path.clone(), error: error.clone() });
    }
    let files = plan.jobs.iter().map(|job| match &job.source {
        JobSource::File(path) => Ok(path.clone()),
        _ => Err(BenchError::NotAFile(job.name.clone())),
    });
    files.collect()
}

fn count_with_noun(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", thousands(number))
}
