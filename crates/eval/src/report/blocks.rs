//! Writes block scores as CSV, JSON and Markdown.

use crate::blocks::pages::{BlockMeans, BlockReport, BlockRow};
use serde_json::{Value, json};
use std::io::{self, Write};

/// The columns of the CSV.
pub const COLUMNS: [&str; 12] = [
    "extractor",
    "profile",
    "dataset",
    "pages",
    "run_p",
    "run_r",
    "run_f1",
    "run_acc",
    "scalar_p",
    "scalar_r",
    "scalar_f1",
    "scalar_acc",
];

/// Writes one line per group and extractor.
///
/// # Errors
///
/// If `out` can't be written to.
pub fn write_csv(out: &mut dyn Write, report: &BlockReport) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(COLUMNS)?;
    for row in &report.rows {
        let mut cells =
            vec![row.name.clone(), row.profile.clone(), row.group.clone(), row.pages.to_string()];
        cells.extend(values(row).map(|value| format!("{value:.6}")));
        writer.write_record(cells)?;
    }
    writer.flush()
}

/// Writes the whole report as one JSON object.
///
/// # Errors
///
/// If `out` can't be written to.
pub fn write_json(out: &mut dyn Write, report: &BlockReport) -> io::Result<()> {
    let means = |means: BlockMeans| -> Value {
        let BlockMeans { prf, accuracy } = means;
        json!({ "p": prf.precision, "r": prf.recall, "f1": prf.f1, "accuracy": accuracy })
    };
    let rows = report.rows.iter().map(|row| {
        json!({
            "extractor": row.name,
            "profile": row.profile,
            "group": row.group,
            "pages": row.pages,
            "runs": means(row.runs),
            "scalars": means(row.scalars),
        })
    });
    let report_json = json!({
        "rows": rows.collect::<Vec<_>>(),
        "pages": report.pages,
        "missing": report.missing,
        "unmatched_runs": report.unmatched,
    });
    serde_json::to_writer_pretty(&mut *out, &report_json)?;
    writeln!(out)
}

/// Writes one table per group.
///
/// # Errors
///
/// If `out` can't be written to.
pub fn write_markdown(out: &mut dyn Write, report: &BlockReport) -> io::Result<()> {
    for (index, rows) in report.rows.chunk_by(|a, b| a.group == b.group).enumerate() {
        let BlockRow { group, pages, .. } = &rows[0];
        let separator = if index > 0 { "\n" } else { "" };
        let plural = if *pages == 1 { "" } else { "s" };
        writeln!(out, "{separator}### {} ({pages} page{plural})\n", super::markdown::cell(group))?;
        writeln!(out, "| system | runs P | R | F1 | accuracy | scalars P | R | F1 | accuracy |")?;
        writeln!(out, "|---|---:|---:|---:|---:|---:|---:|---:|---:|")?;
        for row in rows {
            let figures = values(row).map(|value| format!("{value:.3}")).join(" | ");
            writeln!(out, "| {}/{} | {figures} |", row.name, row.profile)?;
        }
    }
    Ok(())
}

/// Returns the figures of a row in the order of the columns.
pub fn values(row: &BlockRow) -> [f64; 8] {
    let [runs, scalars] = [row.runs, row.scalars]
        .map(|BlockMeans { prf, accuracy }| [prf.precision, prf.recall, prf.f1, accuracy]);
    std::array::from_fn(|index| if index < 4 { runs[index] } else { scalars[index - 4] })
}
