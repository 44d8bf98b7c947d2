//! Prints the figures of an evaluation as tables for terminals, at most 80 columns wide.

use super::cells::{NAME_WIDTH, empty_cell, figure_cell, metric_cell, name_cell};
use super::worst_pages;
use crate::terminal::{Screen, printable, thousands};
use huller_eval::report::{ReportFigures, ReportRow};
use huller_eval::{Evaluation, WorstPage};
use std::io::{self, Write};

/// Writes a table for every group, best system first. Then come the pairs and the worst pages, if
/// there are any.
pub(crate) fn write(
    out: &mut dyn Write,
    evaluation: &Evaluation,
    figures: &ReportFigures,
    worst: &[WorstPage],
    screen: Screen,
) -> io::Result<()> {
    for (index, group) in figures.groups().into_iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        let rows = figures.rank_group(group);
        let pages = rows.first().map_or(0, |row| row.summary.pages);
        let plural = if pages == 1 { "" } else { "s" };
        writeln!(out, "{}, {} page{plural}", printable(group), thousands(pages as u64))?;
        write_usual(out, evaluation, &rows)?;
        if rows.iter().any(|row| has_extra(row)) {
            write_extra(out, evaluation, &rows)?;
        }
    }
    write_pairs(out, evaluation, figures)?;
    worst_pages::write(out, evaluation, worst, screen)
}

fn write_usual(
    out: &mut dyn Write,
    evaluation: &Evaluation,
    rows: &[&ReportRow],
) -> io::Result<()> {
    writeln!(
        out,
        "{:<NAME_WIDTH$}{:>6}{:>6}{:>6}{:>13}{:>6}{:>6}{:>6}{:>6}{:>5}",
        "", "LCS P", "R", "F1", "95 %", "4gram", "bag", "snip", "empty", "MB/s"
    )?;
    for row in rows {
        let text = row.summary.text;
        let (lcs, snippets) = (text.map(|text| text.lcs), row.summary.snippets);
        let interval = row.lcs_f1.map(|(low, high)| format!("{low:.3}-{high:.3}"));
        writeln!(
            out,
            "{:<NAME_WIDTH$}{:>6}{:>6}{:>6}{:>13}{:>6}{:>6}{:>6}{:>6}{:>5}",
            name(evaluation, row.system),
            metric_cell(lcs, |prf| prf.precision),
            metric_cell(lcs, |prf| prf.recall),
            metric_cell(lcs, |prf| prf.f1),
            interval.unwrap_or_else(empty_cell),
            metric_cell(text.map(|text| text.shingles), |prf| prf.f1),
            metric_cell(text.map(|text| text.bag), |prf| prf.f1),
            metric_cell(snippets.map(|snippets| snippets.prf), |prf| prf.f1),
            text.map_or_else(empty_cell, |text| text.empty.to_string()),
            row.summary.megabytes_per_second.map_or_else(empty_cell, |speed| format!("{speed:.0}")),
        )?;
    }
    Ok(())
}

fn has_extra(row: &ReportRow) -> bool {
    row.summary.text.is_some_and(|text| text.rouge_lsum.is_some() || text.levenshtein.is_some())
}

fn write_extra(
    out: &mut dyn Write,
    evaluation: &Evaluation,
    rows: &[&ReportRow],
) -> io::Result<()> {
    writeln!(
        out,
        "{:<NAME_WIDTH$}{:>14}{:>6}{:>6}{:>14}",
        "", "ROUGE-LSum P", "R", "F1", "Levenshtein"
    )?;
    for row in rows {
        let text = row.summary.text;
        let rouge = text.and_then(|text| text.rouge_lsum);
        writeln!(
            out,
            "{:<NAME_WIDTH$}{:>14}{:>6}{:>6}{:>14}",
            name(evaluation, row.system),
            metric_cell(rouge, |prf| prf.precision),
            metric_cell(rouge, |prf| prf.recall),
            metric_cell(rouge, |prf| prf.f1),
            figure_cell(text.and_then(|text| text.levenshtein)),
        )?;
    }
    Ok(())
}

fn write_pairs(
    out: &mut dyn Write,
    evaluation: &Evaluation,
    figures: &ReportFigures,
) -> io::Result<()> {
    if figures.pairs.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nPairs, by LCS F1 page by page (p by paired bootstrap, not corrected)")?;
    let name_width = NAME_WIDTH - 1;
    writeln!(
        out,
        "{:<NAME_WIDTH$}{:<NAME_WIDTH$}{:>7}{:>7}{:>7}{:>10}{:>7}",
        "first", "second", "better", "worse", "equal", "F1 diff", "p"
    )?;
    for pair in &figures.pairs {
        let comparison = &pair.comparison;
        writeln!(
            out,
            "{:<name_width$} {:<name_width$} {:>7}{:>7}{:>7}{:>+10.4}{:>7.3}",
            name(evaluation, pair.first),
            name(evaluation, pair.second),
            comparison.better,
            comparison.worse,
            comparison.equal,
            comparison.difference,
            comparison.p,
        )?;
    }
    Ok(())
}

fn name(evaluation: &Evaluation, system: usize) -> String {
    name_cell(&evaluation.systems[system].label())
}
