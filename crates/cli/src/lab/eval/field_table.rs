//! Prints metadata scores as a table for terminals, at most 80 columns wide.

use super::cells::name_cell;
use crate::terminal::printable;
use huller_eval::fields::{FIELDS, FieldReport};
use huller_eval::report::fields::rows_of;
use std::io::{self, Write};

pub(crate) fn write(out: &mut dyn Write, report: &FieldReport) -> io::Result<()> {
    const SET_WIDTH: usize = 18;
    for field in FIELDS {
        let rows = rows_of(report, field);
        if rows.is_empty() {
            continue;
        }
        writeln!(
            out,
            "{field:<SET_WIDTH$} {:<12}{:>6}{:>7}{:>7}{:>7}{:>7}{:>7}{:>8}",
            "", "pages", "found", "exact", "near", "P", "R", "F1"
        )?;
        for row in rows {
            let [precision, recall, _, f1] = row.shares();
            let set: String = printable(&row.group).chars().take(SET_WIDTH).collect();
            let name: String = name_cell(&row.name).chars().take(12).collect();
            writeln!(
                out,
                "{set:<SET_WIDTH$} {name:<12}{:>6}{:>7}{:>7}{:>7}{precision:>7.3}{recall:>7.3}\
                 {f1:>8.3}",
                row.pages, row.found, row.exact, row.near
            )?;
        }
        writeln!(out)?;
    }
    writeln!(out, "near: exact, or one contains the other; dates: at most one day apart")
}
