//! `huller.index` and `huller.search`: full-text indexes, as the commands of these names make and
//! ask them.

use crate::errors::{
    corpus_error, huller_error, output_error, run_error, value_error, with_causes,
};
use crate::interrupts::run_interruptibly;
use crate::pool::bounded;
use huller_index::{Filter, IndexError, Options, Query, Searcher, Summary, build, check_output};
use huller_pipeline::{InputSummary, SilentMonitor};
use pyo3::prelude::*;
use std::io::ErrorKind;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// Indexes corpora, or joins indexes. Returns the statistics as JSON.
#[pyfunction]
#[pyo3(signature = (
    corpora, output, *, drop, withdrawn, passages=false, threads=0, memory=1 << 30, resume=false, overwrite=false, commit_every=1 << 30
))]
pub(crate) fn index(
    py: Python<'_>,
    corpora: Vec<PathBuf>,
    output: PathBuf,
    drop: Vec<PathBuf>,
    withdrawn: Vec<PathBuf>,
    passages: bool,
    threads: usize,
    memory: u64,
    resume: bool,
    overwrite: bool,
    commit_every: u64,
) -> PyResult<String> {
    if resume && overwrite {
        let problem = "resume and overwrite exclude each other: use one of them";
        return Err(value_error(problem.to_owned()));
    }
    let options = Options {
        threads: bounded(threads)?,
        memory,
        resume,
        overwrite,
        passages,
        drop,
        withdrawn,
        commit_interval_bytes: commit_every,
        ..Options::default()
    };
    let result =
        run_interruptibly(py, |stop| build(&corpora, &output, &options, &mut SilentMonitor, stop))?;
    match result {
        Ok(summary) => Ok(json(&summary)),
        Err(error) => Err(exception(py, &error)),
    }
}

/// Refuses an output and options that a new index could not have.
#[pyfunction]
#[pyo3(signature = (output, *, memory, overwrite))]
pub(crate) fn check_index(
    py: Python<'_>,
    output: PathBuf,
    memory: u64,
    overwrite: bool,
) -> PyResult<()> {
    let options = Options { memory, overwrite, ..Options::default() };
    check_output(&output, &options).map_err(|error| exception(py, &error))
}

fn json(summary: &Summary) -> String {
    let Summary { inputs, new_lines, deleted, unusable, .. } = summary;
    let inputs: Vec<_> = inputs.iter().map(InputSummary::row).collect();
    serde_json::json!({
        "inputs": inputs, "new_lines": new_lines, "deleted": deleted, "unusable": unusable
    })
    .to_string()
}

/// Returns the hits of queries as JSON. `names_query` adds its query to each hit.
#[pyfunction]
#[pyo3(signature = (index, queries, names_query, *, limit=10, lang=None, host=None, page_type=None))]
pub(crate) fn search(
    py: Python<'_>,
    index: PathBuf,
    queries: Vec<String>,
    names_query: bool,
    limit: Option<usize>,
    lang: Option<String>,
    host: Option<String>,
    page_type: Option<String>,
) -> PyResult<String> {
    let filter = Filter { language: lang, host, page_type, ..Filter::default() };
    let result = run_interruptibly(py, |stop| -> Result<String, IndexError> {
        let parsed_queries = queries.iter().map(|text| Ok((text, Query::parse(text)?)));
        let parsed_queries: Vec<_> = parsed_queries.collect::<Result<_, IndexError>>()?;
        let searcher = Searcher::open_until(&index, stop)?;
        let mut hits = Vec::new();
        for (text, query) in &parsed_queries {
            let mut search = searcher.search(query, &filter)?;
            search.for_each_hit(0, limit.unwrap_or(usize::MAX), |hit| {
                hits.push(hit.to_json(names_query.then_some(text.as_str())));
                if stop.load(Ordering::Relaxed) {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            })?;
        }
        Ok(serde_json::Value::from(hits).to_string())
    })?;
    result.map_err(|error| exception(py, &error))
}

/// Returns the exception, with a remedy if there is one.
fn exception(py: Python<'_>, error: &IndexError) -> PyErr {
    let message = with_causes(error);
    match error {
        IndexError::Usage(_)
        | IndexError::Plan(_)
        | IndexError::NoIndex { .. }
        | IndexError::Syntax(_) => value_error(message),
        IndexError::Run(error) => run_error(py, error, message),
        IndexError::Input { path, source } => corpus_error(py, message, path, source.kind()),
        IndexError::Damaged { path, .. } => corpus_error(py, message, path, ErrorKind::InvalidData),
        IndexError::Unfinished { path } => {
            let remedy = "finish it with resume=True first";
            corpus_error(py, format!("{message}: {remedy}"), path, ErrorKind::InvalidData)
        }
        IndexError::Exists { path } => {
            let remedy = "resume=True adds new rows, overwrite=True replaces it";
            output_error(py, format!("{message}: {remedy}"), Some(path))
        }
        IndexError::CannotResume(_) => {
            let remedy = "overwrite=True indexes all inputs again";
            output_error(py, format!("{message}: {remedy}"), None)
        }
        IndexError::Locked { path } => {
            let remedy = "wait for it to end, or choose another output";
            output_error(py, format!("{message}: {remedy}"), Some(path))
        }
        IndexError::Output { path, .. } => {
            let remedy = "use resume=True when the output can be written";
            output_error(py, format!("{message}; {remedy}"), Some(path))
        }
        IndexError::JoinOutput { path, .. } => {
            let remedy = "join the indexes again when the output can be written";
            output_error(py, format!("{message}; {remedy}"), Some(path))
        }
        _ => huller_error(py, message),
    }
}
