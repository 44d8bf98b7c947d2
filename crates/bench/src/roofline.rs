//! What bounds a run at every number of cores: measured as far as there are cores, modelled beyond.

use crate::model::{Costs, Course, simulate};
use crate::serial_parts::SerialParts;
use crate::series::{Division, Run, Series, Subject};
use crate::statistics::{Spread, median};
use serde::Serialize;

/// The numbers of cores that are modelled; those that were measured come in between.
const CORES: [usize; 8] = [1, 2, 4, 8, 16, 32, 64, 128];

/// Batches of each worker in the model, at least: with fewer, beginning and end weigh too much to
/// tell a rate.
const BATCHES_A_WORKER: u64 = 200;

/// A part that can run for such a share of the time is the bound.
const BUSY: f64 = 0.97;

/// The model of one method and format, and how far it is off where it can be checked.
#[derive(Clone, Debug, Serialize)]
pub struct Roofline {
    /// The method.
    pub extractor: String,
    /// The output format.
    pub format: String,
    /// The costs that the checks are made with: those of the runs with the fewest workers.
    pub costs: Costs,
    /// How many workers these had.
    pub costs_of: usize,
    /// The costs that the steps up to `crowded_of` cores are made with: those of the runs with most
    /// workers that had a processor each.
    pub crowded_costs: Costs,
    /// How many workers these had.
    pub crowded_of: usize,
    /// The costs that the steps beyond are made with: the workers' are the same, those of the
    /// serial parts were measured where these never wait.
    pub never_waiting_costs: Costs,
    /// The model beside every worker count that was measured.
    pub checked: Vec<Checked>,
    /// One core after another.
    pub steps: Vec<Step>,
}

/// A worker count that was measured, and the model of it. Each run is modelled by itself, with the
/// cores that other programs left it, since on a shared machine runs of the same kind differ.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Checked {
    /// Workers.
    pub workers: usize,
    /// Processors that the runs could use.
    pub processors: usize,
    /// Of these other programs kept so many busy, by the median; 0 where the system does not tell.
    pub others: f64,
    /// Seconds that were measured.
    pub measured_s: Spread,
    /// Seconds by the model, fed with what the run with the fewest workers in the same round took:
    /// their median.
    pub modelled_s: f64,
    /// How far that is off, run by run: .05 means that the model says 5 % more. It has in it what
    /// workers cost each other, by which the CPU time is another than that of the run with the
    /// fewest workers.
    pub off: Spread,
    /// How far the model is off, run by run, when it is fed with what the run itself took. What is
    /// wrong here is wrong in the model.
    pub off_own: Spread,
}

impl Checked {
    /// The model of `group.1`, fed with its own costs and with those of the series `fewest`.
    fn of(
        (workers, series): (usize, &Series),
        fewest: &Series,
        usable: usize,
        fixed_s: f64,
    ) -> Option<Checked> {
        let others = |run: &Run| run.others_cores.unwrap_or_default();
        let modelled =
            |costs: Costs, run: &Run| simulate(&costs, usable as f64 - others(run), workers).wall_s;
        let (mut of_fewest, mut of_own) = (Vec::new(), Vec::new());
        for (run, beside) in series.runs.iter().zip(&fewest.runs) {
            let of_run =
                |of: &Run| Some((modelled(costs_of_run(of, fixed_s)?, run), run.usage.wall_s));
            of_fewest.push(of_run(beside)?);
            of_own.push(of_run(run)?);
        }
        let off = |pairs: &[(f64, f64)]| {
            Spread::of(pairs.iter().map(|(modelled, wall)| modelled / wall.max(1e-9) - 1.0))
        };
        Some(Checked {
            workers,
            processors: usable,
            others: series.spread(others).median,
            measured_s: series.wall_s(),
            modelled_s: median(of_fewest.iter().map(|(modelled, _)| *modelled)),
            off: off(&of_fewest),
            off_own: off(&of_own),
        })
    }
}

/// Throughput with a worker a core.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Step {
    /// Cores, and workers.
    pub cores: usize,
    /// MB a second before compression as measured with so many workers on all processors, start and
    /// end included. `None` where it was not measured.
    pub measured: Option<f64>,
    /// MB a second by the model, in a run so long that start and end do not count.
    pub modelled: f64,
    /// What bounds it by the model.
    pub bound: Bound,
    /// How the model's parts are busy.
    pub course: Course,
    /// MB a second that storage has to give.
    pub storage: f64,
}

/// The part of a run that the others wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// Workers have always something to do: more cores give more.
    Workers,
    /// The reader is always at work.
    Reader,
    /// The writer is.
    Writer,
    /// The thread that digests what it wrote is.
    Digests,
}

impl Bound {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Bound::Workers => "workers",
            Bound::Reader => "reader",
            Bound::Writer => "writer",
            Bound::Digests => "digests",
        }
    }

    fn of(course: &Course) -> Bound {
        let (behind, serial) = (course.digests_busy, course.writer_busy.max(course.digests_busy));
        match () {
            () if course.workers_busy >= BUSY || serial.max(course.reader_busy) < BUSY => {
                Bound::Workers
            }
            () if course.reader_busy > serial => Bound::Reader,
            () if behind > course.writer_busy => Bound::Digests,
            () => Bound::Writer,
        }
    }
}

/// Worker counts and their series.
type Group<'s> = Vec<(usize, &'s Series)>;

/// The costs of a run.
fn costs_of_run(run: &Run, fixed_s: f64) -> Option<Costs> {
    let Division { batches, reader_cpu, workers_cpu, writer_cpu, digests_cpu } = run.division?;
    Some(Costs {
        reader_s: reader_cpu,
        workers_s: workers_cpu,
        writer_s: writer_cpu,
        digests_s: digests_cpu,
        batches,
        fixed_s,
    })
}

/// The costs of the runs of a series, from their medians.
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

/// The corpus of a measurement, and where it was read.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// MB (millions of bytes) of records, before compression.
    pub raw_mb: f64,
    /// Bytes on disk for each of these bytes.
    pub packed_share: f64,
    /// Processors that the runs could use.
    pub usable: usize,
}

impl Roofline {
    /// One for each method and format among the series, in their order.
    pub fn all(series: &[Series], serial_parts: &[SerialParts], place: Place) -> Vec<Roofline> {
        let usable = place.usable;
        let start = series.iter().find(|series| series.subject == Subject::Start);
        let fixed_s = start.map_or(0.0, |start| start.wall_s().median);
        let mut groups: Vec<(&str, &str, Group<'_>)> = Vec::new();
        for series in series {
            let Subject::Extract { workers, extractor, format } = &series.subject else { continue };
            match groups.iter_mut().find(|(e, f, _)| e == extractor && f == format) {
                Some((.., group)) => group.push((*workers, series)),
                None => groups.push((extractor, format, vec![(*workers, series)])),
            }
        }
        let rooflines = groups.into_iter().filter_map(|(extractor, format, mut group)| {
            group.sort_by_key(|(workers, _)| *workers);
            let (costs_of_workers, fewest) = *group.first()?;
            let crowded = group.iter().rfind(|(workers, _)| *workers <= usable);
            let (crowded_of, most) = *crowded.unwrap_or(&(costs_of_workers, fewest));
            let (costs, crowded_costs) = (costs_of(fewest, fixed_s)?, costs_of(most, fixed_s)?);
            let serial = (serial_parts.iter())
                .find(|parts| (&*parts.extractor, &*parts.format) == (extractor, format));
            let never_waiting_costs = serial.map_or(crowded_costs, |parts| {
                let whole =
                    |part: fn(&Division) -> f64| parts.a_batch(part) * crowded_costs.batches as f64;
                Costs {
                    reader_s: whole(|division| division.reader_cpu),
                    writer_s: whole(|division| division.writer_cpu),
                    digests_s: whole(|division| division.digests_cpu),
                    ..crowded_costs
                }
            });
            Some(Roofline {
                extractor: extractor.to_owned(),
                format: format.to_owned(),
                costs,
                costs_of: costs_of_workers,
                crowded_costs,
                crowded_of,
                never_waiting_costs,
                checked: (group.iter())
                    .filter_map(|&pair| Checked::of(pair, fewest, usable, fixed_s))
                    .collect(),
                steps: steps((crowded_of, &crowded_costs), &never_waiting_costs, &group, place),
            })
        });
        rooflines.collect()
    }
}

/// `few` are the costs up to so many cores, `many` those beyond.
fn steps(
    few: (usize, &Costs),
    many: &Costs,
    group: &[(usize, &Series)],
    place: Place,
) -> Vec<Step> {
    let Place { raw_mb, packed_share, .. } = place;
    let mut cores: Vec<usize> = CORES.into_iter().chain(group.iter().map(|(n, _)| *n)).collect();
    cores.sort_unstable();
    cores.dedup();
    let step = |cores: usize| {
        let costs = if cores <= few.0 { few.1 } else { many };
        let wanted = BATCHES_A_WORKER * cores as u64;
        let times = wanted.div_ceil(costs.batches.max(1)).max(1);
        let course = simulate(&costs.repeated(times), cores as f64, cores);
        let modelled = raw_mb * times as f64 / (course.wall_s - costs.fixed_s).max(1e-9);
        let measured = group.iter().find(|(workers, _)| *workers == cores);
        Step {
            cores,
            measured: measured.map(|(_, series)| raw_mb / series.wall_s().median.max(1e-9)),
            modelled,
            bound: Bound::of(&course),
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

    /// The run with other costs of its parts.
    fn with_division(run: Run, change: impl FnOnce(Division) -> Division) -> Run {
        Run { division: run.division.map(change), ..run }
    }

    fn series(workers: usize, wall_s: f64, writer_cpu: f64) -> Series {
        let (reader_cpu, workers_cpu, digests_cpu) = (0.1, 10.0, 0.0);
        let division = Division { batches: 100, reader_cpu, workers_cpu, writer_cpu, digests_cpu };
        let usage = Usage { wall_s, user_s: 10.0, ..Usage::default() };
        let run = Run { usage, division: Some(division), ..Run::default() };
        let (extractor, format) = ("pvalue".to_owned(), "jsonl".to_owned());
        Series { subject: Subject::Extract { workers, extractor, format }, runs: vec![run] }
    }

    const PLACE: Place = Place { raw_mb: 1000.0, packed_share: 0.2, usable: 2 };

    fn roofline(series: &[Series]) -> Roofline {
        Roofline::all(series, &[], PLACE).remove(0)
    }

    /// Half a second of the writer is mostly waking others; where it never waits it takes a tenth
    /// of that, and the reader is the bound.
    #[test]
    fn beyond_what_was_measured_serial_parts_cost_what_they_take_without_waiting() {
        let again = Division {
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
        let roofline = |parts: &[SerialParts]| Roofline::all(&series, parts, PLACE).remove(0);
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
        // 1,000 MB in .5 s is all that the writer can do.
        assert!((roofline.steps[7].modelled - 2000.0).abs() < 20.0, "{:?}", roofline.steps[7]);
        assert!((roofline.steps[7].storage - 400.0).abs() < 4.0);
        let rates: Vec<f64> = roofline.steps.iter().map(|step| step.modelled).collect();
        assert!(rates.windows(2).all(|pair| pair[0] <= pair[1] * 1.001), "{rates:?}");
    }

    #[test]
    fn what_was_measured_stands_beside_the_model_and_nowhere_else() {
        let start = Series {
            subject: Subject::Start,
            runs: vec![Run { usage: Usage { wall_s: 0.25, ..Usage::default() }, ..Run::default() }],
        };
        let roofline = roofline(&[start, series(1, 10.6, 0.5), series(3, 5.0, 0.5)]);
        assert_eq!((roofline.costs_of, roofline.crowded_of, roofline.costs.fixed_s), (1, 1, 0.25));
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
        assert!((one.off.median - (one.modelled_s / 10.6 - 1.0)).abs() < 1e-12);
        assert_eq!(one.off_own, one.off, "they are the runs with the fewest workers");
    }

    /// Two rounds, the second on a machine that others use: each run is held against its own round.
    #[test]
    fn other_programs_and_dearer_workers_are_told_apart_from_faults_of_the_model() {
        let rounds = |workers: usize, walls: [f64; 2], workers_cpu: f64| {
            let mut series = series(workers, walls[0], 0.0);
            let mut second = series.runs[0];
            second.usage.wall_s = walls[1];
            second.others_cores = Some(0.5);
            series.runs.push(second);
            for run in &mut series.runs {
                *run = with_division(*run, |division| Division {
                    workers_cpu,
                    batches: 2000,
                    ..division
                });
            }
            series
        };
        // Two workers take a tenth more CPU time than one; with half a core less they take a third
        // more time.
        let walls = [11.1 / 2.0, 11.1 / 1.5];
        let roofline = roofline(&[rounds(1, [10.1, 10.1], 10.0), rounds(2, walls, 11.0)]);
        let two = roofline.checked[1];
        assert!(two.off_own.greatest.abs() < 0.01 && two.off_own.least.abs() < 0.01, "{two:?}");
        assert!((two.off.median - (10.1 / 11.1 - 1.0)).abs() < 0.01, "{two:?}");
        assert!((two.others - 0.25).abs() < 1e-12, "{two:?}");
    }

    #[test]
    fn digests_that_cost_most_are_the_bound() {
        let mut one = series(1, 10.6, 0.2);
        one.runs[0] =
            with_division(one.runs[0], |division| Division { digests_cpu: 0.4, ..division });
        let last = roofline(&[one]).steps[7];
        assert_eq!(last.bound.name(), "digests");
        assert!((last.modelled - 2500.0).abs() < 25.0, "{last:?}");
    }
}
