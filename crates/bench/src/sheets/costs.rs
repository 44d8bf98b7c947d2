//! The tables of what stages take, and of how cost grows.

use super::figures::{percent, rounded, thousands};
use crate::bench::Bench;
use crate::growth::{Growth, Point};
use crate::sheet::{Chart, Column, Section};
use crate::stages::{StageCost, Stages};
use crate::statistics::Spread;
use std::fmt::Write;

/// The cost of each stage apart.
pub(super) fn costs(bench: &Bench, stages: &Stages) -> Section {
    let whole = stages.whole_s().max(1e-9);
    let megabytes = stages.raw_bytes as f64 / 1e6;
    let first = bench.rooflines.iter().find(|roofline| {
        roofline.extractor.split(',').next() == stages.first_method.as_deref()
            && roofline.format == stages.format
    });
    // The writer is a thread of whole runs alone: its share of the sample's bytes stands here to compare.
    let writing = first.map(|roofline| {
        let share = stages.raw_bytes as f64 / (bench.corpus.raw_bytes as f64).max(1.0);
        let seconds = Spread::of([roofline.costs.writer_s * share]);
        StageCost { name: "writing, in whole runs".to_owned(), seconds, is_in_sum: false }
    });
    let rows = stages.costs.iter().chain(&writing).map(|cost| {
        let seconds = cost.seconds.median;
        let share = if cost.is_in_sum {
            format!("{:.1} %", 100.0 * seconds / whole)
        } else {
            "-".to_owned()
        };
        vec![
            cost.name.clone(),
            format!("{:.4}", seconds),
            percent(cost.seconds.relative()),
            share,
            format!("{:.3}", seconds * 1e9 / stages.raw_bytes as f64),
            format!("{:.1}", seconds * 1e6 / (stages.pages as f64).max(1.0)),
            if seconds > 0.0 { rounded(megabytes / seconds) } else { "-".to_owned() },
        ]
    });
    let mut notes = vec![format!(
        "One thread of this process over {} MB of records with {} pages; median of {} rounds; CPU seconds of the thread. A line with `-` as its share is not part of the sum: the limit, or a method besides the first.",
        rounded(megabytes),
        thousands(stages.pages),
        stages.rounds
    )];
    let (sum, per_byte) = (stages.whole_s(), |seconds: f64, bytes: f64| seconds * 1e9 / bytes);
    let mut said =
        format!("Sum: {:.3} s, {:.3} ns a byte", sum, per_byte(sum, stages.raw_bytes as f64));
    if let Some(roofline) = first {
        let bytes = bench.corpus.raw_bytes as f64;
        let _ = write!(
            said,
            "; whole runs with -j{} took {:.3} in reader and workers",
            roofline.costs_of,
            per_byte(roofline.costs.reader_s + roofline.costs.workers_s, bytes)
        );
    }
    notes.push(said + ".");
    Section {
        heading: "The cost of each stage".to_owned(),
        notes,
        columns: vec![
            Column::text("stage", 0),
            Column::number("CPU s", 1),
            Column::number("spread", 4),
            Column::number("share", 0),
            Column::number("ns/byte", 3),
            Column::number("µs/page", 2),
            Column::number("MB/s", 1),
        ],
        rows: rows.collect(),
        chart: Some(Chart::Bars {
            values: stages.costs.iter().chain(&writing).map(|cost| cost.seconds.median).collect(),
        }),
    }
}

/// The fit of CPU time to records and bytes.
pub(super) fn fit(growth: &Growth) -> Section {
    let plane = growth.plane;
    let row = |point: &Point| {
        let cpu = point.cpu_s.median - growth.start_s;
        let expected = plane.at(point.records as f64, point.raw_bytes as f64);
        vec![
            format!("{} KiB", thousands(point.page_bytes / 1024)),
            thousands(point.records),
            rounded(point.raw_bytes as f64 / 1e6),
            format!("{:.3}", point.cpu_s.median),
            percent(point.cpu_s.relative()),
            format!("{:.3}", expected + growth.start_s),
            format!("{:+.1} %", 100.0 * (cpu / expected.max(1e-9) - 1.0)),
        ]
    };
    Section {
        heading: format!("How cost grows: {} to {}", growth.extractor, growth.format),
        notes: vec![
            format!(
                "CPU time = {:.4} s (start) + {:.2} µs · records + {:.3} ns · bytes; R² = {:.5} over {} inputs.",
                growth.start_s,
                plane.a * 1e6,
                plane.b * 1e9,
                plane.r2,
                growth.points.len()
            ),
            "Pages made by this program, all of one mix, so that sizes alone differ; one worker."
                .to_owned(),
        ],
        columns: vec![
            Column::number("page", 0),
            Column::number("records", 1),
            Column::number("MB", 2),
            Column::number("CPU s", 0),
            Column::number("spread", 4),
            Column::number("by the fit", 3),
            Column::number("off", 0),
        ],
        rows: growth.points.iter().map(row).collect(),
        chart: None,
    }
}
