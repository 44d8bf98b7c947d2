//! `huller report`: a run, or several as one, as an HTML file to look at.

use crate::args::ReportArgs;
use crate::exit::{Exit, eprint_line};
use crate::output_file::OutputFile;
use crate::usage_error::UsageError;
use anyhow::{Result, anyhow};
use huller_archive::{ArchiveError, Batch, Entry, Input, Limits};
use huller_pipeline::Merged;
use huller_report::{Course, Examples, RowCounts, RunReport};
use std::io::Write;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &ReportArgs) -> Result<Exit> {
    let merged = Merged::read(&args.runs)?;
    let against = match &*args.against {
        [] => None,
        runs => Some(Merged::read(runs)?.json()),
    };
    let mut faults: Vec<String> = (merged.unfinished.iter())
        .map(|run| format!("'{}' is unfinished: go on with --resume", run.display()))
        .chain(merged.contradictions.iter().cloned())
        .collect();
    let mut rows = RowCounts::default();
    let outputs = merged.outputs().filter(|_| !args.no_rows);
    for output in outputs {
        let counted = each_line(output, |line| {
            rows.add(line);
        });
        if let Err(error) = counted {
            faults.push(format!("the rows of '{}' cannot be read: {error}", output.display()));
        }
    }
    let examples = examples(&args.rejects)?;
    let runs: Vec<String> = args.runs.iter().map(|run| run.display().to_string()).collect();
    let html = RunReport {
        runs: &runs,
        account: &merged.json(),
        against: against.as_deref(),
        faults: &faults,
        rows: &rows,
        examples: &examples,
        course: &Course(merged.times),
    }
    .to_html()?;
    let mut file = OutputFile::create(&args.output)?;
    file.write_all(html.as_bytes())?;
    file.finish()?;
    for fault in &faults {
        eprint_line(&format!("error: {fault}"));
    }
    Ok(if faults.is_empty() { Exit::Success } else { Exit::InputFailed })
}

/// Passes on every line of a file, of a table every row as JSON. Records, and what cannot be read, are passed on as empty lines.
fn each_line(path: &Path, mut with: impl FnMut(&[u8])) -> Result<(), ArchiveError> {
    let mut stream = Input::open(path, &Limits::default())?.into_stream()?;
    let mut batch = Batch::default();
    while stream.next_batch(&mut batch)? {
        for entry in &batch.entries {
            match entry {
                Entry::Line { bytes, .. } => with(&batch.bytes[bytes.clone()]),
                Entry::Record { .. } | Entry::Fault(_) => with(b""),
            }
        }
    }
    Ok(())
}

fn examples(rejects: &[PathBuf]) -> Result<Examples> {
    let mut examples = Examples::default();
    for path in rejects {
        let mut is_list = true;
        each_line(path, |line| is_list &= examples.add(line))
            .map_err(|error| anyhow!("cannot read '{}': {error}", path.display()))?;
        if !is_list {
            return Err(UsageError(format!(
                "'{}' is no file of rejects: `huller extract --rejects FILE` writes one",
                path.display()
            ))
            .into());
        }
    }
    Ok(examples)
}
