//! The input of an HTML report.

use crate::evaluation::{Evaluation, WorstPage};

/// The content of a report.
#[derive(Clone, Copy, Debug)]
pub struct HtmlReport<'a> {
    /// Title of the page and its main heading.
    pub title: &'a str,
    /// Names and values that describe the run: data, versions, date, machine.
    pub facts: &'a [(String, String)],
    /// One row per system, in the order of [`Evaluation::systems`].
    pub systems: &'a [SystemFigures],
    /// One row per data set.
    pub datasets: &'a [DatasetFigures],
    /// The evaluation that the worst pages refer to.
    pub evaluation: &'a Evaluation,
    /// Pages to show with their diffs, grouped by system.
    pub worst: &'a [WorstPage],
    /// Remarks below the figures, one paragraph each.
    pub notes: &'a [String],
}

/// The figures of one system over all pages.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SystemFigures {
    /// Name of the system.
    pub name: String,
    /// `paper` or `tuned`; empty for predictions.
    pub profile: String,
    /// Mean F1 of the longest common subsequence; `None` without gold texts.
    pub lcs_f1: Option<f64>,
    /// Lower end of its 95 % confidence interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// Mean F1 of the 4-gram shingles.
    pub shingle_f1: Option<f64>,
    /// F1 over all snippets; `None` without snippets.
    pub snippet_f1: Option<f64>,
    /// Number of pages for which the system gave no text.
    pub empty: u32,
    /// Number of pages for which the system has a score.
    pub pages: u32,
    /// MB (10^6 bytes) of HTML per CPU second; `None` for predictions.
    pub mb_per_cpu_s: Option<f64>,
}

/// The figures of all systems on one data set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DatasetFigures {
    /// Name of the data set.
    pub name: String,
    /// Number of its pages.
    pub pages: u32,
    /// One entry per system, in the order of [`HtmlReport::systems`].
    pub systems: Vec<CellFigures>,
}

/// The figures of one system on one data set.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CellFigures {
    /// Mean F1 of the longest common subsequence.
    pub lcs_f1: Option<f64>,
    /// Mean F1 of the 4-gram shingles.
    pub shingle_f1: Option<f64>,
    /// F1 over the snippets.
    pub snippet_f1: Option<f64>,
    /// Number of pages without a text.
    pub empty: u32,
}

/// Returns the largest of the figures; `None` unless there are at least two.
pub(super) fn best_figure(figures: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let figures: Vec<f64> = figures.flatten().filter(|figure| figure.is_finite()).collect();
    let greatest = figures.iter().copied().max_by(f64::total_cmp);
    greatest.filter(|_| figures.len() > 1)
}
