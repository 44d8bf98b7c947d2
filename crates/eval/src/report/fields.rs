//! Writes metadata scores as CSV, JSON and Markdown.

use crate::fields::{FieldReport, FieldRow};
use serde_json::json;
use std::io::{self, Write};

/// The columns of the CSV.
pub const COLUMNS: [&str; 13] = [
    "system",
    "dataset",
    "field",
    "pages",
    "found",
    "exact",
    "near",
    "precision",
    "recall",
    "near_share",
    "f1",
    "without_gold",
    "found_without_gold",
];

/// Writes one line per group, field and system.
///
/// # Errors
///
/// If `out` can't be written to.
pub fn write_csv(out: &mut dyn Write, report: &FieldReport) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(COLUMNS)?;
    for row in &report.rows {
        let counts = [row.pages, row.found, row.exact, row.near].map(|count| count.to_string());
        let shares = row.shares().map(|share| format!("{share:.6}"));
        let counts_without_gold =
            [row.without_gold, row.found_without_gold].map(|count| count.to_string());
        let names = [&row.name, &row.group, &row.field].map(String::clone);
        writer.write_record(
            names.into_iter().chain(counts).chain(shares).chain(counts_without_gold),
        )?;
    }
    writer.flush()
}

/// Writes the whole report as one JSON object.
///
/// # Errors
///
/// If `out` can't be written to.
pub fn write_json(out: &mut dyn Write, report: &FieldReport) -> io::Result<()> {
    let rows = report.rows.iter().map(|row| {
        let [precision, recall, near_share, f1] = row.shares();
        json!({
            "system": row.name,
            "group": row.group,
            "field": row.field,
            "pages": row.pages,
            "found": row.found,
            "exact": row.exact,
            "near": row.near,
            "precision": precision,
            "recall": recall,
            "near_share": near_share,
            "f1": f1,
            "without_gold": row.without_gold,
            "found_without_gold": row.found_without_gold,
        })
    });
    let report_json = json!({ "rows": rows.collect::<Vec<_>>(), "missing": report.missing });
    serde_json::to_writer_pretty(&mut *out, &report_json)?;
    writeln!(out)
}

/// Writes one table per field.
///
/// # Errors
///
/// If `out` can't be written to.
pub fn write_markdown(out: &mut dyn Write, report: &FieldReport) -> io::Result<()> {
    let fields = crate::fields::FIELDS.map(|field| (field, rows_of(report, field)));
    for (index, (field, rows)) in
        fields.into_iter().filter(|(_, rows)| !rows.is_empty()).enumerate()
    {
        let separator = if index > 0 { "\n" } else { "" };
        writeln!(out, "{separator}### {field}\n")?;
        writeln!(
            out,
            "| set | system | pages | found | exact | near | precision | recall | F1 | found without gold |"
        )?;
        writeln!(out, "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|")?;
        for row in rows {
            let [precision, recall, _, f1] = row.shares();
            let [group, name] = [&row.group, &row.name].map(|name| super::markdown::cell(name));
            writeln!(
                out,
                "| {group} | {name} | {} | {} | {} | {} | {precision:.3} | {recall:.3} | {f1:.3} | {} of {} |",
                row.pages, row.found, row.exact, row.near, row.found_without_gold, row.without_gold,
            )?;
        }
    }
    Ok(())
}

/// Returns the rows of one field.
pub fn rows_of<'a>(report: &'a FieldReport, field: &str) -> Vec<&'a FieldRow> {
    report.rows.iter().filter(|row| row.field == field).collect()
}
