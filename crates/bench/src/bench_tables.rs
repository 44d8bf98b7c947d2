//! Tables and charts without a layout: a caller prints them on a terminal, or turns them into a
//! page.

use crate::bench::Bench;
use crate::growth::{Growth, GrowthPoint};
use crate::machine::Machine;
use crate::neighbours::Neighbours;
use crate::roofline::{ModelCheck, Roofline, ScalingStep};
use crate::series::{MeasuredProcess, Series};
use crate::stages::{StageCost, Stages};
use crate::statistics::Spread;
use std::fmt::Write;

/// All tables of a measurement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BenchTables {
    /// The title.
    pub title: String,
    /// Warnings about the figures, such as a busy machine.
    pub warnings: Vec<String>,
    /// The names and values of everything on which the figures depend.
    pub facts: Vec<(String, String)>,
    /// The tables.
    pub sections: Vec<Section>,
}

/// One table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// The heading.
    pub heading: String,
    /// Explanations of the table and of its method.
    pub notes: Vec<String>,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, with one cell per column.
    pub rows: Vec<Vec<String>>,
    /// A chart of the table.
    pub chart: Option<Chart>,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The title.
    pub title: &'static str,
    /// Whether it holds text. Otherwise it holds numbers, which are right-aligned.
    pub is_text: bool,
    /// The order in which columns are dropped on a narrow screen: the greatest number first, 0
    /// never.
    pub rank: u8,
}

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub enum Chart {
    /// One bar per row of the table, as long as its value.
    Bars {
        /// One value per row.
        values: Vec<f64>,
    },
    /// Lines over a number of cores; both axes are logarithmic.
    Lines {
        /// The title.
        title: String,
        /// The lines.
        lines: Vec<ChartLine>,
    },
}

/// A line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct ChartLine {
    /// The name of the line.
    pub name: String,
    /// Whether its points were measured; otherwise they are modelled.
    pub is_measured: bool,
    /// The points: cores and MB per second.
    pub points: Vec<(f64, f64)>,
}

impl Column {
    /// Returns a column of numbers.
    const fn number(title: &'static str, rank: u8) -> Column {
        Column { title, is_text: false, rank }
    }

    /// Returns a column of text.
    const fn text(title: &'static str, rank: u8) -> Column {
        Column { title, is_text: true, rank }
    }
}

impl BenchTables {
    /// Returns the tables and charts of a measurement.
    pub fn from_bench(bench: &Bench) -> BenchTables {
        let mut sections = Vec::new();
        for roofline in &bench.rooflines {
            sections.push(throughput_section(bench, roofline));
        }
        let other_programs: Vec<&Series> = (bench.series.iter())
            .filter(|series| matches!(series.subject, MeasuredProcess::Other { .. }))
            .collect();
        if !other_programs.is_empty() {
            sections.push(comparison_section(bench, &other_programs));
        }
        sections.extend(bench.stages.as_ref().map(|stages| stage_costs(bench, stages)));
        for roofline in &bench.rooflines {
            sections.push(model_checks(roofline));
            sections.push(scaling_section(roofline));
        }
        if let Some(growth) = &bench.growth {
            sections.push(cost_fit(growth));
            sections.extend((!growth.totals.is_empty()).then(|| file_counts(growth)));
        }
        BenchTables {
            title: format!("{} on {} processors", bench.request.version, bench.machine.processors),
            warnings: warning_rows(bench),
            facts: fact_rows(bench),
            sections,
        }
    }
}

/// The least number of batches (about 1 MiB of input each) per worker. With fewer, start and end
/// take longer than the work.
const MIN_BATCHES_PER_WORKER: u64 = 16;

fn warning_rows(bench: &Bench) -> Vec<String> {
    let mut warnings = Vec::new();
    if bench.is_disturbed() {
        let cores = bench.busy_cores_of_others().unwrap_or_default();
        let noise_limit = Neighbours::noise_limit(bench.machine.processors);
        warnings.push(format!(
            "other programs kept {cores:.2} cores busy (more than {noise_limit:.2}): seconds and MB/s are too low; CPU seconds suffer less"
        ));
    }
    if !bench.request.optimised {
        warnings.push(
            "this program was built without optimisation: its figures do not apply to a release"
                .to_owned(),
        );
    }
    let most_workers = bench.request.workers.iter().max().copied().unwrap_or_default() as u64;
    let batches = bench.rooflines.iter().map(|roofline| roofline.costs.batches).min();
    if batches.is_some_and(|batches| batches < MIN_BATCHES_PER_WORKER * most_workers) {
        warnings.push(format!(
            "the corpus has {} batches, too few for {most_workers} workers: the figures mostly \
             show start and end; use a larger corpus (--make-corpus)",
            batches.unwrap_or_default()
        ));
    }
    if bench.corpus.damaged > 0 {
        warnings.push(format!("the corpus is damaged in {} places", bench.corpus.damaged));
    }
    warnings
}

fn fact_rows(bench: &Bench) -> Vec<(String, String)> {
    let Bench { request, machine, corpus, .. } = bench;
    let mut facts = Vec::new();
    let mut fact = |name: &str, value: String| facts.push((name.to_owned(), value));
    fact("version", request.version.clone());
    fact("processor", processor_text(machine));
    fact("memory", format!("{:.1} GB{}", machine.memory_bytes as f64 / 1e9, numa_nodes(machine)));
    fact("kernel", machine.kernel.clone());
    let clock = |range: Option<(f64, f64)>| match range {
        Some((least, greatest)) if greatest - least < 1.0 => format!("{least:.0} MHz"),
        Some((least, greatest)) => format!("{least:.0} to {greatest:.0} MHz"),
        None => "unknown".to_owned(),
    };
    let [clock_before, clock_after] = bench.clock_mhz.map(clock);
    let governor = machine.governor.as_ref().map(|name| format!(", governor {name}"));
    fact(
        "clock",
        format!("{clock_before} before, {clock_after} after{}", governor.unwrap_or_default()),
    );
    let cores = |cores: Option<f64>| {
        cores.map_or_else(|| "unknown".to_owned(), |cores| format!("{cores:.2} cores"))
    };
    let busy = if request.busy { "; a busy machine was accepted" } else { "" };
    fact(
        "other programs",
        format!("{} before or in the median run{busy}", cores(bench.busy_cores_of_others())),
    );
    if corpus.inputs > 0 {
        fact(
            "corpus",
            format!(
                "{} MB before compression, {} MB on disk, {}, {}",
                rounded_text(corpus.raw_mb()),
                rounded_text(corpus.packed_bytes as f64 / 1e6),
                count_with_noun(corpus.records, "record", "records"),
                count_with_noun(corpus.inputs, "file", "files")
            ),
        );
        fact("corpus digest", corpus.digest.clone());
    }
    fact(
        "runs",
        format!(
            "{} of each, in alternation; medians, and spread from least to greatest",
            request.runs
        ),
    );
    if !request.options.is_empty() {
        fact("options of extract", request.options.join(" "));
    }
    facts
}

fn processor_text(machine: &Machine) -> String {
    let Machine { processor, processors, usable, threads_per_core, allowed, .. } = machine;
    let mut text = format!("{processor}, {processors} processors");
    // Writing to a string cannot fail.
    if let Some(threads @ 2..) = threads_per_core {
        let _ = write!(text, ", {threads} to a core");
    }
    if usable < processors {
        let allowed = allowed.as_deref().unwrap_or("by a quota");
        let _ = write!(text, ", {usable} of them usable ({allowed})");
    }
    text
}

fn numa_nodes(machine: &Machine) -> String {
    match &*machine.nodes {
        [] | [_] => String::new(),
        nodes => {
            let nodes: Vec<_> = (nodes.iter())
                .map(|node| {
                    let gigabytes = node.memory_bytes as f64 / 1e9;
                    format!("{}: {} with {gigabytes:.0} GB", node.node, node.processors)
                })
                .collect();
            format!("; NUMA nodes {}", nodes.join(", "))
        }
    }
}

/// Returns the table of throughput by worker count.
fn throughput_section(bench: &Bench, roofline: &Roofline) -> Section {
    let Roofline { extractor, format, .. } = roofline;
    let raw_mb = bench.corpus.raw_mb();
    let rows = bench.extract_series(extractor, format).into_iter().map(|(workers, series)| {
        let (wall, cpu) = (series.wall_s(), series.cpu_s());
        let pages = series.rows().unwrap_or_default() as f64;
        vec![
            workers.to_string(),
            format!("{:.3}", wall.median),
            percent(wall.relative()),
            format!("{:.3}", cpu.median),
            percent(cpu.relative()),
            rounded_text(raw_mb / wall.median),
            rounded_text(raw_mb / cpu.median),
            rounded_text(pages / wall.median),
            rounded_text(pages / cpu.median),
            rounded_text(series.peak_bytes() as f64 / 1e6),
        ]
    });
    Section {
        heading: format!("Throughput: {extractor} to {format}"),
        notes: vec![
            "MB are of records before compression; a core is a CPU second; peak is the most of any run."
                .to_owned(),
        ],
        columns: vec![
            Column::number("workers", 0),
            Column::number("wall s", 1),
            Column::number("spread", 5),
            Column::number("CPU s", 2),
            Column::number("spread", 6),
            Column::number("MB/s", 0),
            Column::number("a core", 3),
            Column::number("pages/s", 7),
            Column::number("a core", 8),
            Column::number("peak MB", 4),
        ],
        rows: rows.collect(),
        chart: None,
    }
}

/// Returns the table of other programs compared with huller's run with the fewest workers.
fn comparison_section(bench: &Bench, other_programs: &[&Series]) -> Section {
    let raw_mb = bench.corpus.raw_mb();
    let ours = bench.rooflines.first().and_then(|roofline| {
        bench.extract_series(&roofline.extractor, &roofline.format).into_iter().next()
    });
    let our_cpu = ours.map_or(0.0, |(_, series)| series.cpu_s().median);
    let row = |name: String, series: &Series| {
        let (wall, cpu) = (series.wall_s(), series.cpu_s());
        vec![
            name,
            format!("{:.3}", wall.median),
            format!("{:.3}", cpu.median),
            percent(cpu.relative()),
            rounded_text(raw_mb / cpu.median.max(1e-9)),
            format!("{:.2}", cpu.median / our_cpu.max(1e-9)),
            rounded_text(series.peak_bytes() as f64 / 1e6),
        ]
    };
    let mut rows: Vec<Vec<String>> = Vec::new();
    rows.extend(ours.map(|(_, series)| row(format!("huller {}", series.subject.name()), series)));
    rows.extend(other_programs.iter().map(|series| row(series.subject.name(), series)));
    Section {
        heading: "Against other programs".to_owned(),
        notes: vec![
            "Whole processes with their children, in alternation with the other runs. The outputs \
             of other programs are not compared."
                .to_owned(),
        ],
        columns: vec![
            Column::text("program", 0),
            Column::number("wall s", 3),
            Column::number("CPU s", 1),
            Column::number("spread", 4),
            Column::number("MB/s a core", 2),
            Column::number("× CPU", 0),
            Column::number("peak MB", 5),
        ],
        rows,
        chart: None,
    }
}

/// Returns the table of the cost of each stage by itself.
fn stage_costs(bench: &Bench, stages: &Stages) -> Section {
    let sum_seconds = stages.sum_s().max(1e-9);
    let megabytes = stages.raw_bytes as f64 / 1e6;
    let first_roofline = bench.rooflines.iter().find(|roofline| {
        roofline.extractor.split(',').next() == stages.first_extractor.as_deref()
            && roofline.format == stages.format
    });
    // Only whole runs have a writer thread. The row for comparison is the writer's cost scaled to
    // the bytes of the sample.
    let writing = first_roofline.map(|roofline| {
        let share = stages.raw_bytes as f64 / (bench.corpus.raw_bytes as f64).max(1.0);
        let seconds = Spread::from_figures([roofline.costs.writer_s * share]);
        StageCost { name: "writing, in whole runs".to_owned(), seconds, is_in_sum: false }
    });
    let rows = stages.costs.iter().chain(&writing).map(|cost| {
        let seconds = cost.seconds.median;
        let share = if cost.is_in_sum {
            format!("{:.1} %", 100.0 * seconds / sum_seconds)
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
            if seconds > 0.0 { rounded_text(megabytes / seconds) } else { "-".to_owned() },
        ]
    });
    let mut notes = vec![format!(
        "One thread of this process over {} MB of records with {} pages; median of {} rounds; CPU \
         seconds of the thread. A line with `-` as its share is not part of the sum: the limit, \
         an extractor or a format after the first, or a whole run.",
        rounded_text(megabytes),
        thousands(stages.pages),
        stages.rounds
    )];
    let (sum, per_byte) = (stages.sum_s(), |seconds: f64, bytes: f64| seconds * 1e9 / bytes);
    let mut sum_note =
        format!("Sum: {:.3} s, {:.3} ns a byte", sum, per_byte(sum, stages.raw_bytes as f64));
    if let Some(roofline) = first_roofline {
        let bytes = bench.corpus.raw_bytes as f64;
        let _ = write!(
            sum_note,
            "; whole runs with -j{} took {:.3} in reader and workers",
            roofline.costs_workers,
            per_byte(roofline.costs.reader_s + roofline.costs.workers_s, bytes)
        );
    }
    notes.push(sum_note + ".");
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

/// Returns the table of the fit of CPU time to records and bytes.
fn cost_fit(growth: &Growth) -> Section {
    let fit = growth.fit;
    let row = |point: &GrowthPoint| {
        let cpu = point.cpu_s.median - growth.start_s;
        let expected = fit.value_at(point.records as f64, point.raw_bytes as f64);
        vec![
            format!("{} KiB", thousands(point.page_bytes / 1024)),
            thousands(point.records),
            rounded_text(point.raw_bytes as f64 / 1e6),
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
                fit.a * 1e6,
                fit.b * 1e9,
                fit.r2,
                growth.points.len()
            ),
            "Generated pages that differ only in size; one worker.".to_owned(),
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

/// Returns the table of CPU time per byte in files of several sizes, and of the cost of a file.
fn file_counts(growth: &Growth) -> Section {
    let ns_per_byte =
        |point: &GrowthPoint| (point.cpu_s.median - growth.start_s) * 1e9 / point.raw_bytes as f64;
    let row = |point: &GrowthPoint| {
        vec![
            thousands(point.files),
            thousands(point.records),
            rounded_text(point.raw_bytes as f64 / 1e6),
            format!("{:.3}", point.cpu_s.median),
            percent(point.cpu_s.relative()),
            format!("{:.3}", ns_per_byte(point)),
            format!("{:.2}", point.wall_s.median),
        ]
    };
    let mut alone = growth.totals.iter().filter(|point| point.files == 1);
    let bytes = Spread::from_figures(alone.clone().map(ns_per_byte));
    let mut notes = vec![format!(
        "For a single file, without the start: the greatest value of ns per byte is {} above the \
         least.",
        percent(bytes.greatest / bytes.least.max(1e-9) - 1.0)
    )];
    if let (Some(single_file), Some(most_files)) = (alone.next_back(), growth.totals.last()) {
        let more =
            (most_files.cpu_s.median - single_file.cpu_s.median) * 1e6 / most_files.files as f64;
        notes.push(format!(
            "Each of {} adds {more:.0} µs of CPU time: output, sync, rename, journal, statistics.",
            count_with_noun(most_files.files, "file", "files")
        ));
    }
    Section {
        heading: "Sizes and numbers of files".to_owned(),
        notes,
        columns: vec![
            Column::number("files", 0),
            Column::number("records", 2),
            Column::number("MB", 0),
            Column::number("CPU s", 0),
            Column::number("spread", 4),
            Column::number("ns a byte", 0),
            Column::number("wall s", 3),
        ],
        rows: growth.totals.iter().map(row).collect(),
        chart: None,
    }
}

/// Returns the table of modelled beside measured times.
fn model_checks(roofline: &Roofline) -> Section {
    let row = |checked: &ModelCheck| {
        let ModelCheck { workers, processors, measured_s, modelled_s, .. } = checked;
        vec![
            workers.to_string(),
            processors.to_string(),
            format!("{:.2}", checked.busy_cores_of_others),
            format!("{:.3}", measured_s.median),
            format!("{:.3} to {:.3}", measured_s.least, measured_s.greatest),
            format!("{modelled_s:.3}"),
            format!("{:+.1} %", 100.0 * checked.error_from_baseline.median),
            format!("{:+.1} %", 100.0 * checked.model_error.median),
        ]
    };
    let costs = roofline.costs;
    Section {
        heading: format!("Check of the model: {} to {}", roofline.extractor, roofline.format),
        notes: vec![
            format!(
                "Fed with the CPU time of the run with -j{} of the same round, and with the cores that `others` left: medians reader {:.3} s, workers {:.3} s, writer {:.3} s, digests {:.3} s, {}; start and end {:.3} s.",
                roofline.costs_workers,
                costs.reader_s,
                costs.workers_s,
                costs.writer_s,
                costs.digests_s,
                count_with_noun(costs.batches, "batch", "batches"),
                costs.fixed_s
            ),
            "`off own` uses the CPU time of the run itself: it shows the error of the model; the \
             rest of `off` is the cost of workers to each other."
                .to_owned(),
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

/// Describes the costs of the serial parts where they never wait, beside those in the runs.
fn serial_costs(roofline: &Roofline) -> String {
    let Roofline { never_waiting_costs: unqueued, crowded_costs: measured, .. } = roofline;
    let cost_text = |name: &str, unqueued: f64, measured: f64| {
        format!("{name} {:.1} ms ({:.1} in the runs)", 1000.0 * unqueued, 1000.0 * measured)
    };
    [
        cost_text("reader", unqueued.reader_s, measured.reader_s),
        cost_text("writer", unqueued.writer_s, measured.writer_s),
        cost_text("digests", unqueued.digests_s, measured.digests_s),
    ]
    .join(", ")
}

/// Returns the table of predictions for more cores than the machine has.
fn scaling_section(roofline: &Roofline) -> Section {
    let busy = |share: f64| format!("{:.0} %", 100.0 * share);
    let row = |step: &ScalingStep| {
        let ScalingStep { cores, measured, modelled, bound, course, storage } = step;
        vec![
            cores.to_string(),
            measured.map_or_else(|| "-".to_owned(), rounded_text),
            rounded_text(*modelled),
            rounded_text(modelled / *cores as f64),
            bound.name().to_owned(),
            busy(course.reader_busy),
            busy(course.workers_busy),
            busy(course.writer_busy),
            busy(course.digests_busy),
            rounded_text(*storage),
        ]
    };
    let line = |name: &str, is_measured, points: Vec<(f64, f64)>| ChartLine {
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
                roofline.crowded_workers
            ),
            format!(
                "With more cores than that, the cost of the serial parts is measured with \
                 synthetic workers that never let them wait: {}.",
                serial_costs(roofline)
            ),
            "The model ignores further contention for memory and caches, lower clock rates, two \
             threads per core, and waits for storage."
                .to_owned(),
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

/// Returns a number with one decimal below 100, else without decimals and with commas.
fn rounded_text(number: f64) -> String {
    match number {
        _ if !number.is_finite() => "-".to_owned(),
        ..100.0 => format!("{number:.1}"),
        _ => group_digits(&format!("{number:.0}")),
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Returns a number with commas between thousands.
fn thousands(number: u64) -> String {
    group_digits(&number.to_string())
}

/// Returns a number and its noun: `1 file`, `1,200 files`.
fn count_with_noun(number: u64, singular: &str, plural: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { singular } else { plural })
}

fn group_digits(digits: &str) -> String {
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_the_digits_that_are_compared() {
        let shown = [0.04, 99.94, 100.4, 1234.6, f64::INFINITY].map(rounded_text);
        assert_eq!(shown, ["0.0", "99.9", "100", "1,235", "-"]);
        let files = [0, 1, 1200].map(|number| count_with_noun(number, "file", "files"));
        assert_eq!(files, ["0 files", "1 file", "1,200 files"]);
        assert_eq!([percent(0.0123), thousands(1_234_567)], ["1.2 %", "1,234,567"]);
    }
}
