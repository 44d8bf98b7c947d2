//! Computes the figures of an evaluation. The modules below write them in several formats.

pub mod blocks;
pub mod csv;
pub mod fields;
pub mod html;
pub mod json;
pub mod judging;
pub mod markdown;
pub mod per_page;

use crate::bootstrap::{Comparison, compare, interval};
use crate::evaluation::Evaluation;
use crate::groups::{Grouping, MEAN10, PageGroup, groups, headline_sets};
use crate::summary::{Summary, mean_of, summarise};
use rayon::prelude::*;

/// The figures of one system for one group of pages.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportRow {
    /// Index into [`Evaluation::systems`].
    pub system: usize,
    /// The data set, another group, `ALL` or `MEAN10`.
    pub group: String,
    /// The means.
    pub summary: Summary,
    /// The 95 % interval of the mean LCS F1.
    pub lcs_f1: Option<(f64, f64)>,
}

/// The comparison of two systems by LCS F1 over all pages with a gold text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair {
    /// Index into [`Evaluation::systems`].
    pub first: usize,
    /// Index into [`Evaluation::systems`].
    pub second: usize,
    /// The result.
    pub comparison: Comparison,
}

/// All figures of an evaluation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReportFigures {
    /// The rows, system by system, each with all groups, `ALL`, and `MEAN10` if the evaluation has
    /// all headline sets.
    pub rows: Vec<ReportRow>,
    /// Every system compared with every later one, if requested.
    pub pairs: Vec<Pair>,
}

/// The figures to compute.
#[derive(Clone, Debug)]
pub struct ReportOptions {
    /// The properties to group pages by.
    pub by: Vec<Grouping>,
    /// Number of resamples for intervals and tests.
    pub resamples: usize,
    /// Whether to compare all pairs of systems.
    pub pairs: bool,
    /// Whether to include speeds, which differ from run to run.
    pub speed: bool,
}

impl ReportFigures {
    /// Computes the figures of an evaluation.
    pub fn new(evaluation: &Evaluation, options: &ReportOptions) -> ReportFigures {
        let groups = groups(evaluation, &options.by);
        let sets = headline_sets(evaluation);
        let systems = 0..evaluation.systems.len();
        let rows = systems.clone().into_par_iter().flat_map_iter(|system| {
            let mut rows: Vec<_> =
                groups.iter().map(|group| report_row(evaluation, system, group, options)).collect();
            rows.extend(sets.as_ref().map(|sets| mean_row(evaluation, system, sets, options)));
            rows
        });
        let rows = rows.collect();
        let pairs =
            if options.pairs { all_pairs(evaluation, options.resamples) } else { Vec::new() };
        ReportFigures { rows, pairs }
    }
}

impl ReportFigures {
    /// Returns the names of the groups, in order.
    pub fn groups(&self) -> Vec<&str> {
        let first = self.rows.first().map(|row| row.system);
        let rows = self.rows.iter().take_while(|row| Some(row.system) == first);
        rows.map(|row| row.group.as_str()).collect()
    }

    /// Returns the rows of a group, best system first. Equal systems stay in the requested order.
    pub fn rank_group(&self, group: &str) -> Vec<&ReportRow> {
        let mut rows: Vec<_> = self.rows.iter().filter(|row| row.group == group).collect();
        rows.sort_by(|a, b| b.summary.figure().total_cmp(&a.summary.figure()));
        rows
    }
}

fn report_row(
    evaluation: &Evaluation,
    system: usize,
    group: &PageGroup,
    options: &ReportOptions,
) -> ReportRow {
    ReportRow {
        system,
        group: group.name.clone(),
        summary: summary(evaluation, system, &group.pages, options),
        lcs_f1: interval(&[lcs_f1(evaluation, system, &group.pages)], options.resamples),
    }
}

fn mean_row(
    evaluation: &Evaluation,
    system: usize,
    sets: &[Vec<usize>],
    options: &ReportOptions,
) -> ReportRow {
    let summaries: Vec<_> =
        sets.iter().map(|pages| summary(evaluation, system, pages, options)).collect();
    let values: Vec<_> = sets.iter().map(|pages| lcs_f1(evaluation, system, pages)).collect();
    ReportRow {
        system,
        group: MEAN10.to_owned(),
        summary: mean_of(&summaries),
        lcs_f1: interval(&values, options.resamples),
    }
}

fn summary(
    evaluation: &Evaluation,
    system: usize,
    pages: &[usize],
    options: &ReportOptions,
) -> Summary {
    let summary = summarise(evaluation, system, pages);
    let megabytes_per_second = summary.megabytes_per_second.filter(|_| options.speed);
    Summary { megabytes_per_second, ..summary }
}

fn lcs_f1(evaluation: &Evaluation, system: usize, pages: &[usize]) -> Vec<f64> {
    let scores = &evaluation.scores[system];
    pages.iter().filter_map(|&page| scores[page].text).map(|text| text.lcs.f1).collect()
}

fn all_pairs(evaluation: &Evaluation, resamples: usize) -> Vec<Pair> {
    let pages: Vec<usize> = (0..evaluation.pages.len()).collect();
    let systems = evaluation.systems.len();
    let values: Vec<_> = (0..systems).map(|system| lcs_f1(evaluation, system, &pages)).collect();
    let pairs: Vec<_> = (0..systems)
        .flat_map(|first| (first + 1..systems).map(move |second| (first, second)))
        .collect();
    let compared = pairs.into_par_iter().filter_map(|(first, second)| {
        let comparison = compare(&values[first], &values[second], resamples)?;
        Some(Pair { first, second, comparison })
    });
    compared.collect()
}
