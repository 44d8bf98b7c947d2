//! Measures the serial parts of a run where they never wait for workers: the reader, the writer,
//! and the digests. A run has one thread for each of them.
//!
//! In a run with few workers these parts wait most of the time. A waiting thread sleeps, and must
//! be woken for every batch, which costs more than half of its work. On a machine with very many
//! cores these parts are the bound and never wait. To measure their cost there, synthetic workers
//! replay the results of real ones ([`Recording`]).

use crate::error::BenchError;
use crate::series::CpuTimes;
use crate::statistics::median;
use huller_pipeline::{Plan, Recording, Settings};
use serde::Serialize;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The least number of replays of each recording. One replay takes a hundredth of a run.
const MIN_RUNS: usize = 5;

/// The kind of run whose serial parts are measured.
#[derive(Clone, Debug)]
pub struct MeasuredKind {
    /// The extractor.
    pub extractor: String,
    /// The output format.
    pub format: String,
    /// The settings of its runs.
    pub settings: Settings,
}

/// The serial parts of runs with one extractor and one format.
#[derive(Clone, Debug, Serialize)]
pub struct SerialParts {
    /// The extractor.
    pub extractor: String,
    /// The output format.
    pub format: String,
    /// The runs with synthetic workers. Their workers' time covers only reading batches and passing
    /// results on.
    pub runs: Vec<CpuTimes>,
}

impl SerialParts {
    /// Records a run of each kind in this process. Replays it `runs` times, at least five, with a
    /// synthetic worker for each of `workers`.
    ///
    /// # Errors
    ///
    /// An input can no longer be read, the folder is full, or `stop` is set.
    pub fn measure(
        plan: &Plan,
        kinds: Vec<MeasuredKind>,
        (runs, workers): (usize, usize),
        folder: &Path,
        stop: &Arc<AtomicBool>,
    ) -> Result<Vec<SerialParts>, BenchError> {
        let output = folder.join("serial-parts");
        let remove = || fs::remove_dir_all(&output).map_err(BenchError::io(&output));
        let mut measured = Vec::new();
        for MeasuredKind { extractor, format, settings } in kinds {
            let recording = Recording::record(plan, &settings, &output, stop)?;
            remove()?;
            let mut divisions = Vec::new();
            for _ in 0..runs.max(MIN_RUNS) {
                recording.replay(&output, workers, stop)?;
                divisions.push(CpuTimes::from_run(&output)?);
                remove()?;
                if stop.load(Ordering::Relaxed) {
                    return Err(BenchError::Interrupted);
                }
            }
            measured.push(SerialParts { extractor, format, runs: divisions });
        }
        Ok(measured)
    }

    /// Returns the median of a part, in seconds per batch.
    pub(crate) fn a_batch(&self, cpu_time: impl Fn(&CpuTimes) -> f64) -> f64 {
        median(self.runs.iter().map(|run| cpu_time(run) / run.batches.max(1) as f64))
    }
}
