//! Writes all figures as one JSON object: `systems`, `rows`, `pairs`, `worst`. A figure without
//! gold is null.

use super::{ReportFigures, ReportRow};
use crate::evaluation::{Evaluation, PrecisionRecall, WorstPage};
use crate::summary::{SnippetMeans, TextMeans};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Writes the object, indented.
///
/// # Errors
///
/// If `out` can't be written to.
pub fn write(
    out: &mut dyn Write,
    evaluation: &Evaluation,
    figures: &ReportFigures,
    worst: &[WorstPage],
) -> io::Result<()> {
    let systems = evaluation.systems.iter().map(|system| {
        let profile = Some(&system.profile).filter(|profile| !profile.is_empty());
        json!({ "label": system.label(), "extractor": system.name, "profile": profile })
    });
    let label = |system: usize| evaluation.systems[system].label();
    let pairs = figures.pairs.iter().map(|pair| {
        let comparison = &pair.comparison;
        json!({
            "first": label(pair.first),
            "second": label(pair.second),
            "better": comparison.better,
            "worse": comparison.worse,
            "equal": comparison.equal,
            "mean_difference": comparison.difference,
            "p": comparison.p,
        })
    });
    let worst = worst.iter().map(|worst_page| {
        let text = evaluation.scores[worst_page.system][worst_page.page].text;
        json!({
            "system": label(worst_page.system),
            "id": evaluation.pages[worst_page.page].id,
            "lcs": text.map(|text| prf_json(text.lcs)),
            "gold": worst_page.gold,
            "text": worst_page.text,
        })
    });
    let report_json = json!({
        "systems": systems.collect::<Vec<_>>(),
        "rows": figures.rows.iter().map(|figures| row_json(evaluation, figures)).collect::<Vec<_>>(),
        "pairs": pairs.collect::<Vec<_>>(),
        "worst": worst.collect::<Vec<_>>(),
    });
    serde_json::to_writer_pretty(&mut *out, &report_json)?;
    writeln!(out)
}

fn row_json(evaluation: &Evaluation, row: &ReportRow) -> Value {
    let summary = &row.summary;
    json!({
        "system": evaluation.systems[row.system].label(),
        "group": row.group,
        "pages": summary.pages,
        "text": summary.text.map(text_json),
        "lcs_f1_interval": row.lcs_f1.map(|(low, high)| [low, high]),
        "snippets": summary.snippets.map(|SnippetMeans { pages, prf: means, accuracy }| {
            json!({ "pages": pages, "prf": prf_json(means), "accuracy": accuracy })
        }),
        "mb_per_cpu_s": summary.megabytes_per_second,
    })
}

fn text_json(means: TextMeans) -> Value {
    json!({
        "pages": means.pages,
        "lcs": prf_json(means.lcs),
        "shingles": prf_json(means.shingles),
        "bag": prf_json(means.bag),
        "shingle_f1_of_means": means.shingle_f1_of_means,
        "exact": means.exact,
        "f1_at_least_90": means.f1_at_least_90,
        "all_above_95": means.all_above_95,
        "cleaneval": means.cleaneval,
        "excellent": means.excellent,
        "good_or_excellent": means.good_or_excellent,
        "empty": means.empty,
        "rouge_lsum": means.rouge_lsum.map(prf_json),
        "levenshtein": means.levenshtein,
    })
}

fn prf_json(prf: PrecisionRecall) -> Value {
    json!({ "p": prf.precision, "r": prf.recall, "f1": prf.f1 })
}
