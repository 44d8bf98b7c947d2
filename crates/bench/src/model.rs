//! A model of the pipeline: one reader, w workers, one writer that takes batches in order, and one
//! thread that digests the written bytes. Four work items per worker circulate.
//!
//! A part has a cost per batch, in seconds of a core. Threads that can run share the cores evenly:
//! with r threads on c cores each gets min(1, c / r) of a core. All running threads therefore
//! progress at the same rate, and the thread with the least work left ends next. A heap ordered by
//! the work at which each ends is exact. The cost is O(batches · log workers). The number of cores
//! may be a fraction: if other programs kept half a core busy on average, half a core less is left.
//!
//! The model leaves out shared memory and caches, two threads of one core, and storage. It also
//! leaves out the lower clock of a processor whose cores are all busy. The losses of the measured
//! runs to these are part of their CPU time.

use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet, VecDeque};

/// The work items per worker (`huller_pipeline`'s `run.rs`).
const WORK_ITEMS_PER_WORKER: usize = 4;

/// The most batches by which digests may lag behind the writer (`BEHIND` in its
/// `pending_checkpoints.rs`).
const MAX_BATCHES_BEHIND: u64 = 2;

/// The costs of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Costs {
    /// CPU seconds of the reader for the whole run.
    pub reader_s: f64,
    /// CPU seconds of all workers together.
    pub workers_s: f64,
    /// CPU seconds of the writer.
    pub writer_s: f64,
    /// CPU seconds of the digest thread.
    pub digests_s: f64,
    /// The number of batches of the run.
    pub batches: u64,
    /// Seconds before the first batch and after the last: the duration of a run over one small
    /// page.
    pub fixed_s: f64,
}

/// The predicted course of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PredictedRun {
    /// Seconds of the whole run.
    pub wall_s: f64,
    /// The fraction of the time between first and last batch in which the reader could run, from 0
    /// to 1.
    pub reader_busy: f64,
    /// The mean fraction of the workers.
    pub workers_busy: f64,
    /// The fraction of the writer.
    pub writer_busy: f64,
    /// The fraction of the digest thread.
    pub digests_busy: f64,
}

impl Costs {
    /// Returns the costs of a run over the same pages repeated, with `times` times as many batches.
    #[must_use]
    pub fn for_repeated_corpus(self, times: u64) -> Costs {
        let Costs { reader_s, workers_s, writer_s, digests_s, batches, fixed_s } = self;
        let scale = times as f64;
        Costs {
            reader_s: reader_s * scale,
            workers_s: workers_s * scale,
            writer_s: writer_s * scale,
            digests_s: digests_s * scale,
            batches: batches * times,
            fixed_s,
        }
    }

    /// Returns the CPU seconds of all parts.
    pub fn cpu_s(&self) -> f64 {
        self.reader_s + self.workers_s + self.writer_s + self.digests_s
    }
}

/// The end of a running thread's batch: the amount of work done by each thread at that time, the
/// part, and the batch.
#[derive(Clone, Copy, Debug, PartialEq)]
struct BatchEnd {
    /// Work in seconds that each running thread has done by then.
    at: f64,
    part: ModelledThread,
    /// Index of the batch.
    batch: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ModelledThread {
    /// The thread that reads and cuts batches.
    Reader,
    /// A thread that processes batches.
    Worker,
    /// The thread that writes rows in order.
    Writer,
    /// The thread that computes digests of the outputs.
    Digests,
}

impl Eq for BatchEnd {}

impl Ord for BatchEnd {
    fn cmp(&self, other: &BatchEnd) -> std::cmp::Ordering {
        self.at
            .total_cmp(&other.at)
            .then_with(|| (self.part, self.batch).cmp(&(other.part, other.batch)))
    }
}

impl PartialOrd for BatchEnd {
    fn partial_cmp(&self, other: &BatchEnd) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The least number of cores of a run under any load, because the system schedules it fairly.
const MIN_CORES: f64 = 0.1;

/// Runs the model to its end with at least one worker.
pub fn simulate(costs: &Costs, cores: f64, workers: usize) -> PredictedRun {
    let (cores, workers, batches) = (cores.max(MIN_CORES), workers.max(1), costs.batches);
    let each = |seconds: f64| if batches == 0 { 0.0 } else { seconds / batches as f64 };
    let Costs { reader_s, workers_s, writer_s, digests_s, .. } = *costs;
    let [reader, worker, writer, digest] = [reader_s, workers_s, writer_s, digests_s].map(each);
    let (mut free, mut idle) = (workers * WORK_ITEMS_PER_WORKER, workers);
    let (mut cut, mut written, mut digested) = (0, 0, 0);
    let (mut queue, mut processed) = (VecDeque::new(), HashSet::new());
    let (mut is_reading, mut is_writing, mut is_digesting) = (false, false, false);
    let mut running = BinaryHeap::new();
    // `work_s` is the work that each running thread has done since the beginning, `elapsed_s` the
    // time.
    let (mut work_s, mut elapsed_s) = (0.0, 0.0);
    let mut busy = [0.0; 4];
    let mut runs = [0_usize; 4];
    while digested < batches {
        let mut start = |thread: ModelledThread, batch, cost: f64| {
            running.push(Reverse(BatchEnd { at: work_s + cost, part: thread, batch }));
            runs[thread as usize] += 1;
        };
        if !is_reading && free > 0 && cut < batches {
            (free, is_reading) = (free - 1, true);
            start(ModelledThread::Reader, cut, reader);
        }
        while idle > 0
            && let Some(batch) = queue.pop_front()
        {
            idle -= 1;
            start(ModelledThread::Worker, batch, worker);
        }
        if !is_writing && written <= digested + MAX_BATCHES_BEHIND && processed.remove(&written) {
            is_writing = true;
            start(ModelledThread::Writer, written, writer);
        }
        if !is_digesting && digested < written {
            is_digesting = true;
            start(ModelledThread::Digests, digested, digest);
        }
        let threads = running.len();
        let Some(Reverse(BatchEnd { at: end, part: thread, batch })) = running.pop() else { break };
        let step = (end - work_s) / (cores / threads as f64).min(1.0);
        for (sum, count) in busy.iter_mut().zip(runs) {
            *sum += step * count as f64;
        }
        elapsed_s += step;
        work_s = end;
        runs[thread as usize] -= 1;
        match thread {
            ModelledThread::Reader => {
                (is_reading, cut) = (false, cut + 1);
                queue.push_back(batch);
            }
            ModelledThread::Worker => {
                idle += 1;
                processed.insert(batch);
            }
            ModelledThread::Writer => (is_writing, written, free) = (false, written + 1, free + 1),
            ModelledThread::Digests => (is_digesting, digested) = (false, digested + 1),
        }
    }
    let share = |thread: ModelledThread, of: usize| {
        if elapsed_s > 0.0 { busy[thread as usize] / elapsed_s / of as f64 } else { 0.0 }
    };
    PredictedRun {
        wall_s: elapsed_s + costs.fixed_s,
        reader_busy: share(ModelledThread::Reader, 1),
        workers_busy: share(ModelledThread::Worker, workers),
        writer_busy: share(ModelledThread::Writer, 1),
        digests_busy: share(ModelledThread::Digests, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs(reader_s: f64, workers_s: f64, writer_s: f64, batches: u64) -> Costs {
        Costs { reader_s, workers_s, writer_s, batches, ..Costs::default() }
    }

    #[track_caller]
    fn assert_wall(course: PredictedRun, seconds: f64) {
        assert!((course.wall_s - seconds).abs() < 1e-9, "{course:?} is not {seconds} s");
    }

    /// One batch passes reader, worker and writer one after another.
    #[test]
    fn one_batch_takes_the_sum_whatever_the_cores() {
        let one = Costs { fixed_s: 10.0, ..costs(1.0, 5.0, 2.0, 1) };
        for cores in [1, 4, 64] {
            assert_wall(simulate(&one, cores as f64, cores), 18.0);
        }
    }

    /// On one core the parts take turns, so the time is the CPU time.
    #[test]
    fn on_one_core_the_time_is_the_sum_of_all_costs() {
        assert_wall(simulate(&costs(1.0, 10.0, 2.0, 100), 1.0, 1), 13.0);
        assert_wall(simulate(&costs(1.0, 10.0, 2.0, 100), 1.0, 8), 13.0);
    }

    /// With cores for all, one worker takes batch after batch. The first batch is read before, and
    /// the last is written after.
    #[test]
    fn a_worker_is_the_bound_where_it_costs_most() {
        let course = simulate(&costs(10.0, 40.0, 20.0, 10), 3.0, 1);
        assert_wall(course, 1.0 + 40.0 + 2.0);
        assert!((course.workers_busy - 40.0 / 43.0).abs() < 1e-9, "{course:?}");
    }

    /// Ten workers take 4 s of work per batch in .4 s each. The writer takes .5 s per batch and is
    /// the bound.
    #[test]
    fn the_writer_is_the_bound_where_workers_are_many() {
        let course = simulate(&costs(10.0, 400.0, 50.0, 100), 100.0, 10);
        assert_wall(course, 0.1 + 4.0 + 50.0);
        assert!(course.writer_busy > 0.9 && course.workers_busy < 0.9, "{course:?}");
    }

    /// Digests take .6 s per batch, behind a writer of .5 s. They are the bound, and the run waits
    /// for the last of them.
    #[test]
    fn digests_are_the_bound_where_they_cost_most() {
        let costs = Costs { digests_s: 60.0, ..costs(10.0, 400.0, 50.0, 100) };
        let course = simulate(&costs, 100.0, 10);
        assert_wall(course, 0.1 + 4.0 + 0.5 + 60.0);
        assert!(course.digests_busy > 0.9 && course.writer_busy < 0.9, "{course:?}");
    }

    /// Others keep half of one core busy. A run that needs both cores takes a third more time; a
    /// run that needs one core takes the same time.
    #[test]
    fn cores_that_others_take_are_missing_where_all_are_needed() {
        let costs = costs(0.0, 30.0, 0.0, 3000);
        for (workers, whole, shared) in [(2, 15.0, 20.0), (1, 30.0, 30.0)] {
            for (cores, seconds) in [(2.0, whole), (1.5, shared)] {
                let course = simulate(&costs, cores, workers);
                assert!((course.wall_s / seconds - 1.0).abs() < 0.002, "{course:?}, {seconds} s");
            }
        }
    }

    #[test]
    fn nothing_takes_no_time_but_that_of_the_start() {
        let nothing = Costs { fixed_s: 0.5, ..Costs::default() };
        assert_eq!(
            simulate(&nothing, 4.0, 4),
            PredictedRun { wall_s: 0.5, ..PredictedRun::default() }
        );
    }

    #[test]
    fn a_run_repeated_takes_as_many_times_as_long() {
        let once = simulate(&costs(1.0, 9.0, 1.0, 50), 1.0, 1).wall_s;
        assert_wall(simulate(&costs(1.0, 9.0, 1.0, 50).for_repeated_corpus(3), 1.0, 1), 3.0 * once);
    }
}
