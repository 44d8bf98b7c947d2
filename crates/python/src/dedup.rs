//! `huller.dedup`: deduplicates corpora like the command `huller dedup`.

use crate::errors::{corpus_error, huller_error, run_error, value_error, with_causes};
use crate::interrupts::run_interruptibly;
use crate::pool::bounded;
use crate::signatures;
use huller_corpus::RowKeys;
use huller_dedup::{
    DedupError, DedupStep, Keep, Options, OutputFormat, Outputs, RowsFormat, Settings, Summary, run,
};
use huller_pipeline::{Config, FormatChoice, InputSummary, SilentMonitor};
use pyo3::prelude::*;
use std::io::ErrorKind;
use std::path::PathBuf;

/// Deduplicates corpora into a folder. Returns their statistics as JSON.
#[pyfunction]
#[pyo3(signature = (
    corpora, output, *, against, by, keep=None, bands=14, rows=8, shingle=5, hash="fast", seed=1, verify=None, host_lines=None,
    host_line_chars=None, paragraphs=None, format=None, cluster_fields=false, mark_rows=false, mark=None, text_key=None, url_key=None,
    threads=0, memory=1 << 30, resume=false, overwrite=false
))]
pub(crate) fn dedup(
    py: Python<'_>,
    corpora: Vec<PathBuf>,
    output: PathBuf,
    against: Vec<PathBuf>,
    by: Vec<String>,
    keep: Option<&str>,
    bands: u32,
    rows: u32,
    shingle: u32,
    hash: &str,
    seed: u32,
    verify: Option<f64>,
    host_lines: Option<u64>,
    host_line_chars: Option<u64>,
    paragraphs: Option<u64>,
    format: Option<&str>,
    cluster_fields: bool,
    mark_rows: bool,
    mark: Option<PathBuf>,
    text_key: Option<Vec<String>>,
    url_key: Option<Vec<String>>,
    threads: usize,
    memory: u64,
    resume: bool,
    overwrite: bool,
) -> PyResult<String> {
    if host_line_chars.is_some() && host_lines.is_none() {
        return Err(value_error(
            "host_line_chars sets the lines that host_lines removes: set host_lines too".to_owned(),
        ));
    }
    let defaults = Settings::default();
    let settings = Settings {
        by: steps(&by, host_lines.is_some(), paragraphs.is_some())?,
        keep: keep.map(rule).transpose()?,
        signatures: signatures::settings(bands, rows, shingle, hash, seed)?,
        verify,
        host_lines: host_lines.unwrap_or(defaults.host_lines),
        host_line_chars: host_line_chars.unwrap_or(defaults.host_line_chars),
        paragraph_chars: paragraphs.unwrap_or(defaults.paragraph_chars),
        keys: RowKeys {
            text: text_key.unwrap_or(defaults.keys.text),
            url: url_key.unwrap_or(defaults.keys.url),
        },
        outputs: outputs(mark, mark_rows, cluster_fields)?,
        format: written_as(format)?,
    };
    let threads = bounded(threads)?;
    let options = Options { threads, memory, resume, overwrite, ..Options::default() };
    let result = run_interruptibly(py, |stop| {
        run(&corpora, &against, &output, &settings, &options, &mut SilentMonitor, stop)
    })?;
    match result {
        Ok(summary) => Ok(json(&summary)),
        Err(error) => Err(exception(py, &error)),
    }
}

fn steps(names: &[String], lines: bool, paragraphs: bool) -> PyResult<Vec<DedupStep>> {
    for name in names {
        if !DedupStep::ALL.iter().any(|step| step.name() == name) {
            let known = DedupStep::ALL.map(|step| format!("'{}'", step.name())).join(", ");
            return Err(value_error(format!("by must be {known}, not '{name}'")));
        }
    }
    let is_asked = |step: &DedupStep| {
        names.iter().any(|name| step.name() == name)
            || (*step == DedupStep::Lines && lines)
            || (*step == DedupStep::Paragraphs && paragraphs)
    };
    let steps: Vec<_> = DedupStep::ALL.into_iter().filter(is_asked).collect();
    for (step, is_said, option) in
        [(DedupStep::Lines, lines, "host_lines"), (DedupStep::Paragraphs, paragraphs, "paragraphs")]
    {
        if steps.contains(&step) && !is_said {
            return Err(value_error(format!("by has '{}': set {option} too", step.name())));
        }
    }
    Ok(steps)
}

/// Returns the kind of output. The three options exclude one another.
fn outputs(mark: Option<PathBuf>, mark_rows: bool, cluster_fields: bool) -> PyResult<Outputs> {
    match (mark, mark_rows, cluster_fields) {
        (None, false, false) => Ok(Outputs::Kept),
        (None, false, true) => Ok(Outputs::KeptWithSizes),
        (None, true, false) => Ok(Outputs::Marked),
        (Some(list), false, false) => Ok(Outputs::List(list)),
        _ => {
            let problem = "mark, mark_rows and cluster_fields exclude each other: use one of them";
            Err(value_error(problem.to_owned()))
        }
    }
}

/// Returns the format of the rows. `jsonl` copies lines as they are.
fn written_as(format: Option<&str>) -> PyResult<OutputFormat> {
    let Some(name) = format.filter(|name| *name != "jsonl") else { return Ok(OutputFormat::Lines) };
    // Records of pages come from archives, which this function does not read.
    let offered = || FormatChoice::ALL.iter().filter(|format| **format != FormatChoice::Warc);
    let Some(format) = offered().find(|format| format.word() == name) else {
        let known: Vec<_> = offered().map(|format| format!("'{}'", format.word())).collect();
        let known = known.join(", ");
        return Err(value_error(format!("format must be one of {known}, not '{name}'")));
    };
    let config = Config { format: Some(vec![*format]), ..Config::default() };
    let settings = config.settings_of_rows(RowKeys::default());
    let settings = settings.map_err(|error| value_error(error.to_string()))?;
    let layout = settings.layout(String::new());
    Ok(OutputFormat::Rows(Box::new(RowsFormat::new(settings.format, layout))))
}

fn rule(name: &str) -> PyResult<Keep> {
    match name {
        "first" => Ok(Keep::First),
        "longest" => Ok(Keep::Longest),
        "score" => Ok(Keep::Score),
        "newest" => Ok(Keep::Newest),
        _ => {
            let known = "'first', 'longest', 'score' or 'newest'";
            Err(value_error(format!("keep must be {known}, not '{name}'")))
        }
    }
}

fn json(summary: &Summary) -> String {
    let Summary { inputs, table, unusable, .. } = summary;
    let inputs: Vec<_> = inputs.iter().map(InputSummary::row).collect();
    serde_json::json!({ "inputs": inputs, "clusters": table, "unusable": unusable }).to_string()
}

/// Returns the exception, with a remedy if there is one.
fn exception(py: Python<'_>, error: &DedupError) -> PyErr {
    let message = with_causes(error);
    match error {
        DedupError::Usage(_) | DedupError::Settings(_) | DedupError::Memory { .. } => {
            value_error(message)
        }
        DedupError::Input { path, source } => corpus_error(py, message, path, source.kind()),
        DedupError::Signatures { path, .. } => {
            corpus_error(py, message, path, ErrorKind::InvalidData)
        }
        DedupError::Plan(_) => value_error(message),
        DedupError::Run(error) => run_error(py, error, message),
        _ => huller_error(py, message),
    }
}
