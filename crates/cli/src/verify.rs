//! `huller verify`: checks whether the folder of a run or an index is as the run left it.

use crate::args::VerifyArgs;
use crate::exit::{Exit, eprint_line, message};
use crate::progress;
use crate::stores::{READ_AHEAD, stores};
use crate::terminal::{printable, size, thousands};
use crate::usage_error::UsageError;
use anyhow::Result;
use huller_index::Integrity;
use huller_pipeline::{
    Coverage, Finding, FolderState, Monitor, Plan, PlanOptions, RunError, Severity, SilentMonitor,
    Verification, VerifyError, verify,
};
use huller_row::escape_controls;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Most findings of one severity in the table. `--json` has all.
const MAX_SHOWN_FINDINGS: usize = 20;

/// The report on one folder, as JSON.
#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    folder: String,
    #[serde(flatten)]
    verification: &'a Verification,
}

/// The report on one index, as JSON.
#[derive(Serialize)]
struct IndexReport<'a> {
    version: u32,
    folder: String,
    state: FolderState,
    rows: u64,
    files: usize,
    damaged: &'a [String],
}

/// The report on lists of inputs, as JSON.
#[derive(Serialize)]
struct ListReport<'a> {
    version: u32,
    manifest: Vec<String>,
    complete: bool,
    #[serde(flatten)]
    coverage: &'a Coverage,
}

pub(crate) fn run(args: &VerifyArgs) -> Result<Exit> {
    refuse_repeated(&args.folders)?;
    let mut exit = Exit::Success;
    let mut runs = Vec::new();
    let stores = stores(READ_AHEAD);
    let lists = stores.clone();
    let inputs = match &*args.inputs {
        [] => None,
        paths => Some(Plan::new(paths, &PlanOptions { stores, ..PlanOptions::default() })?),
    };
    for folder in &args.folders {
        if folder.join("meta.json").is_file() && !folder.join("_huller").exists() {
            exit = exit.max(verify_index(folder, args.json)?);
            continue;
        }
        let mut monitor: Box<dyn Monitor + Send> =
            if args.quiet { Box::new(SilentMonitor) } else { progress::monitor_for_stderr(&lists) };
        let verified = verify(folder, inputs.as_ref(), &mut *monitor);
        drop(monitor);
        match verified {
            Ok(verification) => {
                if verification.state != FolderState::Complete {
                    exit = exit.max(Exit::InputFailed);
                }
                let mut stdout = io::stdout().lock();
                if args.json {
                    let folder = folder.display().to_string();
                    let report = Report { version: 1, folder, verification: &verification };
                    write_json(&report, &mut stdout)?;
                } else {
                    print_results(folder, &verification, &mut stdout)?;
                }
                runs.push((folder.clone(), verification));
            }
            Err(error) => {
                let locked = matches!(error, VerifyError::Run(RunError::Locked { .. }));
                exit = exit.max(if locked { Exit::Locked } else { Exit::InputFailed });
                eprint_line(&format!("error: {}", message(&error.into())));
            }
        }
    }
    if !args.manifest.is_empty() {
        let coverage = Coverage::from_verifications(&args.manifest, &lists, &runs)?;
        if !coverage.is_complete() {
            exit = exit.max(Exit::InputFailed);
        }
        let mut stdout = io::stdout().lock();
        let manifest = args.manifest.iter().map(|list| list.display().to_string()).collect();
        let complete = coverage.is_complete();
        let report = ListReport { version: 1, manifest, complete, coverage: &coverage };
        if args.json {
            write_json(&report, &mut stdout)?;
        } else {
            print_coverage(&report, &mut stdout)?;
        }
    }
    Ok(exit)
}

/// Checks an index, and prints the result.
fn verify_index(folder: &Path, is_json: bool) -> Result<Exit> {
    let integrity = match Integrity::check(folder) {
        Ok(integrity) => integrity,
        Err(error) => {
            eprint_line(&format!("error: {}", message(&error.into())));
            return Ok(Exit::InputFailed);
        }
    };
    let Integrity { is_complete: is_whole, rows, files, damaged } = integrity;
    let state = match (damaged.is_empty(), is_whole) {
        (false, _) => FolderState::Damaged,
        (true, false) => FolderState::Unfinished,
        (true, true) => FolderState::Complete,
    };
    let mut stdout = io::stdout().lock();
    if is_json {
        let report = IndexReport {
            version: 1,
            folder: folder.display().to_string(),
            state,
            rows,
            files,
            damaged: &damaged,
        };
        write_json(&report, &mut stdout)?;
    } else {
        writeln!(stdout, "{}: {}", printable(&folder.display().to_string()), state_word(state))?;
        for (name, count) in
            [("rows in the index", rows), ("files", files as u64), ("damage", damaged.len() as u64)]
        {
            writeln!(stdout, "  {name:<26}{:>16}", thousands(count))?;
        }
        for file in &damaged {
            writeln!(stdout, "    {file}: its bytes differ from its checksum")?;
        }
    }
    Ok(if state == FolderState::Complete { Exit::Success } else { Exit::InputFailed })
}

/// Returns the word for a state in a report for people.
fn state_word(state: FolderState) -> &'static str {
    match state {
        FolderState::Complete => "complete",
        FolderState::Unfinished => "unfinished",
        FolderState::Damaged => "DAMAGED",
    }
}

/// Refuses a folder that is named twice. It would count as two runs, and its inputs as done twice.
fn refuse_repeated(folders: &[PathBuf]) -> Result<(), UsageError> {
    // Folders that cannot be found are reported later, by the verification.
    let mut places: Vec<_> =
        folders.iter().filter_map(|folder| folder.canonicalize().ok()).collect();
    places.sort();
    match places.windows(2).find(|two| two[0] == two[1]) {
        Some(two) => {
            Err(UsageError(format!("{} is given twice", printable(&two[0].to_string_lossy()))))
        }
        None => Ok(()),
    }
}

fn write_json(report: &impl Serialize, out: &mut impl Write) -> io::Result<()> {
    let mut line = serde_json::to_vec(report)?;
    escape_controls(&mut line, 0);
    line.push(b'\n');
    out.write_all(&line)
}

fn print_coverage(report: &ListReport<'_>, out: &mut impl Write) -> io::Result<()> {
    let Coverage { inputs, missing, repeated, unlisted, other_lists } = report.coverage;
    let state = if report.complete { "complete" } else { "INCOMPLETE" };
    writeln!(out, "{}: {state}", printable(&report.manifest.join(", ")))?;
    let mut section = |name: &str, count: u64, lines: &mut dyn Iterator<Item = String>| {
        writeln!(out, "  {name:<26}{:>16}", thousands(count))?;
        for line in lines.take(MAX_SHOWN_FINDINGS) {
            writeln!(out, "    {}", printable(&line))?;
        }
        match count.checked_sub(MAX_SHOWN_FINDINGS as u64) {
            Some(more @ 1..) if matches!(name, "not done" | "done more than once") => {
                writeln!(out, "    and {} more (--json shows all)", thousands(more))
            }
            _ => Ok(()),
        }
    };
    section("inputs listed", *inputs, &mut std::iter::empty())?;
    section("not done", missing.len() as u64, &mut missing.iter().cloned())?;
    let twice = repeated.iter().map(|r| format!("{}: {}", r.input, r.folders.join(", ")));
    section("done more than once", repeated.len() as u64, &mut { twice })?;
    if *unlisted > 0 {
        section("done, but not listed", *unlisted, &mut std::iter::empty())?;
    }
    if *other_lists {
        writeln!(out, "  the folders hold shards of different lists")?;
    }
    Ok(())
}

fn print_results(
    folder: &Path,
    verification: &Verification,
    out: &mut impl Write,
) -> io::Result<()> {
    let Verification { state, inputs, outputs, bytes, rows, total, findings, .. } = verification;
    writeln!(out, "{}: {}", printable(&folder.display().to_string()), state_word(*state))?;
    let mut row = |name: &str, count: u64, more: &str| {
        writeln!(out, "{}", format!("  {name:<26}{:>16}{more}", thousands(count)).trim_end())
    };
    row("inputs done", *inputs, "")?;
    row("outputs", *outputs, &format!("  {}", size(*bytes)))?;
    row("records read", total.records, "")?;
    row("written", total.written, "")?;
    row("rows found", *rows, "")?;
    for (severity, heading) in [
        (Severity::Damage, "damage"),
        (Severity::Unfinished, "unfinished"),
        (Severity::Note, "notes"),
    ] {
        let of_it: Vec<&Finding> = findings.iter().filter(|f| f.severity == severity).collect();
        if of_it.is_empty() && severity != Severity::Damage {
            continue;
        }
        writeln!(out, "  {heading:<26}{:>16}", thousands(of_it.len() as u64))?;
        for Finding { kind, path, detail, .. } in of_it.iter().take(MAX_SHOWN_FINDINGS) {
            let (path, detail) = (printable(path), printable(detail));
            writeln!(out, "    {:<13} {path}: {detail}", kind.name())?;
        }
        if let Some(more) = of_it.len().checked_sub(MAX_SHOWN_FINDINGS).filter(|more| *more > 0) {
            writeln!(out, "    and {} more (--json shows all)", thousands(more as u64))?;
        }
    }
    Ok(())
}
