//! Makes one table per figure. The longer of the two lists, systems and data sets, becomes the
//! rows, so that the other fits as columns.

use super::cells::{figure, shaded_cell, system};
use super::parts::{CellFigures, DatasetFigures, HtmlReport, SystemFigures, best_figure};
use huller_html::{count, isolated};
use maud::{Markup, html};

/// With more columns than this, the column names are written vertically.
const MAX_HORIZONTAL_NAMES: usize = 10;

/// The figure that a table shows of a system on a data set.
#[derive(Clone, Copy)]
struct Figure {
    name: &'static str,
    of: fn(&CellFigures) -> Option<f64>,
    is_score: bool,
}

const FIGURES: [Figure; 4] = [
    Figure { name: "LCS F1", of: |cell| cell.lcs_f1, is_score: true },
    Figure { name: "Shingle F1", of: |cell| cell.shingle_f1, is_score: true },
    Figure { name: "Snippet F1", of: |cell| cell.snippet_f1, is_score: true },
    Figure { name: "Empty pages", of: |cell| Some(f64::from(cell.empty)), is_score: false },
];

/// Returns the tables; only the first is open.
pub(super) fn tables(report: &HtmlReport<'_>) -> Markup {
    let (systems, datasets) = (report.systems.len(), report.datasets.len());
    if datasets == 0 || systems == 0 {
        return html! {};
    }
    let cells = || report.datasets.iter().flat_map(|dataset| &dataset.systems);
    let figures = FIGURES.iter().filter(|figure| cells().any(|cell| (figure.of)(cell).is_some()));
    let is_dense = systems.min(datasets) > MAX_HORIZONTAL_NAMES;
    html! {
        section {
            h2 { "Data sets" }
            @for (index, figure) in figures.enumerate() {
                details open[index == 0] {
                    summary { (figure.name) }
                    div.wide tabindex="0" role="region"
                        aria-label={ (figure.name) " by data set" } {
                        table class=[is_dense.then_some("dense")] { (figure.rows(report)) }
                    }
                }
            }
            p.caption { "Stronger colour is better; the best of a data set is bold." }
        }
    }
}

impl Figure {
    fn rows(self, report: &HtmlReport<'_>) -> Markup {
        let (systems, datasets) = (report.systems, report.datasets);
        let best = |dataset: &DatasetFigures| best_figure(dataset.systems.iter().map(self.of));
        let best: Vec<_> = datasets.iter().map(best).collect();
        let cell = |dataset: usize, system: usize| {
            let value = datasets[dataset].systems.get(system).and_then(self.of);
            if self.is_score { shaded_cell(value, best[dataset]) } else { figure(value, 0, None) }
        };
        let name = |shown: &SystemFigures| system(&shown.name, &shown.profile);
        if systems.len() > datasets.len() {
            return html! {
                thead {
                    tr {
                        th scope="col" { "System" }
                        @for dataset in datasets { th scope="col" { (with_pages(dataset)) } }
                    }
                }
                tbody {
                    @for (row, shown) in systems.iter().enumerate() {
                        tr {
                            th scope="row" { (name(shown)) }
                            @for column in 0..datasets.len() { (cell(column, row)) }
                        }
                    }
                }
            };
        }
        html! {
            thead {
                tr {
                    th scope="col" { "Data set" }
                    th scope="col" { "Pages" }
                    @for shown in systems { th scope="col" { (name(shown)) } }
                }
            }
            tbody {
                @for (row, dataset) in datasets.iter().enumerate() {
                    tr {
                        th scope="row" { (isolated(&dataset.name)) }
                        td { (count(dataset.pages.into())) }
                        @for column in 0..systems.len() { (cell(row, column)) }
                    }
                }
            }
        }
    }
}

/// Returns the name of a data set and its number of pages.
fn with_pages(dataset: &DatasetFigures) -> Markup {
    let unit = if dataset.pages == 1 { " page" } else { " pages" };
    html! { (isolated(&dataset.name)) " " small { (count(dataset.pages.into())) (unit) } }
}
