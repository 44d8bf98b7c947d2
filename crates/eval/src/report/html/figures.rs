//! Selects the figures that a report shows from those of an evaluation.

use super::parts::{CellFigures, DatasetFigures, SystemFigures};
use crate::evaluation::Evaluation;
use crate::groups::ALL;
use crate::report::{ReportFigures, ReportRow};

/// Returns the figures of every system over all pages.
pub fn systems(evaluation: &Evaluation, figures: &ReportFigures) -> Vec<SystemFigures> {
    let rows_of_all = figures.rows.iter().filter(|row| row.group == ALL);
    let of_system = rows_of_all.map(|row| {
        let system = &evaluation.systems[row.system];
        let cell = cell(row);
        let (low, high) = row.lcs_f1.unwrap_or((f64::NAN, f64::NAN));
        SystemFigures {
            name: system.name.clone(),
            profile: system.profile.clone(),
            lcs_f1: cell.lcs_f1,
            low,
            high,
            shingle_f1: cell.shingle_f1,
            snippet_f1: cell.snippet_f1,
            empty: cell.empty,
            pages: count(row.summary.pages),
            mb_per_cpu_s: row.summary.megabytes_per_second,
        }
    });
    of_system.collect()
}

/// Returns the figures of every group except that of all pages, system by system.
pub fn datasets(figures: &ReportFigures) -> Vec<DatasetFigures> {
    let groups = figures.groups().into_iter().filter(|group| *group != ALL);
    let of_group = groups.map(|group| {
        let rows: Vec<&ReportRow> = figures.rows.iter().filter(|row| row.group == group).collect();
        DatasetFigures {
            name: group.to_owned(),
            pages: rows.first().map_or(0, |row| count(row.summary.pages)),
            systems: rows.into_iter().map(cell).collect(),
        }
    });
    of_group.collect()
}

fn cell(row: &ReportRow) -> CellFigures {
    let summary = &row.summary;
    CellFigures {
        lcs_f1: summary.text.map(|text| text.lcs.f1),
        shingle_f1: summary.text.map(|text| text.shingles.f1),
        snippet_f1: summary.snippets.map(|snippets| snippets.prf.f1),
        empty: summary.text.map_or(0, |text| count(text.empty)),
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
