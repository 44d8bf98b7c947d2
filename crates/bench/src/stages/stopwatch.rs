//! Divides the CPU time of the calling thread among numbered stages.

use huller_pipeline::thread_nanoseconds as now;
use std::cell::Cell;

/// Sums of CPU time per stage. The probe of a page's steps and the sink of its rows share it.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    sums: Vec<Cell<u64>>,
    /// CPU time of the last reading, in nanoseconds.
    last: Cell<u64>,
    /// The cost of one reading of the clock, in nanoseconds.
    reading: u64,
}

impl Stopwatch {
    /// Makes a stopwatch for `stages` stages, and measures the cost of a reading.
    pub(crate) fn new(stages: usize) -> Stopwatch {
        const CLOCK_READINGS: u64 = 2000;
        let started = now();
        let last_reading = (0..CLOCK_READINGS).fold(started, |_, _| now());
        Stopwatch {
            sums: vec![Cell::new(0); stages],
            last: Cell::new(last_reading),
            reading: (last_reading - started) / CLOCK_READINGS,
        }
    }

    /// Ends a lap that belongs to no stage.
    pub(crate) fn restart(&self) {
        self.last.set(now());
    }

    /// Adds the time since the last call to this stage.
    pub(crate) fn lap(&self, stage: usize) {
        let now = now();
        let sum = &self.sums[stage];
        sum.set(sum.get() + (now - self.last.get()).saturating_sub(self.reading));
        self.last.set(now);
    }

    /// Returns the seconds of each stage.
    pub(crate) fn seconds(&self) -> Vec<f64> {
        self.sums.iter().map(|sum| sum.get() as f64 / 1e9).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_counts_for_its_stage_and_for_no_other() {
        let watch = Stopwatch::new(3);
        let busy = || (0..200_000_u64).fold(1_u64, |x, i| std::hint::black_box(x ^ i));
        watch.restart();
        busy();
        watch.lap(1);
        busy();
        watch.restart();
        let seconds = watch.seconds();
        assert!(seconds[1] > 0.0, "{seconds:?}");
        assert_eq!((seconds[0], seconds[2]), (0.0, 0.0));
    }
}
