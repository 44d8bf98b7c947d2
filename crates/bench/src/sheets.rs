//! The tables of a measurement.

mod costs;
mod figures;
mod roofline;

use crate::bench::Bench;
use crate::machine::Machine;
use crate::neighbours::Neighbours;
use crate::roofline::Roofline;
use crate::series::{Series, Subject};
use crate::sheet::{Column, Section, Sheet};
use costs::{costs, fit};
use figures::{counted, percent, rounded};
use roofline::{checks, cores};
use std::fmt::Write;

impl Sheet {
    /// The tables and charts of a measurement.
    pub fn of(bench: &Bench) -> Sheet {
        let mut sections = Vec::new();
        for roofline in &bench.rooflines {
            sections.push(throughput(bench, roofline));
        }
        let others: Vec<&Series> = (bench.series.iter())
            .filter(|series| matches!(series.subject, Subject::Other { .. }))
            .collect();
        if !others.is_empty() {
            sections.push(against(bench, &others));
        }
        sections.extend(bench.stages.as_ref().map(|stages| costs(bench, stages)));
        for roofline in &bench.rooflines {
            sections.push(checks(roofline));
            sections.push(cores(roofline));
        }
        if let Some(growth) = &bench.growth {
            sections.push(fit(growth));
        }
        Sheet {
            title: format!("{} on {} processors", bench.asked.version, bench.machine.processors),
            warnings: warnings(bench),
            facts: facts(bench),
            sections,
        }
    }
}

/// With fewer batches (about a MiB of input each) for every worker, runs begin and end more than they work.
const BATCHES_A_WORKER: u64 = 16;

fn warnings(bench: &Bench) -> Vec<String> {
    let mut warnings = Vec::new();
    if bench.is_disturbed() {
        let cores = bench.others().unwrap_or_default();
        let most = Neighbours::most(bench.machine.processors);
        warnings.push(format!(
            "other programs kept {cores:.2} cores busy (more than {most:.2}): seconds and MB/s are too low; CPU seconds suffer less"
        ));
    }
    if !bench.asked.optimised {
        warnings.push(
            "this program was built without optimisation: its figures say nothing of a release"
                .to_owned(),
        );
    }
    let most_workers = bench.asked.workers.iter().max().copied().unwrap_or_default() as u64;
    let batches = bench.rooflines.iter().map(|roofline| roofline.costs.batches).min();
    if batches.is_some_and(|batches| batches < BATCHES_A_WORKER * most_workers) {
        warnings.push(format!(
            "batches in the corpus: {}, too few for so many workers ({most_workers}): figures are mostly of start and end; take a larger one (--make-corpus)",
            batches.unwrap_or_default()
        ));
    }
    if bench.corpus.damaged > 0 {
        warnings.push(format!("the corpus is damaged in {} places", bench.corpus.damaged));
    }
    warnings
}

fn facts(bench: &Bench) -> Vec<(String, String)> {
    let Bench { asked, machine, corpus, .. } = bench;
    let mut facts = Vec::new();
    let mut fact = |name: &str, value: String| facts.push((name.to_owned(), value));
    fact("version", asked.version.clone());
    fact("processor", processor(machine));
    fact("memory", format!("{:.1} GB{}", machine.memory_bytes as f64 / 1e9, nodes(machine)));
    fact("kernel", machine.kernel.clone());
    let clock = |range: Option<(f64, f64)>| match range {
        Some((least, greatest)) if greatest - least < 1.0 => format!("{least:.0} MHz"),
        Some((least, greatest)) => format!("{least:.0} to {greatest:.0} MHz"),
        None => "not told".to_owned(),
    };
    let [before, after] = bench.clock_mhz.map(clock);
    let governor = machine.governor.as_ref().map(|name| format!(", governor {name}"));
    fact("clock", format!("{before} before, {after} after{}", governor.unwrap_or_default()));
    let cores = |cores: Option<f64>| {
        cores.map_or_else(|| "not told".to_owned(), |cores| format!("{cores:.2} cores"))
    };
    let busy = if asked.busy { "; a busy machine was accepted" } else { "" };
    fact("other programs", format!("{} before or in the median run{busy}", cores(bench.others())));
    fact(
        "corpus",
        format!(
            "{} MB before compression, {} MB on disk, {}, {}",
            rounded(corpus.raw_mb()),
            rounded(corpus.packed_bytes as f64 / 1e6),
            counted(corpus.records, "record", "records"),
            counted(corpus.inputs, "file", "files")
        ),
    );
    fact("corpus digest", corpus.digest.clone());
    fact(
        "runs",
        format!(
            "{} of each, in alternation; medians, and spread from least to greatest",
            asked.runs
        ),
    );
    if !asked.options.is_empty() {
        fact("options of extract", asked.options.join(" "));
    }
    facts
}

fn processor(machine: &Machine) -> String {
    let Machine { processor, processors, usable, threads_a_core, allowed, .. } = machine;
    let mut text = format!("{processor}, {processors} processors");
    // Writing to a string cannot fail.
    if let Some(threads @ 2..) = threads_a_core {
        let _ = write!(text, ", {threads} to a core");
    }
    if usable < processors {
        let allowed = allowed.as_deref().unwrap_or("by a quota");
        let _ = write!(text, ", {usable} of them usable ({allowed})");
    }
    text
}

fn nodes(machine: &Machine) -> String {
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

/// Throughput by worker count.
fn throughput(bench: &Bench, roofline: &Roofline) -> Section {
    let Roofline { extractor, format, .. } = roofline;
    let raw_mb = bench.corpus.raw_mb();
    let rows = bench.extracts(extractor, format).into_iter().map(|(workers, series)| {
        let (wall, cpu) = (series.wall_s(), series.cpu_s());
        let pages = series.rows().unwrap_or_default() as f64;
        vec![
            workers.to_string(),
            format!("{:.3}", wall.median),
            percent(wall.relative()),
            format!("{:.3}", cpu.median),
            percent(cpu.relative()),
            rounded(raw_mb / wall.median),
            rounded(raw_mb / cpu.median),
            rounded(pages / wall.median),
            rounded(pages / cpu.median),
            rounded(series.peak_bytes() as f64 / 1e6),
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

/// Other programs beside the run with one worker, or with as few as were measured.
fn against(bench: &Bench, others: &[&Series]) -> Section {
    let raw_mb = bench.corpus.raw_mb();
    let ours = bench.rooflines.first().and_then(|roofline| {
        bench.extracts(&roofline.extractor, &roofline.format).into_iter().next()
    });
    let our_cpu = ours.map_or(0.0, |(_, series)| series.cpu_s().median);
    let row = |name: String, series: &Series| {
        let (wall, cpu) = (series.wall_s(), series.cpu_s());
        vec![
            name,
            format!("{:.3}", wall.median),
            format!("{:.3}", cpu.median),
            percent(cpu.relative()),
            rounded(raw_mb / cpu.median.max(1e-9)),
            format!("{:.2}", cpu.median / our_cpu.max(1e-9)),
            rounded(series.peak_bytes() as f64 / 1e6),
        ]
    };
    let mut rows: Vec<Vec<String>> = Vec::new();
    rows.extend(ours.map(|(_, series)| row(format!("huller {}", series.subject.name()), series)));
    rows.extend(others.iter().map(|series| row(series.subject.name(), series)));
    Section {
        heading: "Against other programs".to_owned(),
        notes: vec![
            "Whole processes with their children, in alternation with the rest. What the others write is not looked at: whether they did the same work is for the reader to judge."
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
