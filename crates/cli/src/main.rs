//! The huller program: parses the command line, calls the libraries, and reports the result.

mod allocator;
mod args;
mod bench;
mod counters_table;
mod dedup;
mod exit;
mod explain;
mod extract;
mod extractors;
mod get;
mod index;
mod index_build;
mod interrupt;
mod lab;
mod links;
mod manual;
mod models;
mod output_file;
mod print_config;
mod progress;
mod record_place;
mod records;
mod relabel;
mod report;
mod run_destination;
mod search;
mod serve;
mod site_lines;
mod stages;
mod stats;
mod stores;
mod terminal;
mod usage_error;
mod verify;
mod withdraw;

use args::{Args, Command};
use clap::FromArgMatches;
use exit::{Exit, eprint_lines};
use lab::{classify, eval, features, train};
use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{IsTerminal, Write};
use std::panic::PanicHookInfo;
use std::process::ExitCode;
use terminal::is_printable;
use tracing_subscriber::EnvFilter;

/// Prints where and why a thread panicked. Control characters are escaped, since the message may
/// quote the page. A panic in a damaged index is an error, which the command prints.
fn print_panic(panic: &PanicHookInfo<'_>) {
    if huller_index::is_reading() {
        return;
    }
    eprint_lines(&panic.to_string());
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        eprint_lines(&backtrace.to_string());
    }
}

/// Prints a usage error, or the requested help or version, and ends the program. Control characters
/// are escaped, because the shell may have put file names of strangers into the command line.
fn exit_with_usage(error: &clap::Error) -> ! {
    if !error.use_stderr() || std::env::args_os().all(|arg| is_printable(&arg.to_string_lossy())) {
        error.exit();
    }
    eprint_lines(&error.to_string());
    std::process::exit(Exit::Usage as i32)
}

fn main() -> ExitCode {
    allocator::set_mmap_threshold();
    let args = args::command()
        .try_get_matches()
        .and_then(|matches| Args::from_arg_matches(&matches))
        .unwrap_or_else(|error| exit_with_usage(&error));
    std::panic::set_hook(Box::new(print_panic));
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| "warn".into());
    // These crates log URLs unchanged, including parts that may sign a request.
    let filter = ["object_store", "reqwest", "hyper", "hyper_util", "h2", "rustls"]
        .into_iter()
        .filter_map(|talker| format!("{talker}=off").parse().ok())
        .fold(filter, EnvFilter::add_directive);
    let coloured = std::io::stderr().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(coloured)
        .init();
    let result = match args.command {
        Command::Extract(args) => extract::run_extract(*args),
        Command::Refine(args) => extract::run_refine(&args),
        Command::Dedup(args) => dedup::run_dedup(&args),
        Command::Withdraw(args) => withdraw::run(&args),
        Command::Relabel(args) => relabel::run(&args),
        Command::Links(args) => links::run(&args),
        Command::SiteLines(args) => site_lines::run(&args),
        Command::Index(args) => index::run(&args),
        Command::Search(args) => search::run(&args),
        Command::Serve(args) => serve::run(args),
        Command::Stages(args) => stages::run(&args),
        Command::Eval(args) => eval::run(&args),
        Command::Get(args) => get::run(&args),
        Command::Records(args) => records::run(&args),
        Command::Stats(args) => stats::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Extractors(args) => extractors::run(&args),
        Command::Train(command) => train::run(&command),
        Command::Classify(args) => classify::run(&args),
        Command::Features(args) => features::run(&args),
        Command::Completions { shell } => manual::completions(shell),
        Command::Man { markdown: true, .. } => manual::reference(),
        Command::Man { out_dir, .. } => manual::man(out_dir.as_deref()),
    };
    let exit = result.unwrap_or_else(|error| exit::report(&error));
    // If standard output is closed or full, this last write fails at the latest.
    match std::io::stdout().flush() {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Exit::Output.into(),
        _ => exit.into(),
    }
}
