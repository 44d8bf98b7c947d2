//! CPU time of the calling thread, divided among numbered stages.

use huller_pipeline::thread_nanoseconds as now;

/// Sums for numbered stages.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    sums: Vec<u64>,
    last: u64,
    /// What one reading of the clock costs, in nanoseconds.
    reading: u64,
}

impl Stopwatch {
    /// For so many stages. Measures what a reading costs.
    pub(crate) fn new(stages: usize) -> Stopwatch {
        const READINGS: u64 = 2000;
        let started = now();
        let last = (0..READINGS).fold(started, |_, _| now());
        Stopwatch { sums: vec![0; stages], last, reading: (last - started) / READINGS }
    }

    /// What was done since the last call belongs to no stage.
    pub(crate) fn restart(&mut self) {
        self.last = now();
    }

    /// What was done since the last call belongs to this stage.
    pub(crate) fn lap(&mut self, stage: usize) {
        let now = now();
        self.sums[stage] += (now - self.last).saturating_sub(self.reading);
        self.last = now;
    }

    /// Seconds of each stage.
    pub(crate) fn seconds(&self) -> Vec<f64> {
        self.sums.iter().map(|sum| *sum as f64 / 1e9).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_counts_for_its_stage_and_for_no_other() {
        let mut watch = Stopwatch::new(3);
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
