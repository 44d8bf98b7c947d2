//! Formats cells of the tables of an evaluation.

use crate::terminal::printable;
use huller_eval::PrecisionRecall;

/// Width of the column with a system's name.
pub(crate) const NAME_WIDTH: usize = 20;

/// Returns a name, cut to the width of its column.
pub(crate) fn name_cell(label: &str) -> String {
    let label = printable(label);
    if label.chars().count() < NAME_WIDTH {
        return label.into_owned();
    }
    let mut cut: String = label.chars().take(NAME_WIDTH - 2).collect();
    cut.push('…');
    cut
}

/// Returns one metric of a score with three digits after the point.
pub(crate) fn metric_cell(
    prf: Option<PrecisionRecall>,
    measure: fn(PrecisionRecall) -> f64,
) -> String {
    figure_cell(prf.map(measure))
}

/// Returns a figure with three digits after the point.
pub(crate) fn figure_cell(value: Option<f64>) -> String {
    value.map_or_else(empty_cell, |value| format!("{value:.3}"))
}

/// Returns the cell of a missing value.
pub(crate) fn empty_cell() -> String {
    "-".to_owned()
}
