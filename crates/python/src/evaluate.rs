//! `huller.evaluate`: compares extractors, or texts of other programs, with a gold standard.

use crate::errors::{huller_error, value_error};
use crate::interrupts::run_interruptibly;
use crate::options;
use crate::pool::bounded;
use huller_eval::report::{self, ReportOptions};
use huller_eval::{CostlyScores, EvalError, Grouping, Plan, Predictions, ReportFigures, read_gold};
use huller_extract::{EXTRACTORS, ExtractorFactory, Profile};
use pyo3::prelude::*;
use std::path::PathBuf;

/// Scores extractors, or texts of other programs, against a gold standard. Returns the JSON that
/// `huller eval --format json` writes.
#[pyfunction]
#[pyo3(signature = (
    archives, gold, *, extractors=None, profile="tuned", predictions=None, by=None, rouge=false,
    levenshtein=false, pairs=false, resamples=1000, min_cov=0.0, threads=0
))]
pub(crate) fn evaluate(
    py: Python<'_>,
    archives: Vec<PathBuf>,
    gold: Vec<PathBuf>,
    extractors: Option<Vec<String>>,
    profile: &str,
    predictions: Option<Vec<PathBuf>>,
    by: Option<Vec<String>>,
    rouge: bool,
    levenshtein: bool,
    pairs: bool,
    resamples: usize,
    min_cov: f64,
    threads: usize,
) -> PyResult<String> {
    let extractors: Vec<&'static dyn ExtractorFactory> = match extractors {
        None => EXTRACTORS.to_vec(),
        Some(names) => {
            names.iter().map(|name| options::find_extractor(name)).collect::<PyResult<_>>()?
        }
    };
    let profiles = match profile {
        "both" => vec![Profile::Paper, Profile::Tuned],
        name => vec![options::parse_profile(name)?],
    };
    let report_options = ReportOptions {
        by: by.iter().flatten().map(|what| grouping(what)).collect::<PyResult<_>>()?,
        resamples,
        pairs,
        speed: true,
    };
    let each = |extractor| profiles.iter().map(move |profile| (extractor, *profile));
    let extractors = if archives.is_empty() {
        Vec::new()
    } else {
        extractors.into_iter().flat_map(each).collect()
    };
    let extra = CostlyScores { rouge, levenshtein };
    let threads = bounded(threads)?;
    let json = run_interruptibly(py, |stop| {
        let mut gold = read_gold(&gold)?;
        gold.retain(|page| page.coverage.is_none_or(|coverage| coverage >= min_cov));
        let predictions = predictions.iter().flatten().map(|path| Predictions::read(path));
        let predictions = predictions.collect::<Result<_, _>>()?;
        let plan = Plan { archives, gold, extractors, predictions, extra, threads };
        let (evaluation, _) = plan.run_until(stop, &|| {})?;
        let figures = ReportFigures::new(&evaluation, &report_options);
        let mut json = Vec::new();
        let written = report::json::write(&mut json, &evaluation, &figures, &[]);
        Ok::<_, EvalError>(written.map(|()| json))
    });
    let json = json?.map_err(|error| huller_error(py, error.to_string()))??;
    String::from_utf8(json).map_err(|error| huller_error(py, error.to_string()))
}

fn grouping(name: &str) -> PyResult<Grouping> {
    match name {
        "dataset" => Ok(Grouping::Dataset),
        "lang" => Ok(Grouping::Lang),
        "page_type" => Ok(Grouping::PageType),
        "length" => Ok(Grouping::Length),
        _ => {
            let known = "'dataset', 'lang', 'page_type' or 'length'";
            Err(value_error(format!("by must be {known}, not '{name}'")))
        }
    }
}
