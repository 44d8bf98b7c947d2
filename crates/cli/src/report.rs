//! `huller report`: shows a run, or several as one, as an HTML file.

use crate::args::ReportArgs;
use crate::exit::{Exit, eprint_line};
use crate::output_file::OutputFile;
use crate::usage_error::UsageError;
use anyhow::{Result, anyhow};
use huller_corpus::{CorpusError, CorpusRow, Limits, RowKeys, RowReader};
use huller_pipeline::{Costs, MergedRuns, SlowPage};
use huller_report::{CountedRow, Examples, RowCounts, RunReport, SpeedHistory};
use std::path::{Path, PathBuf};

pub(crate) fn run(args: &ReportArgs) -> Result<Exit> {
    let against = match &*args.against {
        [] => None,
        runs => Some(MergedRuns::read(runs)?.json()),
    };
    let built = build_report(
        &args.runs,
        against.as_deref(),
        &collect_examples(&args.rejects)?,
        !args.no_rows,
    )?;
    let inputs = args.runs.iter().chain(&args.against).chain(&args.rejects);
    OutputFile::write_whole(&args.output, inputs, built.html.as_bytes())?;
    for fault in &built.faults {
        eprint_line(&format!("error: {fault}"));
    }
    Ok(if built.faults.is_empty() { Exit::Success } else { Exit::InputFailed })
}

/// Returns the HTML file of these runs, which also lists their problems.
pub(crate) fn html_of_runs(runs: &[PathBuf]) -> Result<String> {
    Ok(build_report(runs, None, &Examples::default(), true)?.html)
}

struct BuiltReport {
    html: String,
    /// Problems of the runs.
    faults: Vec<String>,
}

fn build_report(
    paths: &[PathBuf],
    against: Option<&[u8]>,
    examples: &Examples,
    reads_rows: bool,
) -> Result<BuiltReport> {
    let merged = MergedRuns::read(paths)?;
    let mut faults: Vec<String> = (merged.unfinished.iter())
        .map(|run| format!("'{}' is unfinished: use --resume to continue it", run.display()))
        .chain(merged.contradictions.iter().cloned())
        .collect();
    let mut rows = RowCounts::default();
    for output in merged.outputs().filter(|_| reads_rows) {
        if let Err(error) = count_rows(output, &mut rows) {
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
        course: &SpeedHistory(merged.times),
        costs: &costs,
    }
    .to_html()?;
    Ok(BuiltReport { html, faults })
}

fn slow_page(page: SlowPage) -> huller_report::SlowPage {
    let SlowPage { seconds, input, offset, url } = page;
    huller_report::SlowPage { seconds, input, offset, url }
}

/// Passes on every row of a file. Parts that could not be read are passed on as empty lines.
fn each_row(path: &Path, mut visit: impl FnMut(&[u8])) -> Result<(), CorpusError> {
    let mut reader = RowReader::open(path, &Limits::default())?;
    while let Some(chunk) = reader.next_chunk()? {
        chunk.rows().for_each(|(_, row)| visit(row));
        chunk.faults().iter().for_each(|_| visit(b""));
    }
    Ok(())
}

/// Counts the rows of an output. Files of WARC records have none.
fn count_rows(path: &Path, counts: &mut RowCounts) -> Result<(), CorpusError> {
    let keys = RowKeys::default();
    let counted = each_row(path, |line| {
        let row = CorpusRow::parse(line).ok();
        let text = row.as_ref().and_then(|row| row.text(&keys).ok());
        match (row, text) {
            (Some(row), Some(text)) => counts.add(&CountedRow {
                text: text.text,
                charset: row.field_string("charset"),
                charset_source: row.field_string("charset_source"),
                language: row.language(),
                page_type: row.field_string("page_type"),
                extractor: row.field_string("extractor"),
                truncated: row.field_string("truncated"),
                score: row.score(),
                replaced: row.field_number("replaced").unwrap_or_default(),
            }),
            _ => counts.add_other_line(),
        }
    });
    match counted {
        Err(CorpusError::NoRows { .. }) => Ok(()),
        counted => counted,
    }
}

fn collect_examples(rejects: &[PathBuf]) -> Result<Examples> {
    let mut examples = Examples::default();
    for path in rejects {
        let mut is_list = true;
        each_row(path, |line| is_list &= examples.add(line))
            .map_err(|error| anyhow!("cannot read '{}': {error}", path.display()))?;
        if !is_list {
            return Err(UsageError(format!(
                "'{}' is not a file of rejects: `huller extract --rejects FILE` writes one",
                path.display()
            ))
            .into());
        }
    }
    Ok(examples)
}
