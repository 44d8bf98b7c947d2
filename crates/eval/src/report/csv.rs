//! Writes one CSV line per system and group, for spreadsheets, plots and
//! [`baseline`](crate::baseline).
//!
//! Shares and means have six decimals. A figure without gold is empty.

use super::{ReportFigures, ReportRow};
use crate::evaluation::{Evaluation, PrecisionRecall};
use std::io::{self, Write};

/// The columns. Add new ones at the end.
pub const COLUMNS: [&str; 32] = [
    "extractor",
    "profile",
    "dataset",
    "pages",
    "lcs_p",
    "lcs_r",
    "lcs_f1",
    "sh_p",
    "sh_r",
    "sh_f1",
    "bag_f1",
    "snip_f1",
    "empty",
    "mb_per_cpu_s",
    "lcs_f1_low",
    "lcs_f1_high",
    "exact",
    "f1_at_least_90",
    "sh_f1_hm",
    "bag_p",
    "bag_r",
    "snip_p",
    "snip_r",
    "snip_acc",
    "text_pages",
    "snippet_pages",
    "rouge_lsum_f1",
    "levenshtein",
    "all_above_95",
    "cleaneval",
    "excellent",
    "good_or_excellent",
];

/// Writes the table.
///
/// # Errors
///
/// If `out` can't be written to.
pub fn write(
    out: &mut dyn Write,
    evaluation: &Evaluation,
    figures: &ReportFigures,
) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(COLUMNS)?;
    for row in &figures.rows {
        writer.write_record(row_cells(evaluation, row))?;
    }
    writer.flush()
}

fn row_cells(evaluation: &Evaluation, row: &ReportRow) -> [String; COLUMNS.len()] {
    let system = &evaluation.systems[row.system];
    let summary = &row.summary;
    let six = |value: Option<f64>| value.map(|value| format!("{value:.6}")).unwrap_or_default();
    let count = |value: Option<usize>| value.map(|value| value.to_string()).unwrap_or_default();
    let (text, snippets) = (summary.text, summary.snippets);
    let (lcs, shingles, bag) =
        (text.map(|text| text.lcs), text.map(|text| text.shingles), text.map(|text| text.bag));
    let snippet_prf = snippets.map(|snippets| snippets.prf);
    let measure =
        |prf: Option<PrecisionRecall>, figure: fn(PrecisionRecall) -> f64| six(prf.map(figure));
    [
        system.name.clone(),
        system.profile.clone(),
        row.group.clone(),
        summary.pages.to_string(),
        measure(lcs, |prf| prf.precision),
        measure(lcs, |prf| prf.recall),
        measure(lcs, |prf| prf.f1),
        measure(shingles, |prf| prf.precision),
        measure(shingles, |prf| prf.recall),
        measure(shingles, |prf| prf.f1),
        measure(bag, |prf| prf.f1),
        measure(snippet_prf, |prf| prf.f1),
        count(text.map(|text| text.empty)),
        six(summary.megabytes_per_second),
        six(row.lcs_f1.map(|(low, _)| low)),
        six(row.lcs_f1.map(|(_, high)| high)),
        six(text.map(|text| text.exact)),
        six(text.map(|text| text.f1_at_least_90)),
        six(text.map(|text| text.shingle_f1_of_means)),
        measure(bag, |prf| prf.precision),
        measure(bag, |prf| prf.recall),
        measure(snippet_prf, |prf| prf.precision),
        measure(snippet_prf, |prf| prf.recall),
        six(snippets.map(|snippets| snippets.accuracy)),
        count(text.map(|text| text.pages)),
        count(snippets.map(|snippets| snippets.pages)),
        measure(text.and_then(|text| text.rouge_lsum), |prf| prf.f1),
        six(text.and_then(|text| text.levenshtein)),
        six(text.map(|text| text.all_above_95)),
        six(text.map(|text| text.cleaneval)),
        six(text.map(|text| text.excellent)),
        six(text.map(|text| text.good_or_excellent)),
    ]
}
