//! Measures the CPU time of reader, workers and writer, so that `run.timing` shows the bottleneck
//! of a run.

use crate::slowest_pages::SlowestPages;
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// CPU time of the threads of one run by role, in nanoseconds, summed so far.
#[derive(Debug, Default)]
pub struct Clocks {
    reader: AtomicU64,
    workers: AtomicU64,
    writer: AtomicU64,
    /// Time of the threads that compute digests of outputs. They may outlive the run by a moment.
    digests: Arc<AtomicU64>,
    waiting: AtomicU64,
    batches: AtomicU64,
    /// The slowest pages so far, at most [`MAX_PAGES`](crate::slowest_pages::MAX_PAGES).
    pub slowest: SlowestPages,
}

/// The role of a thread in a run.
#[derive(Clone, Copy, Debug)]
pub enum ThreadRole {
    /// Reads inputs and cuts them into batches.
    Reader,
    /// Turns the records of a batch into rows.
    Worker,
    /// Appends the rows to the outputs, in the order of the inputs.
    Writer,
}

/// The clock of one thread. It reads the clock of the system three times a batch, which costs about
/// a microsecond.
pub struct Clock<'a> {
    clocks: &'a Clocks,
    part: ThreadRole,
    last: Cell<u64>,
}

/// CPU time of a run by role, in seconds, as `run.timing` records it.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CpuTimes {
    /// Batches that the workers processed.
    batches: u64,
    reader_cpu: f64,
    workers_cpu: f64,
    writer_cpu: f64,
    /// CPU time of the threads that compute digests of outputs after the writer.
    digests_cpu: f64,
    /// CPU time that reader, workers and writer spent waiting for one another. A waiting thread
    /// looks again several times before it sleeps. The figures above exclude this time, since the
    /// part that bounds a run never waits.
    waiting_cpu: f64,
}

impl Clocks {
    /// Starts a clock for the calling thread from this moment.
    pub fn start(&self, part: ThreadRole) -> Clock<'_> {
        Clock { clocks: self, part, last: Cell::new(thread_nanoseconds()) }
    }

    /// Returns a clock for a thread that has not started yet. It counts from the start of the
    /// thread.
    pub fn clock_of_new_thread(&self, part: ThreadRole) -> Clock<'_> {
        Clock { clocks: self, part, last: Cell::new(0) }
    }

    /// Returns the counter for threads that compute digests, in nanoseconds.
    pub fn digest_counter(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.digests)
    }

    /// Returns the time that all threads have added so far.
    pub fn division(&self) -> CpuTimes {
        let seconds = |clock: &AtomicU64| clock.load(Ordering::Relaxed) as f64 / 1e9;
        CpuTimes {
            batches: self.batches.load(Ordering::Relaxed),
            reader_cpu: seconds(&self.reader),
            workers_cpu: seconds(&self.workers),
            writer_cpu: seconds(&self.writer),
            digests_cpu: seconds(&self.digests),
            waiting_cpu: seconds(&self.waiting),
        }
    }
}

impl Clock<'_> {
    /// Adds the CPU time since the last call to the role of the thread.
    pub fn add(&self) {
        self.add_to(match self.part {
            ThreadRole::Reader => &self.clocks.reader,
            ThreadRole::Worker => &self.clocks.workers,
            ThreadRole::Writer => &self.clocks.writer,
        });
    }

    /// Adds the CPU time since the last call to the waiting time.
    pub fn add_waiting(&self) {
        self.add_to(&self.clocks.waiting);
    }

    fn add_to(&self, sum: &AtomicU64) {
        let now = thread_nanoseconds();
        sum.fetch_add(now.saturating_sub(self.last.replace(now)), Ordering::Relaxed);
    }

    /// Adds the CPU time since the last call, and counts one batch.
    pub fn add_batch(&self) {
        self.add();
        self.clocks.batches.fetch_add(1, Ordering::Relaxed);
    }
}

/// Returns the CPU time of the calling thread so far, in nanoseconds.
pub fn thread_nanoseconds() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    seconds * 1_000_000_000 + u64::try_from(time.tv_nsec).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_counts_its_own_threads_alone() {
        let clocks = Clocks::default();
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let clock = clocks.start(ThreadRole::Worker);
                    while clock.last.get() == thread_nanoseconds() {}
                    clock.add_waiting();
                    while clock.last.get() == thread_nanoseconds() {}
                    clock.add_batch();
                });
            }
        });
        let CpuTimes { batches, reader_cpu, workers_cpu, writer_cpu, digests_cpu, waiting_cpu } =
            clocks.division();
        assert_eq!((batches, reader_cpu, writer_cpu, digests_cpu), (2, 0.0, 0.0, 0.0));
        assert!(workers_cpu > 0.0 && waiting_cpu > 0.0);
    }
}
