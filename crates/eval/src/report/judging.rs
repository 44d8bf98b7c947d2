//! Writes judgements of pages as CSV, JSON and Markdown.
//!
//! The CSV has these lines for each system:
//!
//! - `verdict`, with accuracy and AUC, if the system gives verdicts;
//! - `best`, for the best threshold on these same pages;
//! - `roc`, for each point of the curve.
//!
//! The baseline is the system `text-length`.

use super::markdown::cell;
use crate::judge::pages::{JudgeReport, JudgedSystem};
use crate::judge::{JudgementScores, RocPoint};
use serde_json::{Value, json};
use std::io::{self, Write};

/// The name of the baseline.
pub const BASELINE: &str = "text-length";

/// The columns.
pub const COLUMNS: [&str; 12] = [
    "extractor",
    "profile",
    "what",
    "threshold",
    "tp",
    "fp",
    "fn",
    "tn",
    "tpr",
    "fpr",
    "accuracy",
    "auc",
];

/// Writes the CSV.
///
/// # Errors
///
/// If `out` can't be written to.
pub fn write_csv(out: &mut dyn Write, report: &JudgeReport) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(COLUMNS)?;
    write_lines(&mut writer, (BASELINE, ""), &report.baseline, false)?;
    for system in &report.systems {
        let name = (system.name.as_str(), system.profile.as_str());
        write_lines(&mut writer, name, &system.judging, system.has_verdicts)?;
    }
    writer.flush()
}

fn write_lines(
    writer: &mut csv::Writer<&mut dyn Write>,
    (name, profile): (&str, &str),
    judging: &JudgementScores,
    has_verdicts: bool,
) -> io::Result<()> {
    let verdicts = RocPoint {
        threshold: f64::NAN,
        confusion: judging.verdicts,
        true_positive_rate: judging.verdicts.recall().unwrap_or(f64::NAN),
        false_positive_rate: judging.verdicts.false_positive_rate().unwrap_or(f64::NAN),
    };
    let points = has_verdicts
        .then_some(("verdict", &verdicts))
        .into_iter()
        .chain(judging.best.iter().map(|point| ("best", point)))
        .chain(judging.roc.iter().map(|point| ("roc", point)));
    for (line_name, point) in points {
        let number = |value: f64| if value.is_nan() { String::new() } else { value.to_string() };
        let counts = &point.confusion;
        let auc = judging.auc.filter(|_| line_name != "roc");
        writer.write_record([
            name,
            profile,
            line_name,
            &number(point.threshold),
            &counts.true_positives.to_string(),
            &counts.false_positives.to_string(),
            &counts.false_negatives.to_string(),
            &counts.true_negatives.to_string(),
            &number(point.true_positive_rate),
            &number(point.false_positive_rate),
            &number(counts.accuracy().unwrap_or(f64::NAN)),
            &number(auc.unwrap_or(f64::NAN)),
        ])?;
    }
    Ok(())
}

/// Writes the whole report as one JSON object.
///
/// # Errors
///
/// If `out` can't be written to.
pub fn write_json(out: &mut dyn Write, report: &JudgeReport) -> io::Result<()> {
    let systems = report.systems.iter().map(|system| {
        let JudgedSystem { name, profile, has_verdicts, judging, against_baseline } = system;
        json!({
            "extractor": name,
            "profile": profile,
            "judging": judging_json(judging, *has_verdicts),
            "auc_gain": against_baseline.auc_gain,
            "accuracy_gain": against_baseline.accuracy_gain,
        })
    });
    let report_json = json!({
        "positive": report.types.positive,
        "negative": report.types.negative,
        "with_article": report.with_article,
        "without_article": report.without_article,
        "missing": report.missing,
        "majority_accuracy": report.baseline.majority_accuracy,
        "baseline": judging_json(&report.baseline, false),
        "systems": systems.collect::<Vec<_>>(),
    });
    serde_json::to_writer_pretty(&mut *out, &report_json)?;
    writeln!(out)
}

fn judging_json(judging: &JudgementScores, has_verdicts: bool) -> Value {
    json!({
        "accuracy": judging.accuracy.filter(|_| has_verdicts),
        "auc": judging.auc,
        "best": judging.best.as_ref().map(point_json),
        "roc": judging.roc.iter().map(point_json).collect::<Vec<_>>(),
    })
}

/// Returns a point of the curve as JSON. The infinite threshold of the first point is null.
fn point_json(point: &RocPoint) -> Value {
    let counts = &point.confusion;
    json!({
        "threshold": Some(point.threshold).filter(|threshold| threshold.is_finite()),
        "tp": counts.true_positives,
        "fp": counts.false_positives,
        "fn": counts.false_negatives,
        "tn": counts.true_negatives,
        "tpr": point.true_positive_rate,
        "fpr": point.false_positive_rate,
        "accuracy": counts.accuracy(),
    })
}

/// Writes a table.
///
/// # Errors
///
/// If `out` can't be written to.
pub fn write_markdown(out: &mut dyn Write, report: &JudgeReport) -> io::Result<()> {
    let JudgeReport { types, with_article, without_article, .. } = report;
    writeln!(
        out,
        "### Articles ({}: {with_article} pages) against none ({}: {without_article} pages)\n",
        cell(&types.positive.join(", ")),
        cell(&types.negative.join(", ")),
    )?;
    writeln!(out, "| system | accuracy | AUC | AUC gain | best accuracy* | at score* |")?;
    writeln!(out, "|---|---:|---:|---:|---:|---:|")?;
    write_row(out, BASELINE, &report.baseline, None, None)?;
    for system in &report.systems {
        let label = format!("{}/{}", system.name, system.profile);
        let accuracy = system.judging.accuracy;
        write_row(out, &label, &system.judging, accuracy, system.against_baseline.auc_gain)?;
    }
    let majority = report.baseline.majority_accuracy.map(|share| format!("{share:.3}"));
    writeln!(
        out,
        "\n\
         AUC gain: over the length of the text. * With the best threshold for these pages, so too optimistic. Always the more frequent answer: {}.",
        majority.unwrap_or_default()
    )
}

fn write_row(
    out: &mut dyn Write,
    label: &str,
    judging: &JudgementScores,
    accuracy: Option<f64>,
    gain: Option<f64>,
) -> io::Result<()> {
    let three = |value: Option<f64>| value.map(|value| format!("{value:.3}")).unwrap_or_default();
    let gain = gain.map(|gain| format!("{gain:+.3}")).unwrap_or_default();
    let best_point = judging.best.as_ref();
    writeln!(
        out,
        "| {label} | {} | {} | {gain} | {} | {} |",
        three(accuracy),
        three(judging.auc),
        three(best_point.and_then(|point| point.confusion.accuracy())),
        three(best_point.map(|point| point.threshold)),
    )
}
