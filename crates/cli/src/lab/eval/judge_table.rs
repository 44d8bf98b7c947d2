//! Prints judgements of pages as a table for terminals, at most 80 columns wide.

use super::cells::{NAME_WIDTH, empty_cell, figure_cell, name_cell};
use crate::terminal::{printable, thousands};
use huller_eval::judge::JudgementScores;
use huller_eval::judge::pages::JudgeReport;
use huller_eval::report::judging::BASELINE;
use std::io::{self, Write};

pub(crate) fn write(out: &mut dyn Write, report: &JudgeReport) -> io::Result<()> {
    let sides = [
        ("article", &report.types.positive, report.with_article),
        ("no article", &report.types.negative, report.without_article),
    ];
    for (side_name, types, pages) in sides {
        let types = types.join(", ");
        writeln!(out, "{side_name:<11} {:>7} pages: {}", thousands(pages), printable(&types))?;
    }
    let majority = report.baseline.majority_accuracy;
    writeln!(out, "always the more frequent answer: accuracy {}\n", figure_cell(majority))?;
    writeln!(
        out,
        "{:<NAME_WIDTH$}{:>9}{:>8}{:>8}{:>11}{:>12}",
        "", "accuracy", "AUC", "gain", "best acc.*", "at score*"
    )?;
    write_row(out, BASELINE, &report.baseline, None, None)?;
    for system in &report.systems {
        let label = format!("{}/{}", system.name, system.profile);
        let accuracy = system.judging.accuracy;
        write_row(out, &label, &system.judging, accuracy, system.against_baseline.auc_gain)?;
    }
    writeln!(out, "\ngain: in AUC, over the length of the page's text")?;
    writeln!(out, "* with the best threshold for these pages, so too optimistic")
}

fn write_row(
    out: &mut dyn Write,
    label: &str,
    judging: &JudgementScores,
    accuracy: Option<f64>,
    gain: Option<f64>,
) -> io::Result<()> {
    let best_point = judging.best.as_ref();
    // The first threshold of the curve is infinite, above all scores.
    let threshold = best_point.map(|point| point.threshold);
    writeln!(
        out,
        "{:<NAME_WIDTH$}{:>9}{:>8}{:>8}{:>11}{:>12}",
        name_cell(label),
        figure_cell(accuracy),
        figure_cell(judging.auc),
        gain.map_or_else(empty_cell, |gain| format!("{gain:+.3}")),
        figure_cell(best_point.and_then(|point| point.confusion.accuracy())),
        threshold.map_or_else(empty_cell, |score| {
            if score.is_finite() { format!("{score:.3}") } else { "none".to_owned() }
        }),
    )
}
