//! What the serial parts of a run take where workers never let them wait: the reader, the writer,
//! and the digests behind it, of which a run has one thread each.
//!
//! In a run with few workers these parts wait most of the time. A thread that waits sleeps, and
//! must be woken for every batch, which costs more than half of what it does. On a machine with
//! very many cores they are the bound and never wait, so their cost there is measured by synthetic
//! workers, which hand on what real ones made before ([`Recording`]).

use crate::error::BenchError;
use crate::series::Division;
use crate::statistics::median;
use huller_pipeline::{Plan, Recording, Settings};
use serde::Serialize;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Replays of each recording, at least. One takes a hundredth of a run.
const LEAST_RUNS: usize = 5;

/// What a run is that serial parts are measured of.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The method.
    pub extractor: String,
    /// The output format.
    pub format: String,
    /// The settings of its runs.
    pub settings: Settings,
}

/// The serial parts of runs by one method to one format.
#[derive(Clone, Debug, Serialize)]
pub struct SerialParts {
    /// The method.
    pub extractor: String,
    /// The output format.
    pub format: String,
    /// The runs with synthetic workers. Their workers' time is that of reading batches and handing
    /// on products.
    pub runs: Vec<Division>,
}

impl SerialParts {
    /// Records a run of each kind in this process, and replays it `runs` times, at least five, with
    /// a synthetic worker for each of `workers`.
    ///
    /// # Errors
    ///
    /// An input cannot be read any more, the folder has no room, or `stop` is set.
    pub fn measure(
        plan: &Plan,
        kinds: Vec<Measured>,
        (runs, workers): (usize, usize),
        folder: &Path,
        stop: &Arc<AtomicBool>,
    ) -> Result<Vec<SerialParts>, BenchError> {
        let output = folder.join("serial-parts");
        let remove = || fs::remove_dir_all(&output).map_err(BenchError::io(&output));
        let mut all = Vec::new();
        for Measured { extractor, format, settings } in kinds {
            let recording = Recording::make(plan, &settings, &output, stop)?;
            remove()?;
            let mut divisions = Vec::new();
            for _ in 0..runs.max(LEAST_RUNS) {
                recording.replay(&output, workers, stop)?;
                divisions.push(Division::of_run(&output)?);
                remove()?;
                if stop.load(Ordering::Relaxed) {
                    return Err(BenchError::Interrupted);
                }
            }
            all.push(SerialParts { extractor, format, runs: divisions });
        }
        Ok(all)
    }

    /// The median of a part, in seconds a batch.
    pub(crate) fn a_batch(&self, part: impl Fn(&Division) -> f64) -> f64 {
        median(self.runs.iter().map(|run| part(run) / run.batches.max(1) as f64))
    }
}
