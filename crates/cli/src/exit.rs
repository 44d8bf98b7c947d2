//! Ends the program with an exit status, and reports errors.

use crate::output_file::WriteError;
use crate::terminal::printable;
use crate::usage_error::UsageError;
use huller_bench::BenchError;
use huller_dedup::DedupError;
use huller_graph::GraphError;
use huller_index::IndexError;
use huller_pipeline::{Collision, PlanError, RunError};
use huller_relabel::RelabelError;
use huller_site::SiteError;
use huller_withdraw::WithdrawError;
use std::io::ErrorKind;
use std::process::ExitCode;

/// The exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Success. Damaged records alone do not change that.
    Success = 0,
    /// Some input failed or could not be used, and the rest is done.
    InputFailed = 1,
    /// The command line asks for something impossible.
    Usage = 2,
    /// The run to be resumed had other settings or inputs.
    CannotResume = 3,
    /// Another run works in the output folder.
    Locked = 4,
    /// The output cannot be written.
    Output = 5,
    /// Stopped by SIGINT. The run can be resumed.
    Interrupted = 130,
    /// Stopped by SIGUSR1, which batch systems send before a job's time is over. The run can be
    /// resumed.
    OutOfTime = 138,
    /// Stopped by SIGTERM. The run can be resumed.
    Terminated = 143,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// The exit codes in the help of the program and of `huller extract`.
pub(crate) const HELP: &str = "\
Exit codes:
  0    all inputs were read (damaged records are counted, see --strict)
  1    some inputs failed or could not be used; the others are done
  2    usage
  3    cannot resume: settings or inputs differ
  4    the output folder is locked by another run
  5    the output cannot be written
  130  interrupted by SIGINT, 138 by SIGUSR1 (out of time), 143 by SIGTERM;
       all resumable";

/// The exit codes in the help of `huller dedup`.
pub(crate) const DEDUP_HELP: &str = "\
Exit codes:
  0    all inputs were read (lines that are not rows are counted)
  1    some inputs failed or could not be used; the others are done
  2    usage
  3    cannot resume: settings or inputs differ
  4    the output folder is locked by another run
  5    the output cannot be written
  130  interrupted by SIGINT, 138 by SIGUSR1 (out of time), 143 by SIGTERM;
       all resumable";

/// The exit codes in the help of `huller index`.
pub(crate) const INDEX_HELP: &str = "\
Exit codes:
  0    all inputs were read (lines that are not rows are counted)
  1    some inputs failed or could not be used; the others are done
  2    usage
  3    cannot resume: an input or the index differs
  4    the index is locked by another run
  5    the index cannot be written
  130  interrupted by SIGINT, 138 by SIGUSR1 (out of time), 143 by SIGTERM;
       all resumable";

/// The exit codes in the help of `huller withdraw`.
pub(crate) const WITHDRAW_HELP: &str = "\
Exit codes:
  0    the pages are in none of the folders (also if they were in none before)
  1    a folder holds no finished run and no index, or a file of it is damaged
  2    usage
  4    another command is at work in a folder
  5    a folder cannot be written; repeat the command";

/// The exit codes in the help of `huller relabel`.
pub(crate) const RELABEL_HELP: &str = "\
Exit codes:
  0    every label was used
  1    some labels fit no page of the run, or a file is damaged
  2    usage, also a run that escalated no pages
  4    another command is at work in the folder
  5    the folder cannot be written; repeat the command";

/// The exit codes in the help of `huller links`.
pub(crate) const LINKS_HELP: &str = "\
Exit codes:
  0    all inputs were read (lines that are not links are counted)
  1    some inputs failed or could not be used; the graph has the others
  2    usage
  4    another run writes to the folder
  5    the graph cannot be written
  130  interrupted by SIGINT, 138 by SIGUSR1 (out of time), 143 by SIGTERM;
       no graph is written";

/// The exit codes in the help of `huller site-lines`.
pub(crate) const SITE_LINES_HELP: &str = "\
Exit codes:
  0    all inputs were read (lines that are not rows are counted)
  1    some inputs failed or could not be used; the list is that of the others
  2    usage
  5    the list cannot be written
  130  interrupted by SIGINT, 138 by SIGUSR1 (out of time), 143 by SIGTERM;
       no list is written";

/// The exit codes in the help of `huller serve`.
pub(crate) const SERVE_HELP: &str = "\
Exit codes:
  0    interrupted by SIGINT, SIGTERM or SIGUSR1
  2    usage
  5    cannot listen on the address, or cannot read the index";

/// The exit codes in the help of `huller eval`.
pub(crate) const EVAL_HELP: &str = "\
Exit codes:
  0    everything was scored
  1    a file could not be used, or a figure is worse than in --baseline
  2    usage
  5    the output cannot be written";

/// The exit codes in the help of `huller verify`.
pub(crate) const VERIFY_HELP: &str = "\
Exit codes:
  0    all files are present and unchanged since the run
  1    a file is damaged, the run is unfinished, or the folder holds no run;
       or an input of --manifest is done in no folder, or in two
  2    usage
  4    a run is writing to the folder";

/// The exit codes in the help of `huller bench`.
pub(crate) const BENCH_HELP: &str = "\
Exit codes:
  0    everything was measured
  1    an input or a program failed, or the machine is busy (see --busy)
  2    usage
  5    the output cannot be written
  130  interrupted by SIGINT, 138 by SIGUSR1, 143 by SIGTERM";

/// Prints an error in one line, with a hint if there is one, and returns the exit status.
pub(crate) fn report(error: &anyhow::Error) -> Exit {
    if is_closed_stdout(error) {
        // The program that read standard output closed the pipe because it needs no more. That is
        // no error.
        return Exit::Success;
    }
    let (exit, hint) = classify(error);
    // Only writes to standard output pass on an error of the system without added text.
    let is_stdout = error.is::<std::io::Error>()
        && error.chain().count() == 1
        && WriteError::find_in(error).is_none();
    let prefix = if is_stdout { "cannot write to standard output: " } else { "" };
    eprint_line(&format!("error: {prefix}{}", message(error)));
    if let Some(hint) = hint {
        eprint_line(&format!("hint: {hint}"));
    }
    exit
}

/// Returns whether the error is that standard output is a closed pipe. Another pipe, such as that
/// of `--rejects >(head)`, should have taken all bytes. Commands other than `extract` write to no
/// pipe except standard output.
fn is_closed_stdout(error: &anyhow::Error) -> bool {
    let closed = |error: &std::io::Error| error.kind() == ErrorKind::BrokenPipe;
    match error.downcast_ref::<RunError>() {
        Some(RunError::Stdout(error)) => closed(error),
        Some(_) => false,
        None => error.chain().any(|cause| cause.downcast_ref().is_some_and(closed)),
    }
}

/// Returns the message of an error followed by its causes, without causes that the earlier text
/// already quotes.
pub(crate) fn message(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |text, cause| {
        let cause = cause.to_string();
        match text.as_str() {
            "" => cause,
            said if said.ends_with(&cause) => text,
            said => format!("{said}: {cause}"),
        }
    })
}

fn classify(error: &anyhow::Error) -> (Exit, Option<&'static str>) {
    if let Some(error) = WriteError::find_in(error) {
        return (Exit::Output, Some(file_hint(error.kind())));
    }
    if let Some(error) = error.downcast_ref::<DedupError>() {
        return classify_dedup(error);
    }
    if let Some(error) = error.downcast_ref::<IndexError>() {
        return classify_index(error);
    }
    if let Some(error) = error.downcast_ref::<RelabelError>() {
        return classify_relabel(error);
    }
    if let Some(error) = error.downcast_ref::<WithdrawError>() {
        return classify_withdraw(error);
    }
    if let Some(error) = error.downcast_ref::<GraphError>() {
        return classify_graph(error);
    }
    if let Some(error) = error.downcast_ref::<SiteError>() {
        return classify_site(error);
    }
    if let Some(error) = error.downcast_ref::<BenchError>() {
        return classify_bench(error);
    }
    if let Some(error) = error.downcast_ref::<RunError>() {
        return classify_run(error);
    }
    if let Some(error) = error.downcast_ref::<PlanError>() {
        return classify_plan(error);
    }
    if error.is::<UsageError>() {
        return (Exit::Usage, None);
    }
    if error.is::<std::io::Error>() {
        return (Exit::Output, None);
    }
    (Exit::InputFailed, None)
}

fn classify_run(error: &RunError) -> (Exit, Option<&'static str>) {
    match error {
        RunError::OutputExists { .. } | RunError::EarlierRun { .. } => {
            (Exit::Usage, Some("use --resume to continue that run, or --overwrite to replace it"))
        }
        RunError::RemovesInput { .. } => {
            (Exit::Usage, Some("move the input elsewhere, or choose another -o"))
        }
        RunError::Changed { .. } => {
            (Exit::Usage, Some("move the file elsewhere or remove it, or choose another -o"))
        }
        RunError::NestedFolders { .. } => (Exit::Usage, Some("choose another folder")),
        RunError::SideTableWithoutFolder { .. } => (Exit::Usage, None),
        RunError::NoRunOfOurs { .. } => {
            (Exit::Usage, Some("choose another -o, or leave out --overwrite"))
        }
        RunError::CannotResume { .. } => (
            Exit::CannotResume,
            Some(
                "use the settings of that run (also --memory, which lowers limits), or \
                 --overwrite to start again",
            ),
        ),
        RunError::EarlierVersion { .. } => (
            Exit::CannotResume,
            Some("continue with the version that started it, or use --overwrite to start again"),
        ),
        RunError::Locked { .. } => {
            (Exit::Locked, Some("wait for it to end, or choose another folder"))
        }
        RunError::Unfinished { .. } => {
            (Exit::InputFailed, Some("use --resume to finish that run first"))
        }
        RunError::NoRun { .. } | RunError::DamagedRun { .. } | RunError::Unreadable { .. } => {
            (Exit::InputFailed, None)
        }
        RunError::Link { .. } => (Exit::Output, Some("remove the link, or choose another folder")),
        RunError::NotLog { option, .. } if *option == "--rejects" => {
            (Exit::Usage, Some("choose another --rejects"))
        }
        RunError::NotLog { option, .. } if *option == "-o" => {
            (Exit::Usage, Some("choose another folder with -o"))
        }
        RunError::NotLog { .. } => (Exit::Usage, Some("choose another --dropped")),
        RunError::OnlyCaseDiffers { .. } => {
            (Exit::Usage, Some("extract them into different folders, or rename them"))
        }
        RunError::Output { source, .. } => (Exit::Output, Some(output_hint(source.kind()))),
        _ => (Exit::Output, None),
    }
}

fn classify_plan(error: &PlanError) -> (Exit, Option<&'static str>) {
    let hint = match error {
        PlanError::Collisions { collisions } => {
            let is_same = |collision: &Collision| matches!(collision, Collision::SameOutput { .. });
            let overwrites =
                |collision: &Collision| matches!(collision, Collision::OverwritesInput { .. });
            if collisions.iter().any(is_same) {
                Some(
                    "one of the two is often a copy of the other: name the inputs that you want, or \
                     list them, or rename one of each pair",
                )
            } else {
                collisions.iter().any(overwrites).then_some("choose another -o")
            }
        }
        PlanError::RejectsFolder { .. } => Some("create it, or choose another --rejects"),
        PlanError::SideFile { .. } => Some("name another file"),
        PlanError::SideFileUnread { .. } => return (Exit::Output, Some("name another file")),
        _ => None,
    };
    (Exit::Usage, hint)
}

fn classify_dedup(error: &DedupError) -> (Exit, Option<&'static str>) {
    match error {
        DedupError::Run(error) => classify_run(error),
        DedupError::Plan(error) => classify_plan(error),
        DedupError::Input { .. } | DedupError::Signatures { .. } => (Exit::InputFailed, None),
        DedupError::Reread { .. } => (
            Exit::InputFailed,
            Some("use --resume when it can be read, or --overwrite without this input"),
        ),
        _ => (Exit::Usage, None),
    }
}

fn classify_relabel(error: &RelabelError) -> (Exit, Option<&'static str>) {
    match error {
        RelabelError::Run(error @ RunError::Output { .. }) => {
            (classify_run(error).0, Some("repeat the command when the folder can be written"))
        }
        RelabelError::Run(error) => classify_run(error),
        RelabelError::NotEscalated { .. } | RelabelError::OtherOutputs { .. } => {
            (Exit::Usage, None)
        }
        _ => (Exit::InputFailed, None),
    }
}

fn classify_withdraw(error: &WithdrawError) -> (Exit, Option<&'static str>) {
    match error {
        WithdrawError::Run(error @ RunError::Output { .. }) => {
            (classify_run(error).0, Some("repeat the command when the folder can be written"))
        }
        WithdrawError::Run(error @ RunError::NotLog { .. }) => (classify_run(error).0, None),
        WithdrawError::Run(error) => classify_run(error),
        WithdrawError::Index(error) => classify_index(error),
        WithdrawError::NoCorpus { .. } => (
            Exit::InputFailed,
            Some("give the folder that -o named in `huller extract`, `refine`, `dedup` or `index`"),
        ),
        WithdrawError::Damaged { .. } => {
            (Exit::InputFailed, Some("`huller verify` lists the damage"))
        }
        WithdrawError::Usage(_) => (Exit::Usage, None),
        _ => (Exit::InputFailed, None),
    }
}

fn classify_bench(error: &BenchError) -> (Exit, Option<&'static str>) {
    match error {
        BenchError::Io { .. } | BenchError::Run(RunError::Output { .. }) => (
            Exit::Output,
            Some("choose another --work or -o, with free space and permission to write"),
        ),
        BenchError::Busy { .. } => {
            (Exit::InputFailed, Some("wait until the machine is idle, or use --busy"))
        }
        BenchError::NotAFile(_) => (Exit::Usage, None),
        _ => (Exit::InputFailed, None),
    }
}

fn classify_index(error: &IndexError) -> (Exit, Option<&'static str>) {
    match error {
        IndexError::Run(error) => classify_run(error),
        IndexError::Plan(error) => classify_plan(error),
        IndexError::Exists { .. } => (
            Exit::Usage,
            Some("use --resume to continue it or to add new inputs, or --overwrite to replace it"),
        ),
        IndexError::CannotResume(_) => {
            (Exit::CannotResume, Some("use --overwrite to index all inputs again"))
        }
        IndexError::Locked { .. } => {
            (Exit::Locked, Some("wait for it to end, or choose another folder"))
        }
        IndexError::Output { source, .. } => (Exit::Output, Some(output_hint(source.kind()))),
        IndexError::JoinOutput { .. } => (
            Exit::Output,
            Some("join the indexes again when the output can be written, or with another -o"),
        ),
        IndexError::Input { .. } | IndexError::Damaged { .. } => (Exit::InputFailed, None),
        IndexError::Unfinished { .. } => {
            (Exit::InputFailed, Some("finish it with `huller index --resume` first"))
        }
        _ => (Exit::Usage, None),
    }
}

fn classify_graph(error: &GraphError) -> (Exit, Option<&'static str>) {
    match error {
        // A graph is written as a whole, so there is no run to resume.
        GraphError::Run(RunError::Output { source, .. }) => {
            (Exit::Output, Some(file_hint(source.kind())))
        }
        GraphError::Run(error) => classify_run(error),
        GraphError::Plan(error) => classify_plan(error),
        GraphError::Exists { .. } => {
            (Exit::Usage, Some("use --overwrite to replace the graph, or choose another -o"))
        }
        _ => (Exit::Usage, None),
    }
}

fn classify_site(error: &SiteError) -> (Exit, Option<&'static str>) {
    match error {
        // A list is written as a whole, so there is no run to resume.
        SiteError::Run(RunError::Output { source, .. }) => {
            (Exit::Output, Some(file_hint(source.kind())))
        }
        SiteError::Run(error) => classify_run(error),
        SiteError::Plan(error) => classify_plan(error),
        SiteError::Changed => (Exit::InputFailed, None),
        _ => (Exit::Usage, None),
    }
}

/// Returns the hint for an output that cannot be written.
fn output_hint(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::NotADirectory | ErrorKind::AlreadyExists => {
            "choose another -o: a file has the name of the folder"
        }
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "choose another -o, in a folder with permission to write"
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            "finished outputs are safe; free some space, then use --resume"
        }
        _ => "finished outputs are safe; use --resume when the output can be written",
    }
}

/// Returns the hint for a file that a command writes as a whole, each time from the start.
fn file_hint(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::NotFound => "create its folder first, or choose another name",
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "choose another name, in a folder with permission to write"
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            "free some space and run the command again; an existing file was not changed"
        }
        ErrorKind::NotADirectory | ErrorKind::IsADirectory => {
            "choose another name: a file or folder has this one"
        }
        _ => "run the command again when the file can be written; an existing file was not changed",
    }
}

/// Writes a text of several lines to standard error.
pub(crate) fn eprint_lines(text: &str) {
    text.lines().for_each(eprint_line);
}

/// Writes a line to standard error. A closed standard error is not a failure.
pub(crate) fn eprint_line(line: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr().lock(), "{}", printable(line));
}
