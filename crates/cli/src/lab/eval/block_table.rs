//! Prints block scores as a table for terminals, at most 80 columns wide.

use super::cells::{NAME_WIDTH, name_cell};
use crate::terminal::{printable, thousands};
use huller_eval::blocks::pages::BlockReport;
use huller_eval::report::blocks::values;
use std::io::{self, Write};

pub(crate) fn write(out: &mut dyn Write, report: &BlockReport) -> io::Result<()> {
    for (index, rows) in report.rows.chunk_by(|a, b| a.group == b.group).enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        let plural = if rows[0].pages == 1 { "" } else { "s" };
        let pages = thousands(rows[0].pages as u64);
        writeln!(out, "{}, {pages} page{plural}", printable(&rows[0].group))?;
        writeln!(
            out,
            "{:<NAME_WIDTH$}{:>7}{:>7}{:>7}{:>7} {:>9}{:>7}{:>7}{:>7}",
            "", "runs P", "R", "F1", "acc.", "scalars P", "R", "F1", "acc."
        )?;
        for row in rows {
            write!(out, "{:<NAME_WIDTH$}", name_cell(&format!("{}/{}", row.name, row.profile)))?;
            for (column, value) in values(row).into_iter().enumerate() {
                // The title of the fifth column is longer.
                let width = if column == 4 { 10 } else { 7 };
                write!(out, "{value:>width$.3}")?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}
