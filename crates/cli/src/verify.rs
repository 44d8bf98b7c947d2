//! `huller verify`: is the folder of a run as the run left it?

use crate::args::VerifyArgs;
use crate::exit::{Exit, eprint_line, message};
use crate::progress;
use crate::terminal::{printable, size, thousands};
use anyhow::Result;
use huller_pipeline::{
    Finding, Monitor, RunError, Severity, Silent, State, Verification, VerifyError,
    escape_controls, verify,
};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// So many findings of one severity are shown; `--json` has all.
const SHOWN: usize = 20;

/// One folder, as JSON.
#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    folder: String,
    #[serde(flatten)]
    verification: &'a Verification,
}

pub(crate) fn run(args: &VerifyArgs) -> Result<Exit> {
    let mut exit = Exit::Success;
    for folder in &args.folders {
        let mut monitor: Box<dyn Monitor + Send> =
            if args.quiet { Box::new(Silent) } else { progress::choose() };
        let verified = verify(folder, &mut *monitor);
        drop(monitor);
        match verified {
            Ok(verification) => {
                if verification.state != State::Complete {
                    exit = exit.max(Exit::InputFailed);
                }
                let mut stdout = io::stdout().lock();
                if args.json {
                    let folder = folder.display().to_string();
                    let report = Report { version: 1, folder, verification: &verification };
                    let mut line = serde_json::to_vec(&report)?;
                    escape_controls(&mut line, 0);
                    line.push(b'\n');
                    stdout.write_all(&line)?;
                } else {
                    print(folder, &verification, &mut stdout)?;
                }
            }
            Err(error) => {
                let locked = matches!(error, VerifyError::Run(RunError::Locked { .. }));
                exit = exit.max(if locked { Exit::Locked } else { Exit::InputFailed });
                eprint_line(&format!("error: {}", message(&error.into())));
            }
        }
    }
    Ok(exit)
}

fn print(folder: &Path, verification: &Verification, out: &mut impl Write) -> io::Result<()> {
    let Verification { state, inputs, outputs, bytes, rows, total, findings } = verification;
    let state = match state {
        State::Complete => "complete",
        State::Unfinished => "unfinished",
        State::Damaged => "DAMAGED",
    };
    writeln!(out, "{}: {state}", printable(&folder.display().to_string()))?;
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
        for Finding { kind, path, detail, .. } in of_it.iter().take(SHOWN) {
            let (path, detail) = (printable(path), printable(detail));
            writeln!(out, "    {:<13} {path}: {detail}", kind.name())?;
        }
        if let Some(more) = of_it.len().checked_sub(SHOWN).filter(|more| *more > 0) {
            writeln!(out, "    and {} more (--json shows all)", thousands(more as u64))?;
        }
    }
    Ok(())
}
