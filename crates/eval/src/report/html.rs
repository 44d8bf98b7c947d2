//! Makes a report as one self-contained HTML page without scripts and network access, for any
//! content of the measured pages.
//!
//! A content security policy allows only styles in the page. Templates escape every string from
//! outside, and [`Document`] makes its control characters visible, so that identifiers and pages
//! cannot change the report. The reader's system decides between light and dark colours.

mod cells;
mod charts;
mod datasets;
mod figures;
mod label_placement;
mod pages;
mod parts;

use cells::{figure, system};
pub use figures::{datasets, systems};
use huller_html::{Document, Styles, count, number};
use maud::{Markup, html};
use parts::best_figure;
pub use parts::{CellFigures, DatasetFigures, HtmlReport, SystemFigures};

const STYLE: &str = include_str!("html/style.css");

/// Makes a report.
pub fn html(report: &HtmlReport<'_>) -> String {
    let body = html! {
        header {
            h1 { (report.title) }
            @if !report.facts.is_empty() {
                dl.facts {
                    @for (name, value) in report.facts { div { dt { (name) } dd { (value) } } }
                }
            }
        }
        main {
            (overview_table(report.systems))
            (charts::bars(report.systems))
            (charts::scatter(report.systems))
            (datasets::tables(report))
            (pages::worst(report.evaluation, report.worst))
            @if !report.notes.is_empty() {
                section {
                    h2 { "Notes" }
                    @for note in report.notes { p { (note) } }
                }
            }
        }
    };
    Document::new(report.title, Styles::InlineWithAttributes(STYLE), body).to_html()
}

/// Returns the table of all figures, one row per system.
fn overview_table(systems: &[SystemFigures]) -> Markup {
    if systems.is_empty() {
        return html! { section { h2 { "Systems" } p { "No systems." } } };
    }
    let has_snippets = systems.iter().any(|system| system.snippet_f1.is_some());
    let titles = ["System", "LCS F1", "95 % interval", "Shingle F1"].into_iter();
    let titles = titles.chain(has_snippets.then_some("Snippet F1"));
    html! {
        section {
            h2 { "Systems" }
            div.wide tabindex="0" role="region" aria-label="Systems" {
                table {
                    thead {
                        tr {
                            @for title in titles.chain(["Empty", "Pages", "MB/CPU s"]) {
                                th scope="col" { (title) }
                            }
                        }
                    }
                    tbody { (overview_rows(systems, has_snippets)) }
                }
            }
            p.caption { "The best of a column is bold." }
        }
    }
}

fn overview_rows(systems: &[SystemFigures], has_snippets: bool) -> Markup {
    let best = |of: fn(&SystemFigures) -> Option<f64>| best_figure(systems.iter().map(of));
    let best_lcs = best(|system| system.lcs_f1);
    let best_shingles = best(|system| system.shingle_f1);
    let best_snippets = best(|system| system.snippet_f1);
    let best_speed = best(|system| system.mb_per_cpu_s);
    let decimals = |speed: Option<f64>| usize::from(speed.is_some_and(|speed| speed < 9.95));
    html! {
        @for shown in systems {
            tr {
                th scope="row" { (system(&shown.name, &shown.profile)) }
                (figure(shown.lcs_f1, 3, best_lcs))
                td {
                    @if shown.lcs_f1.is_some() && shown.low.is_finite() && shown.high.is_finite() {
                        (number(shown.low, 3)) "–" (number(shown.high, 3))
                    } @else {
                        "–"
                    }
                }
                (figure(shown.shingle_f1, 3, best_shingles))
                @if has_snippets { (figure(shown.snippet_f1, 3, best_snippets)) }
                td { (count(shown.empty.into())) }
                td { (count(shown.pages.into())) }
                (figure(shown.mb_per_cpu_s, decimals(shown.mb_per_cpu_s), best_speed))
            }
        }
    }
}

#[cfg(test)]
mod tests;
