//! Finds the part that limits a run at every number of cores: measured as far as there are cores,
//! modelled beyond.

use crate::model::{Costs, PredictedRun, simulate};
use crate::serial_parts::SerialParts;
use crate::series::{CpuTimes, MeasuredProcess, Run, Series};
use crate::statistics::{Spread, median};
use serde::Serialize;

/// The numbers of cores that are modelled. Measured numbers are added.
const CORES: [usize; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

/// The least number of batches per worker in the model. With fewer, start and end weigh too much
/// for a rate.
const BATCHES_PER_WORKER: u64 = 200;

/// A part that can run for at least this fraction of the time is the bound.
const MIN_BUSY_FRACTION: f64 = 0.97;

/// The model of one extractor and format, and its error where it can be checked.
#[derive(Clone, Debug, Serialize)]
pub struct Roofline {
    /// The extractor.
    pub extractor: String,
    /// The output format.
    pub format: String,
    /// The costs for the checks, from the runs with the fewest workers.
    pub costs: Costs,
    /// The number of workers of these runs.
    #[serde(rename = "costs_of")]
    pub costs_workers: usize,
    /// The costs for the steps up to `crowded_workers` cores, from the runs with the most workers
    /// that had a processor each.
    pub crowded_costs: Costs,
    /// The number of workers of these runs.
    #[serde(rename = "crowded_of")]
    pub crowded_workers: usize,
    /// The costs for the steps beyond. The workers' costs are the same; those of the serial parts
    /// were measured where these never wait.
    pub never_waiting_costs: Costs,
    /// The model beside every measured worker count.
    pub checked: Vec<ModelCheck>,
    /// The steps by ascending number of cores.
    pub steps: Vec<ScalingStep>,
}

/// A measured worker count with its model. Each run is modelled by itself, with the cores that
/// other programs left it, since runs of one kind differ on a shared machine.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ModelCheck {
    /// The number of workers.
    pub workers: usize,
    /// The number of processors that the runs could use.
    pub processors: usize,
    /// The median number of these that other programs kept busy; 0 where the system does not report
    /// it.
    #[serde(rename = "others")]
    pub busy_cores_of_others: f64,
    /// The measured seconds.
    pub measured_s: Spread,
    /// The modelled seconds, as a median. The costs are those of the run with the fewest workers in
    /// the same round.
    pub modelled_s: f64,
    /// The error of these seconds, run by run: .05 means that the model gives 5 % more. It includes
    /// the cost of workers to each other, which makes CPU time differ from that of the run with the
    /// fewest workers.
    #[serde(rename = "off")]
    pub error_from_baseline: Spread,
    /// The error of the model, run by run, with the costs of the run itself. This error is that of
    /// the model alone.
    #[serde(rename = "off_own")]
    pub model_error: Spread,
}

impl ModelCheck {
    /// Models one worker count with its own costs and with those of the series `fewest`.
    fn from_series(
        (workers, series): (usize, &Series),
        fewest: &Series,
        usable: usize,
        fixed_s: f64,
    ) -> Option<ModelCheck> {
        let others = |run: &Run| run.others_cores.unwrap_or_default();
        let modelled =
            |costs: Costs, run: &Run| simulate(&costs, usable as f64 - others(run), workers).wall_s;
        let (mut of_fewest, mut of_own) = (Vec::new(), Vec::new());
        for (run, beside) in series.runs.iter().zip(&fewest.runs) {
            let of_run = |run_of_series: &Run| {
                Some((modelled(costs_of_run(run_of_series, fixed_s)?, run), run.usage.wall_s))
            };
            of_fewest.push(of_run(beside)?);
            of_own.push(of_run(run)?);
        }
        let error_of = |pairs: &[(f64, f64)]| {
            Spread::from_figures(
                pairs.iter().map(|(modelled, wall)| modelled / wall.max(1e-9) - 1.0),
            )
        };
        Some(ModelCheck {
            workers,
            processors: usable,
            busy_cores_of_others: series.spread(others).median,
            measured_s: series.wall_s(),
            modelled_s: median(of_fewest.iter().map(|(modelled, _)| *modelled)),
            error_from_baseline: error_of(&of_fewest),
            model_error: error_of(&of_own),
        })
    }
}

/// Throughput with one worker per core.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ScalingStep {
    /// The number of cores, and of workers.
    pub cores: usize,
    /// Measured MB per second before compression with this many workers on all processors, start
    /// and end included. `None` where it was not measured.
    pub measured: Option<f64>,
    /// Modelled MB per second, in a run so long that start and end do not count.
    pub modelled: f64,
    /// The part that limits the run in the model.
    pub bound: Bottleneck,
    /// The course of the modelled run.
    pub course: PredictedRun,
    /// The MB per second that storage has to deliver.
    pub storage: f64,
}

/// The part of a run for which the others wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bottleneck {
    /// Workers are always busy, so more cores give more throughput.
    Workers,
    /// The reader is always busy.
    Reader,
    /// The writer is always busy.
    Writer,
    /// The digest thread is always busy.
    Digests,
}

impl Bottleneck {
    /// Returns its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Bottleneck::Workers => "workers",
            Bottleneck::Reader => "reader",
            Bottleneck::Writer => "writer",
            Bottleneck::Digests => "digests",
        }
    }

    fn from_series(course: &PredictedRun) -> Bottleneck {
        let (behind, serial) = (course.digests_busy, course.writer_busy.max(course.digests_busy));
        match () {
            () if course.workers_busy >= MIN_BUSY_FRACTION
                || serial.max(course.reader_busy) < MIN_BUSY_FRACTION =>
            {
                Bottleneck::Workers
            }
            () if course.reader_busy > serial => Bottleneck::Reader,
            () if behind > course.writer_busy => Bottleneck::Digests,
            () => Bottleneck::Writer,
        }
    }
}

/// Worker counts and their series.
type Group<'s> = Vec<(usize, &'s Series)>;

/// Returns the costs of a run.
fn costs_of_run(run: &Run, fixed_s: f64) -> Option<Costs> {
    let CpuTimes { batches, reader_cpu, workers_cpu, writer_cpu, digests_cpu } = run.division?;
    Some(Costs {
        reader_s: reader_cpu,
        workers_s: workers_cpu,
        writer_s: writer_cpu,
        digests_s: digests_cpu,
        batches,
        fixed_s,
    })
}

/// Returns the costs of the runs of a series, from their medians.
fn costs_of(series: &Series, fixed_s: f64) -> Option<Costs> {
    let first = costs_of_run(series.runs.first()?, fixed_s)?;
    Some(Costs {
        reader_s: series.part(|division| division.reader_cpu)?,
        workers_s: series.part(|division| division.workers_cpu)?,
        writer_s: series.part(|division| division.writer_cpu)?,
        digests_s: series.part(|division| division.digests_cpu)?,
        ..first
    })
}

/// The corpus of a measurement, and the machine that read it.
#[derive(Clone, Copy, Debug)]
pub struct MeasuredCorpus {
    /// MB (millions of bytes) of records, before compression.
    pub raw_mb: f64,
    /// Bytes on disk per byte before compression.
    pub packed_share: f64,
    /// The number of processors that the runs could use.
    pub usable: usize,
}

impl Roofline {
    /// Returns one model for each extractor and format among the series, in their order.
    pub fn for_all_kinds(
        series: &[Series],
        serial_parts: &[SerialParts],
        corpus: MeasuredCorpus,
    ) -> Vec<Roofline> {
        let usable = corpus.usable;
        let start = series.iter().find(|series| series.subject == MeasuredProcess::Start);
        let fixed_s = start.map_or(0.0, |start| start.wall_s().median);
        let mut groups: Vec<(&str, &str, Group<'_>)> = Vec::new();
        for series in series {
            let MeasuredProcess::Extract { workers, extractor, format } = &series.subject else {
                continue;
            };
            match groups.iter_mut().find(|(e, f, _)| e == extractor && f == format) {
                Some((.., group)) => group.push((*workers, series)),
                None => groups.push((extractor, format, vec![(*workers, series)])),
            }
        }
        let rooflines = groups.into_iter().filter_map(|(extractor, format, mut group)| {
            group.sort_by_key(|(workers, _)| *workers);
            let (costs_workers, fewest_workers) = *group.first()?;
            let crowded = group.iter().rfind(|(workers, _)| *workers <= usable);
            let (crowded_workers, most_workers) =
                *crowded.unwrap_or(&(costs_workers, fewest_workers));
            let (costs, crowded_costs) =
                (costs_of(fewest_workers, fixed_s)?, costs_of(most_workers, fixed_s)?);
            let serial = (serial_parts.iter())
                .find(|parts| (&*parts.extractor, &*parts.format) == (extractor, format));
            let never_waiting_costs = serial.map_or(crowded_costs, |parts| {
                let total = |cpu_time: fn(&CpuTimes) -> f64| {
                    parts.a_batch(cpu_time) * crowded_costs.batches as f64
                };
                Costs {
                    reader_s: total(|division| division.reader_cpu),
                    writer_s: total(|division| division.writer_cpu),
                    digests_s: total(|division| division.digests_cpu),
                    ..crowded_costs
                }
            });
            Some(Roofline {
                extractor: extractor.to_owned(),
                format: format.to_owned(),
                costs,
                costs_workers,
                crowded_costs,
                crowded_workers,
                never_waiting_costs,
                checked: (group.iter())
                    .filter_map(|&pair| {
                        ModelCheck::from_series(pair, fewest_workers, usable, fixed_s)
                    })
                    .collect(),
                steps: model_steps(
                    (crowded_workers, &crowded_costs),
                    &never_waiting_costs,
                    &group,
                    corpus,
                ),
            })
        });
        rooflines.collect()
    }
}

/// Models each number of cores: with the costs `few_cores_costs.1` up to `few_cores_costs.0` cores,
/// and `many_cores_costs` beyond.
fn model_steps(
    few_cores_costs: (usize, &Costs),
    many_cores_costs: &Costs,
    group: &[(usize, &Series)],
    corpus: MeasuredCorpus,
) -> Vec<ScalingStep> {
    let MeasuredCorpus { raw_mb, packed_share, .. } = corpus;
    let mut cores: Vec<usize> = CORES.into_iter().chain(group.iter().map(|(n, _)| *n)).collect();
    cores.sort_unstable();
    cores.dedup();
    let step = |cores: usize| {
        let costs = if cores <= few_cores_costs.0 { few_cores_costs.1 } else { many_cores_costs };
        let min_batches = BATCHES_PER_WORKER * cores as u64;
        let times = min_batches.div_ceil(costs.batches.max(1)).max(1);
        let course = simulate(&costs.for_repeated_corpus(times), cores as f64, cores);
        let modelled = raw_mb * times as f64 / (course.wall_s - costs.fixed_s).max(1e-9);
        let measured = group.iter().find(|(workers, _)| *workers == cores);
        ScalingStep {
            cores,
            measured: measured.map(|(_, series)| raw_mb / series.wall_s().median.max(1e-9)),
            modelled,
            bound: Bottleneck::from_series(&course),
            course,
            storage: modelled * packed_share,
        }
    };
    cores.into_iter().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::Usage;

    /// Returns the run with other costs of its parts.
    fn with_division(run: Run, change: impl FnOnce(CpuTimes) -> CpuTimes) -> Run {
        Run { division: run.division.map(change), ..run }
    }

    fn series(workers: usize, wall_s: f64, writer_cpu: f64) -> Series {
        let (reader_cpu, workers_cpu, digests_cpu) = (0.1, 10.0, 0.0);
        let division = CpuTimes { batches: 100, reader_cpu, workers_cpu, writer_cpu, digests_cpu };
        let usage = Usage { wall_s, user_s: 10.0, ..Usage::default() };
        let run = Run { usage, division: Some(division), ..Run::default() };
        let (extractor, format) = ("pvalue".to_owned(), "jsonl".to_owned());
        Series { subject: MeasuredProcess::Extract { workers, extractor, format }, runs: vec![run] }
    }

    const PLACE: MeasuredCorpus = MeasuredCorpus { raw_mb: 1000.0, packed_share: 0.2, usable: 2 };

    fn roofline(series: &[Series]) -> Roofline {
        Roofline::for_all_kinds(series, &[], PLACE).remove(0)
    }

    /// The writer's half a second is mostly the waking of other threads. Where it never waits, it
    /// takes a tenth of that, and the reader is the bound.
    #[test]
    fn beyond_what_was_measured_serial_parts_cost_what_they_take_without_waiting() {
        let again = CpuTimes {
            batches: 50,
            reader_cpu: 0.1,
            workers_cpu: 0.2,
            writer_cpu: 0.025,
            digests_cpu: 0.0,
        };
        let parts = |format: &str| SerialParts {
            extractor: "pvalue".to_owned(),
            format: format.to_owned(),
            runs: vec![again; 3],
        };
        let series = [series(1, 10.6, 0.5), series(2, 5.4, 0.5)];
        let roofline =
            |parts: &[SerialParts]| Roofline::for_all_kinds(&series, parts, PLACE).remove(0);
        let last = |roofline: &Roofline| roofline.steps[7];
        let measured = roofline(&[parts("parquet"), parts("jsonl")]);
        assert_eq!((measured.costs.writer_s, measured.crowded_costs.writer_s), (0.5, 0.5));
        let costs = measured.never_waiting_costs;
        assert!((costs.writer_s - 0.05).abs() < 1e-12 && (costs.reader_s - 0.2).abs() < 1e-12);
        assert_eq!(last(&measured).bound.name(), "reader");
        assert!((last(&measured).modelled - 5000.0).abs() < 50.0, "{measured:?}");
        let without = roofline(&[parts("parquet")]);
        assert_eq!(last(&without).bound.name(), "writer", "another format's say nothing");
        for cores in [0, 1] {
            let rate = |roofline: &Roofline| roofline.steps[cores].modelled;
            assert!((rate(&measured) - rate(&without)).abs() < 1e-9, "these were measured");
        }
    }

    #[test]
    fn a_dear_writer_bounds_many_cores_and_workers_bound_few() {
        let roofline = roofline(&[series(1, 10.6, 0.5), series(2, 5.4, 0.5)]);
        let bounds: Vec<_> = roofline.steps.iter().map(|s| (s.cores, s.bound.name())).collect();
        assert_eq!(bounds[0], (1, "workers"));
        assert_eq!(bounds[7], (128, "writer"));
        // The writer can do at most 1,000 MB in .5 s.
        assert!((roofline.steps[7].modelled - 2000.0).abs() < 20.0, "{:?}", roofline.steps[7]);
        assert!((roofline.steps[7].storage - 400.0).abs() < 4.0);
        let rates: Vec<f64> = roofline.steps.iter().map(|step| step.modelled).collect();
        assert!(rates.windows(2).all(|pair| pair[0] <= pair[1] * 1.001), "{rates:?}");
    }

    #[test]
    fn what_was_measured_stands_beside_the_model_and_nowhere_else() {
        let start = Series {
            subject: MeasuredProcess::Start,
            runs: vec![Run { usage: Usage { wall_s: 0.25, ..Usage::default() }, ..Run::default() }],
        };
        let roofline = roofline(&[start, series(1, 10.6, 0.5), series(3, 5.0, 0.5)]);
        assert_eq!(
            (roofline.costs_workers, roofline.crowded_workers, roofline.costs.fixed_s),
            (1, 1, 0.25)
        );
        let measured: Vec<_> = (roofline.steps.iter())
            .filter_map(|step| Some((step.cores, step.measured?.round())))
            .collect();
        assert_eq!(measured, [(1, 94.0), (3, 200.0)]);
        let workers: Vec<_> = roofline.checked.iter().map(|checked| checked.workers).collect();
        assert_eq!(workers, [1, 3]);
        // One worker with a core of its own: the reader's first batch, all of the worker's, the
        // writer's last, and the start.
        let one = roofline.checked[0];
        assert!((one.modelled_s - (0.001 + 10.0 + 0.005 + 0.25)).abs() < 0.2, "{one:?}");
        assert!((one.error_from_baseline.median - (one.modelled_s / 10.6 - 1.0)).abs() < 1e-12);
        assert_eq!(
            one.model_error, one.error_from_baseline,
            "they are the runs with the fewest workers"
        );
    }

    /// Two rounds, the second on a machine that others use. Each run is compared with its own
    /// round.
    #[test]
    fn other_programs_and_dearer_workers_are_told_apart_from_faults_of_the_model() {
        let rounds = |workers: usize, walls: [f64; 2], workers_cpu: f64| {
            let mut series = series(workers, walls[0], 0.0);
            let mut second = series.runs[0];
            second.usage.wall_s = walls[1];
            second.others_cores = Some(0.5);
            series.runs.push(second);
            for run in &mut series.runs {
                *run = with_division(*run, |division| CpuTimes {
                    workers_cpu,
                    batches: 2000,
                    ..division
                });
            }
            series
        };
        // Two workers take a tenth more CPU time than one. With half a core less they take a third
        // more time.
        let walls = [11.1 / 2.0, 11.1 / 1.5];
        let roofline = roofline(&[rounds(1, [10.1, 10.1], 10.0), rounds(2, walls, 11.0)]);
        let two = roofline.checked[1];
        assert!(
            two.model_error.greatest.abs() < 0.01 && two.model_error.least.abs() < 0.01,
            "{two:?}"
        );
        assert!((two.error_from_baseline.median - (10.1 / 11.1 - 1.0)).abs() < 0.01, "{two:?}");
        assert!((two.busy_cores_of_others - 0.25).abs() < 1e-12, "{two:?}");
    }

    #[test]
    fn digests_that_cost_most_are_the_bound() {
        let mut one = series(1, 10.6, 0.2);
        one.runs[0] =
            with_division(one.runs[0], |division| CpuTimes { digests_cpu: 0.4, ..division });
        let last = roofline(&[one]).steps[7];
        assert_eq!(last.bound.name(), "digests");
        assert!((last.modelled - 2500.0).abs() < 25.0, "{last:?}");
    }
}
