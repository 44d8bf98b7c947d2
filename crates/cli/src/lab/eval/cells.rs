//! Formats cells of the tables of an evaluation.

use crate::terminal::printable;
use huller_eval::PrecisionRecall;

/// Width of the column with a system's name.
pub(crate) const NAME: usize = 20;

/// Returns a name, cut to the width of its column.
pub(crate) fn cut(label: &str) -> String {
    let label = printable(label);
    if label.chars().count() < NAME {
        return label.into_owned();
    }
    let mut cut: String = label.chars().take(NAME - 2).collect();
    cut.push('…');
    cut
}

pub(crate) fn part(prf: Option<PrecisionRecall>, part: fn(PrecisionRecall) -> f64) -> String {
    three_digits(prf.map(part))
}

pub(crate) fn three_digits(value: Option<f64>) -> String {
    value.map_or_else(empty_cell, |value| format!("{value:.3}"))
}

/// Returns the cell of a figure that does not exist.
pub(crate) fn empty_cell() -> String {
    "-".to_owned()
}
