//! Compares the figures of this run with the CSV of an earlier run, and lists the figures that
//! fell.
//!
//! It compares the F1 of every kind and the number of empty texts. Precision and recall are not
//! compared, because a change may trade one for the other. Speed is not compared, because it
//! depends on the machine. A figure of the earlier table that this run lacks counts as fallen.

use crate::error::EvalError;
use crate::evaluation::Evaluation;
use crate::report::ReportFigures;
use crate::report::csv as table;
use std::collections::HashMap;
use std::path::Path;

/// Columns in which a smaller value is worse.
const MORE_IS_BETTER: [&str; 4] = ["lcs_f1", "sh_f1", "bag_f1", "snip_f1"];

/// Columns in which a larger value is worse.
const LESS_IS_BETTER: [&str; 1] = ["empty"];

/// Returns one line for each figure that is worse than in the table at `path`; empty if no figure
/// fell.
///
/// # Errors
///
/// If the table cannot be read, or lacks one of the compared columns.
pub fn find_regressions(
    path: &Path,
    evaluation: &Evaluation,
    figures: &ReportFigures,
) -> Result<Vec<String>, EvalError> {
    let file = std::fs::File::open(path)
        .map_err(|source| EvalError::Io { path: path.to_owned(), source })?;
    let earlier = read_rows(path, file)?;
    let mut current_figures = Vec::new();
    table::write(&mut current_figures, evaluation, figures)
        .map_err(|source| EvalError::Io { path: path.to_owned(), source })?;
    let current_figures: HashMap<_, _> = read_rows(path, &current_figures[..])?
        .into_iter()
        .map(|row| (row.key, row.figures))
        .collect();
    let mut lines = Vec::new();
    for Row { key, figures: earlier_figures } in earlier {
        let [extractor, profile, group] = &key;
        let name = format!("{extractor} {profile} {group}").replace("  ", " ");
        let Some(current_row) = current_figures.get(&key) else {
            lines.push(format!("{name}: is missing"));
            continue;
        };
        for (column, earlier_value) in earlier_figures {
            let current_value =
                current_row.iter().find(|(name, _)| *name == column).map(|(_, value)| *value);
            let worse = current_value.is_none_or(|current_value| {
                if LESS_IS_BETTER.contains(&column) {
                    current_value > earlier_value
                } else {
                    current_value < earlier_value
                }
            });
            if worse {
                let current_value = current_value
                    .map_or("nothing".to_owned(), |current_value| current_value.to_string());
                lines.push(format!("{name}: {column} was {earlier_value}, is {current_value}"));
            }
        }
    }
    Ok(lines)
}

struct Row {
    /// Extractor, profile, group.
    key: [String; 3],
    figures: Vec<(&'static str, f64)>,
}

/// Reads the rows of a table, with the compared figures that are not empty.
fn read_rows(path: &Path, table: impl std::io::Read) -> Result<Vec<Row>, EvalError> {
    let fault =
        |line: u64, problem: String| EvalError::Line { path: path.to_owned(), line, problem };
    let of_csv = |error: csv::Error| {
        let line = error.position().map_or(1, csv::Position::line);
        fault(line, error.to_string())
    };
    let mut reader = csv::Reader::from_reader(table);
    let headers = reader.headers().map_err(of_csv)?.clone();
    let column_index = |column: &'static str| {
        let column_index = headers.iter().position(|header| header == column);
        column_index
            .map(|column_index| (column, column_index))
            .ok_or_else(|| fault(1, format!("no column `{column}`")))
    };
    let keys = ["extractor", "profile", "dataset"].map(column_index);
    let [extractor, profile, dataset] = keys;
    let keys = [extractor?.1, profile?.1, dataset?.1];
    let compared_columns = MORE_IS_BETTER.into_iter().chain(LESS_IS_BETTER);
    let compared_columns = compared_columns.map(column_index).collect::<Result<Vec<_>, _>>()?;
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(of_csv)?;
        let line = record.position().map_or(0, csv::Position::line);
        let mut figures = Vec::new();
        for &(column, column_index) in &compared_columns {
            let cell = record.get(column_index).unwrap_or_default();
            if !cell.is_empty() {
                let value =
                    cell.parse().map_err(|_| fault(line, format!("`{cell}` is not a number")))?;
                figures.push((column, value));
            }
        }
        let key = keys.map(|column_index| record.get(column_index).unwrap_or_default().to_owned());
        rows.push(Row { key, figures });
    }
    Ok(rows)
}

#[cfg(test)]
mod tests;
