//! The counts of a run's rows, as a section of its report.

use crate::chart::{Columns, columns};
use crate::html_table::{left_out, shares};
use crate::row_counts::{RowCounts, Tally};
use huller_html::{count, percent};
use maud::{Markup, html};

/// Most inputs, languages or values that a table lists. The table says how many it leaves out.
pub(crate) const MAX_ROWS: usize = 50;

/// Returns the section.
pub(crate) fn rows(counts: &RowCounts) -> Markup {
    let tallies = [
        ("Languages", &counts.languages),
        ("Page types", &counts.page_types),
        ("Charsets", &counts.charsets),
        ("Source of the charset", &counts.charset_sources),
        ("Extractors that produced the text", &counts.extractors),
        ("Truncated pages", &counts.truncated),
    ];
    html! {
        p.dim { (count(counts.rows())) " rows, " (count(counts.chars)) " Unicode scalars of text." }
        @if counts.other_lines > 0 {
            p.bad { (count(counts.other_lines)) " lines of the outputs are not rows" }
        }
        h3 { "Length of the texts" }
        (lengths(counts))
        @if counts.scored > 0 {
            h3 { "Expected score" }
            (histogram(
                "Rows by expected score, in steps of 0.05",
                &counts.scores,
                &["0", ".25", ".5", ".75", "1"].map(str::to_owned),
            ))
        }
        @for (name, tally) in tallies { (values(name, tally, counts.rows())) }
        @if counts.replaced > 0 {
            p.dim {
                (count(counts.replaced)) " rows (" (percent(counts.replaced, counts.rows()))
                ") have bytes that are invalid in their charset (U+FFFD)."
            }
        }
    }
}

fn lengths(counts: &RowCounts) -> Markup {
    let last = counts.lengths.iter().rposition(|count| *count > 0).unwrap_or(0);
    let first = counts.lengths.iter().position(|count| *count > 0).unwrap_or(0).min(last);
    let start = |bin: usize| if bin == 0 { 0 } else { 1_u64 << (bin - 1) };
    histogram(
        "Rows by length of text; each column covers twice the length of the previous one",
        &counts.lengths[first..=last],
        &[count(start(first)), format!("{} scalars", count(start(last + 1)))],
    )
}

fn histogram(title: &str, counts: &[u64], labels_below: &[String]) -> Markup {
    let heights: Vec<f64> = counts.iter().map(|count| *count as f64).collect();
    let highest = format!("{} rows", count(counts.iter().max().copied().unwrap_or(0)));
    columns(Columns { title, heights: &heights, below: labels_below, highest: &highest })
}

fn values(name: &str, tally: &Tally, total: u64) -> Markup {
    let values = tally.by_count();
    let listed = values.len().min(MAX_ROWS);
    html! {
        @if !values.is_empty() {
            h3 { (name) }
            (shares(&["value", "rows", "share", ""], values[..listed].iter().copied(), total))
            (left_out(values.len() - listed, "values"))
        }
    }
}
