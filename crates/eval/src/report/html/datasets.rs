//! Writes one table per figure. The longer of the two lists, systems and data sets, becomes the
//! rows, so that the other fits as columns.

use super::parts::{CellFigures, HtmlReport, best_figure};
use super::writer::Writer;

/// With more columns than this, the column names are written vertically.
const DENSE: usize = 10;

/// The figure that a table shows of a system on a data set.
type Figure = fn(&CellFigures) -> Option<f64>;

/// Writes the tables; only the first is open.
pub(super) fn tables(out: &mut Writer, report: &HtmlReport<'_>) {
    if report.datasets.is_empty() || report.systems.is_empty() {
        return;
    }
    let figures: [(&'static str, Figure); 4] = [
        ("LCS F1", |cell| cell.lcs_f1),
        ("Shingle F1", |cell| cell.shingle_f1),
        ("Snippet F1", |cell| cell.snippet_f1),
        ("Empty pages", |cell| Some(f64::from(cell.empty))),
    ];
    let systems_down = report.systems.len() > report.datasets.len();
    let columns = if systems_down { report.datasets.len() } else { report.systems.len() };
    out.raw("<section>\n<h2>Data sets</h2>\n");
    let mut is_first = true;
    for (index, (name, figure)) in figures.into_iter().enumerate() {
        let mut cells = report.datasets.iter().flat_map(|dataset| &dataset.systems);
        if cells.find_map(figure).is_none() {
            continue;
        }
        out.raw(if is_first { "<details open><summary>" } else { "<details><summary>" });
        out.text(name)
            .raw("</summary>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"");
        out.text(name).raw(" by data set\">\n").raw(if columns > DENSE {
            "<table class=\"dense\">\n<thead><tr>"
        } else {
            "<table>\n<thead><tr>"
        });
        let is_score = index < 3;
        if systems_down {
            by_system(out, report, figure, is_score);
        } else {
            by_dataset(out, report, figure, is_score);
        }
        out.raw("</tbody>\n</table>\n</div>\n</details>\n");
        is_first = false;
    }
    out.raw("<p class=\"caption\">Stronger colour is better; the best of a data set is bold.</p>\n</section>\n");
}

fn by_dataset(out: &mut Writer, report: &HtmlReport<'_>, figure: Figure, is_score: bool) {
    out.raw("<th scope=\"col\">Data set</th><th scope=\"col\">Pages</th>");
    for system in report.systems {
        out.raw("<th scope=\"col\">").system(&system.name, &system.profile).raw("</th>");
    }
    out.raw("</tr></thead>\n<tbody>\n");
    for dataset in report.datasets {
        out.raw("<tr><th scope=\"row\"><bdi>").text(&dataset.name).raw("</bdi></th><td>");
        out.count(dataset.pages).raw("</td>");
        let best = best_figure(dataset.systems.iter().map(figure));
        for index in 0..report.systems.len() {
            cell(out, dataset.systems.get(index).and_then(figure), best, is_score);
        }
        out.raw("</tr>\n");
    }
}

fn by_system(out: &mut Writer, report: &HtmlReport<'_>, figure: Figure, is_score: bool) {
    out.raw("<th scope=\"col\">System</th>");
    for dataset in report.datasets {
        out.raw("<th scope=\"col\"><bdi>").text(&dataset.name).raw("</bdi> <small>");
        out.count(dataset.pages).raw(if dataset.pages == 1 { " page" } else { " pages" });
        out.raw("</small></th>");
    }
    out.raw("</tr></thead>\n<tbody>\n");
    let best: Vec<Option<f64>> = report
        .datasets
        .iter()
        .map(|dataset| best_figure(dataset.systems.iter().map(figure)))
        .collect();
    for (index, system) in report.systems.iter().enumerate() {
        out.raw("<tr><th scope=\"row\">").system(&system.name, &system.profile).raw("</th>");
        for (dataset, best) in report.datasets.iter().zip(&best) {
            cell(out, dataset.systems.get(index).and_then(figure), *best, is_score);
        }
        out.raw("</tr>\n");
    }
}

fn cell(out: &mut Writer, value: Option<f64>, best: Option<f64>, is_score: bool) {
    if is_score {
        out.shaded_cell(value, best);
    } else {
        out.figure(value, 0, None);
    }
}
