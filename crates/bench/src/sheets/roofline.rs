//! The tables of the model.

use super::figures::{counted, rounded};
use crate::roofline::{Checked, Roofline, Step};
use crate::sheet::{Chart, Column, Line, Section};

/// The model beside what was measured.
pub(super) fn checks(roofline: &Roofline) -> Section {
    let row = |checked: &Checked| {
        let Checked { workers, processors, others, measured_s, modelled_s, off, off_own } = checked;
        vec![
            workers.to_string(),
            processors.to_string(),
            format!("{others:.2}"),
            format!("{:.3}", measured_s.median),
            format!("{:.3} to {:.3}", measured_s.least, measured_s.greatest),
            format!("{modelled_s:.3}"),
            format!("{:+.1} %", 100.0 * off.median),
            format!("{:+.1} %", 100.0 * off_own.median),
        ]
    };
    let costs = roofline.costs;
    Section {
        heading: format!("Is the model right? {} to {}", roofline.extractor, roofline.format),
        notes: vec![
            format!(
                "Fed with the CPU time of the run with -j{} of the same round, and with the cores that `others` left: medians reader {:.3} s, workers {:.3} s, writer {:.3} s, digests {:.3} s, {}; start and end {:.3} s.",
                roofline.costs_of,
                costs.reader_s,
                costs.workers_s,
                costs.writer_s,
                costs.digests_s,
                counted(costs.batches, "batch", "batches"),
                costs.fixed_s
            ),
            "`off own` is fed with the CPU time of the run itself: what is off there is the model, the rest of `off` is what workers cost each other.".to_owned(),
        ],
        columns: vec![
            Column::number("workers", 0),
            Column::number("processors", 3),
            Column::number("others", 4),
            Column::number("measured s", 0),
            Column::number("least to greatest", 2),
            Column::number("modelled s", 1),
            Column::number("off", 0),
            Column::number("off own", 0),
        ],
        rows: roofline.checked.iter().map(row).collect(),
        chart: None,
    }
}

/// The costs of the serial parts where they never wait, and beside them those in the runs.
fn serial_costs(roofline: &Roofline) -> String {
    let Roofline { never_waiting_costs: without, crowded_costs: within, .. } = roofline;
    let part = |name: &str, without: f64, within: f64| {
        format!("{name} {:.1} ms ({:.1} in the runs)", 1000.0 * without, 1000.0 * within)
    };
    [
        part("reader", without.reader_s, within.reader_s),
        part("writer", without.writer_s, within.writer_s),
        part("digests", without.digests_s, within.digests_s),
    ]
    .join(", ")
}

/// What more cores would give.
pub(super) fn cores(roofline: &Roofline) -> Section {
    let busy = |share: f64| format!("{:.0} %", 100.0 * share);
    let row = |step: &Step| {
        let Step { cores, measured, modelled, bound, course, storage } = step;
        vec![
            cores.to_string(),
            measured.map_or_else(|| "-".to_owned(), rounded),
            rounded(*modelled),
            rounded(modelled / *cores as f64),
            bound.name().to_owned(),
            busy(course.reader_busy),
            busy(course.workers_busy),
            busy(course.writer_busy),
            busy(course.digests_busy),
            rounded(*storage),
        ]
    };
    let line = |name: &str, is_measured, points: Vec<(f64, f64)>| Line {
        name: name.to_owned(),
        is_measured,
        points,
    };
    let measured = (roofline.steps.iter())
        .filter_map(|step| Some((step.cores as f64, step.measured?)))
        .collect();
    let modelled = roofline.steps.iter().map(|step| (step.cores as f64, step.modelled)).collect();
    Section {
        heading: format!("More cores: {} to {}", roofline.extractor, roofline.format),
        notes: vec![
            format!(
                "A worker a core. MODELLED, from the CPU time of the runs with -j{}, but for the column `measured`: those runs had all processors, and count start and end.",
                roofline.crowded_of
            ),
            format!(
                "With more cores than that the serial parts cost what synthetic workers, which never let them wait, left of them: {}.",
                serial_costs(roofline)
            ),
            "The model has no contention for memory and caches beyond that of these runs, no lower clock, no two threads of one core, and storage that is never waited for.".to_owned(),
        ],
        columns: vec![
            Column::number("cores", 0),
            Column::number("measured", 0),
            Column::number("modelled", 0),
            Column::number("a core", 2),
            Column::text("bound", 1),
            Column::number("reader", 4),
            Column::number("workers", 6),
            Column::number("writer", 5),
            Column::number("digests", 7),
            Column::number("storage", 3),
        ],
        rows: roofline.steps.iter().map(row).collect(),
        chart: Some(Chart::Lines {
            title: "MB a second by cores".to_owned(),
            lines: vec![line("measured", true, measured), line("modelled", false, modelled)],
        }),
    }
}
