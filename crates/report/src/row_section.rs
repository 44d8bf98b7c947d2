//! Writes the counts of a run's rows as a section of its report.

use crate::body::Body;
use crate::chart::{Columns, columns};
use crate::figures::{count, percent};
use crate::row_counts::{RowCounts, Tally};

/// Most inputs, languages or values that a table lists. The table says how many it leaves out.
pub(crate) const MAX_ROWS: usize = 50;

/// Writes the section.
pub(crate) fn rows(counts: &RowCounts, page: &mut Body) {
    page.dim(&format!(
        "{} rows, {} Unicode scalars of text.",
        count(counts.rows()),
        count(counts.chars)
    ));
    if counts.strangers > 0 {
        page.open("p", "bad");
        page.text(&format!("{} lines of the outputs are not rows", count(counts.strangers)));
        page.close("p");
    }
    page.heading("Length of the texts");
    let last = counts.lengths.iter().rposition(|count| *count > 0).unwrap_or(0);
    let first = counts.lengths.iter().position(|count| *count > 0).unwrap_or(0).min(last);
    let heights: Vec<f64> =
        counts.lengths[first..=last].iter().map(|count| *count as f64).collect();
    let start = |place: usize| if place == 0 { 0 } else { 1_u64 << (place - 1) };
    let below = [count(start(first)), format!("{} scalars", count(start(last + 1)))];
    let highest = counts.lengths.iter().max().copied().unwrap_or(0);
    let highest = format!("{} rows", count(highest));
    columns(
        Columns {
            title: "Rows by length of text; each column covers twice the length of the previous one",
            heights: &heights,
            below: &below,
            highest: &highest,
        },
        &mut page.html,
    );
    if counts.scored > 0 {
        page.heading("Expected score");
        let heights: Vec<f64> = counts.scores.iter().map(|count| *count as f64).collect();
        let below: Vec<String> = ["0", ".25", ".5", ".75", "1"].map(str::to_owned).to_vec();
        let highest = counts.scores.iter().max().copied().unwrap_or(0);
        let highest = format!("{} rows", count(highest));
        columns(
            Columns {
                title: "Rows by expected score, in steps of 0.05",
                heights: &heights,
                below: &below,
                highest: &highest,
            },
            &mut page.html,
        );
    }
    for (name, tally) in [
        ("Languages", &counts.languages),
        ("Page types", &counts.page_types),
        ("Charsets", &counts.charsets),
        ("Source of the charset", &counts.charset_sources),
        ("Extractors that produced the text", &counts.extractors),
        ("Truncated pages", &counts.truncated),
    ] {
        values(name, tally, counts.rows(), page);
    }
    if counts.replaced > 0 {
        page.dim(&format!(
            "{} rows ({}) have bytes that are invalid in their charset (U+FFFD).",
            count(counts.replaced),
            percent(counts.replaced, counts.rows())
        ));
    }
}

fn values(name: &str, tally: &Tally, of: u64, page: &mut Body) {
    let values = tally.by_count();
    if values.is_empty() {
        return;
    }
    page.heading(name);
    page.table(&["value", "rows", "share", ""]);
    let listed = values.len().min(MAX_ROWS);
    for (value, count_of) in &values[..listed] {
        page.raw("<tr><td>");
        page.text(value);
        page.raw("</td>");
        page.share(*count_of, of);
        page.raw("</tr>");
    }
    page.end_table();
    page.left_out(values.len() - listed, "values");
}
