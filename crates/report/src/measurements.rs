//! Makes an HTML file of the figures of a measurement.

use crate::chart::{Plot, bar, plots};
use crate::html_table::{column, scrolled};
use huller_html::{Document, Styles};
use maud::{Markup, html};

const STYLES: &str = include_str!("assets/report.css");

/// The contents of the file. They are independent of the measurement: the caller makes all texts,
/// and this module escapes them.
#[derive(Clone, Copy, Debug)]
pub struct Measurements<'a> {
    /// Title of the file.
    pub title: &'a str,
    /// Warnings for the reader, shown first.
    pub warnings: &'a [String],
    /// Names and values of conditions on which the figures depend.
    pub facts: &'a [(String, String)],
    /// The tables.
    pub sections: &'a [Measured<'a>],
}

/// One table with its chart.
#[derive(Clone, Debug)]
pub struct Measured<'a> {
    /// Heading of the table.
    pub heading: &'a str,
    /// Notes on the table.
    pub notes: &'a [String],
    /// Columns of the table.
    pub columns: Vec<MeasuredColumn<'a>>,
    /// Rows of the table, with one cell per column.
    pub rows: &'a [Vec<String>],
    /// Chart of the table.
    pub graph: Option<Graph<'a>>,
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct MeasuredColumn<'a> {
    /// Name of the column.
    pub title: &'a str,
    /// Whether the column holds text rather than numbers.
    pub is_text: bool,
}

/// A chart.
#[derive(Clone, Debug)]
pub enum Graph<'a> {
    /// A bar after each row, by its value.
    Bars(&'a [f64]),
    /// Lines over logarithmic axes.
    Plots {
        /// Title of the chart.
        title: &'a str,
        /// The lines.
        plots: Vec<Plot<'a>>,
    },
}

impl Measurements<'_> {
    /// Returns the HTML file. It has no script and loads nothing.
    pub fn to_html(&self) -> String {
        let facts = html! {
            @for (name, value) in self.facts { tr { th scope="row" { (name) } td { (value) } } }
        };
        let body = html! {
            main {
                h1 { (self.title) }
                @for warning in self.warnings { p.bad { (warning) } }
                (scrolled(&html! {}, &facts))
                @for section in self.sections { (section.markup()) }
            }
        };
        Document::new(self.title, Styles::Inline(STYLES), body).to_html()
    }
}

impl Measured<'_> {
    fn markup(&self) -> Markup {
        let bars = match &self.graph {
            Some(Graph::Bars(values)) => Some(*values),
            _ => None,
        };
        let max_bar = bars.unwrap_or_default().iter().copied().fold(0.0, f64::max);
        let head = html! {
            @for MeasuredColumn { title, is_text } in &self.columns { (column(title, *is_text)) }
            @if bars.is_some() { td {} }
        };
        let rows = html! {
            @for (number, row) in self.rows.iter().enumerate() {
                tr {
                    @for (cell, column) in row.iter().zip(&self.columns) {
                        td class=[(!column.is_text).then_some("number")] { (cell) }
                    }
                    @if let Some(value) = bars.and_then(|bars| bars.get(number)) {
                        td.bars { (bar(if max_bar > 0.0 { value / max_bar } else { 0.0 })) }
                    }
                }
            }
        };
        html! {
            h2 { (self.heading) }
            @if let Some(Graph::Plots { title, plots: lines }) = &self.graph {
                (plots(title, lines))
            }
            (scrolled(&head, &rows))
            @for note in self.notes { p.dim { (note) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_from_outside_is_escaped_and_nothing_is_loaded() {
        let rows = [vec!["<b>&".to_owned(), "3".to_owned()]];
        let notes = ["<script>alert(1)</script>".to_owned()];
        let points = [(1.0, 10.0), (2.0, 20.0)];
        let plot = Plot { name: "<i>", is_dashed: true, points: &points };
        let columns = vec![
            MeasuredColumn { title: "a<", is_text: true },
            MeasuredColumn { title: "n", is_text: false },
        ];
        let section = |graph| Measured {
            heading: "<h>",
            notes: &notes,
            columns: columns.clone(),
            rows: &rows,
            graph: Some(graph),
        };
        let html = Measurements {
            title: "</title>",
            warnings: &["<w>".to_owned()],
            facts: &[("<f>".to_owned(), "<v>".to_owned())],
            sections: &[
                section(Graph::Plots { title: "\"t\"", plots: vec![plot] }),
                section(Graph::Bars(&[3.0])),
            ],
        }
        .to_html();
        for escaped in ["<b>&", "<script", "<i>", "<h>", "<w>", "<f>", "<v>", "a<<"] {
            assert!(!html.contains(escaped), "{escaped}");
        }
        assert_eq!(html.matches("<title>").count(), html.matches("</title>").count());
        assert!(html.contains("default-src 'none'") && html.contains("<svg class=\"chart\""));
        assert!(html.contains("<svg class=\"bar\"") && html.contains("&lt;b&gt;&amp;"));
    }
}
