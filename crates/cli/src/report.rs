//! `huller report`: a run, or several as one, as an HTML file to look at.

use crate::args::ReportArgs;
use crate::exit::{Exit, eprint_line};
use crate::output_file::OutputFile;
use crate::usage_error::UsageError;
use anyhow::{Result, anyhow};
use huller_archive::{ArchiveError, Batch, Entry, Input, Limits};
use huller_pipeline::{Costs, Merged, SlowPage};
use huller_report::{Course, Examples, RowCounts, RunReport};
use std::io::Write;
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &ReportArgs) -> Result<Exit> {
    let against = match &*args.against {
        [] => None,
        runs => Some(Merged::read(runs)?.json()),
    };
    let made = made(&args.runs, against.as_deref(), &examples(&args.rejects)?, !args.no_rows)?;
    let mut file = OutputFile::create(&args.output)?;
    file.write_all(made.html.as_bytes())?;
    file.finish()?;
    for fault in &made.faults {
        eprint_line(&format!("error: {fault}"));
    }
    Ok(if made.faults.is_empty() { Exit::Success } else { Exit::InputFailed })
}

/// The HTML file of these runs. What is wrong with them stands in it.
pub(crate) fn of_runs(runs: &[PathBuf]) -> Result<String> {
    Ok(made(runs, None, &Examples::default(), true)?.html)
}

struct Made {
    html: String,
    /// What is wrong with the runs.
    faults: Vec<String>,
}

fn made(
    paths: &[PathBuf],
    against: Option<&[u8]>,
    examples: &Examples,
    reads_rows: bool,
) -> Result<Made> {
    let merged = Merged::read(paths)?;
    let mut faults: Vec<String> = (merged.unfinished.iter())
        .map(|run| format!("'{}' is unfinished: go on with --resume", run.display()))
        .chain(merged.contradictions.iter().cloned())
        .collect();
    let mut rows = RowCounts::default();
    for output in merged.outputs().filter(|_| reads_rows) {
        let counted = each_line(output, |line| {
            rows.add(line);
        });
        if let Err(error) = counted {
            faults.push(format!("the rows of '{}' cannot be read: {error}", output.display()));
        }
    }
    let Costs { cpu, peak_memory, slow_pages } = merged.costs.clone();
    let costs = huller_report::Costs {
        cpu,
        peak_memory,
        slow_pages: slow_pages.map(|pages| pages.into_iter().map(slow_page).collect()),
    };
    let runs: Vec<String> = paths.iter().map(|run| run.display().to_string()).collect();
    let html = RunReport {
        runs: &runs,
        account: &merged.json(),
        against,
        faults: &faults,
        rows: &rows,
        examples,
        course: &Course(merged.times),
        costs: &costs,
    }
    .to_html()?;
    Ok(Made { html, faults })
}

fn slow_page(page: SlowPage) -> huller_report::SlowPage {
    let SlowPage { seconds, input, offset, url } = page;
    huller_report::SlowPage { seconds, input, offset, url }
}

/// Passes on every line of a file, of a table every row as JSON. Records, and what cannot be read, are passed on as empty lines.
fn each_line(path: &Path, mut with: impl FnMut(&[u8])) -> Result<(), ArchiveError> {
    let mut stream = Input::open(path, &Limits::default())?.into_stream()?;
    let mut batch = Batch::default();
    while stream.next_batch(&mut batch)? {
        for entry in &batch.entries {
            match entry {
                Entry::Line { bytes, .. } => with(&batch.bytes[bytes.clone()]),
                Entry::Record { .. } | Entry::File { .. } | Entry::Fault(_) => with(b""),
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
