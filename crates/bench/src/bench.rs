//! All that was measured.

use crate::corpus::Corpus;
use crate::growth::Growth;
use crate::machine::Machine;
use crate::neighbours::Neighbours;
use crate::roofline::Roofline;
use crate::serial_parts::SerialParts;
use crate::series::{Series, Subject};
use crate::stages::Stages;
use serde::Serialize;

/// What was asked for, as every output repeats it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Asked {
    /// Name and version of this program.
    pub version: String,
    /// Whether it was built with optimisation; without, its figures say nothing.
    pub optimised: bool,
    /// Worker counts.
    pub workers: Vec<usize>,
    /// Runs of each subject.
    pub runs: usize,
    /// Methods.
    pub extractors: Vec<String>,
    /// Output formats.
    pub formats: Vec<String>,
    /// Options of `huller extract` that were passed on.
    pub options: Vec<String>,
    /// Whether a busy machine was accepted.
    pub busy: bool,
}

/// A measurement.
#[derive(Clone, Debug, Serialize)]
pub struct Bench {
    /// The version of this form, 1.
    pub version: u32,
    /// What was asked for.
    pub asked: Asked,
    /// The machine.
    pub machine: Machine,
    /// Clocks of the processors in MHz, least and greatest, before the runs and after them.
    pub clock_mhz: [Option<(f64, f64)>; 2],
    /// Cores that other programs kept busy before the runs, where the system tells.
    pub others_before: Option<f64>,
    /// What was read.
    pub corpus: Corpus,
    /// The subjects with their runs.
    pub series: Vec<Series>,
    /// What the serial parts of each method and format take where they never wait.
    pub serial_parts: Vec<SerialParts>,
    /// The model of each method and format.
    pub rooflines: Vec<Roofline>,
    /// The cost of each stage apart, if it was asked for.
    pub stages: Option<Stages>,
    /// The cost by records and bytes, if it was asked for.
    pub growth: Option<Growth>,
}

impl Bench {
    /// Cores that other programs kept busy: before the runs, and the median and most of the runs, where the system tells.
    pub fn others(&self) -> Option<f64> {
        let runs = self.series.iter().flat_map(|series| &series.runs);
        let during: Vec<f64> = runs.filter_map(|run| run.others_cores).collect();
        if during.is_empty() {
            return self.others_before;
        }
        Some(crate::statistics::median(during).max(self.others_before.unwrap_or_default()))
    }

    /// Whether other programs took so much that the figures say little of this one.
    pub fn is_disturbed(&self) -> bool {
        let most = Neighbours::most(self.machine.processors);
        self.others().is_some_and(|cores| cores > most)
    }

    /// The series of `huller extract` with this method and format, by ascending workers.
    pub(crate) fn extracts(&self, extractor: &str, format: &str) -> Vec<(usize, &Series)> {
        let mut series: Vec<_> = (self.series.iter())
            .filter_map(|series| match &series.subject {
                Subject::Extract { workers, extractor: e, format: f }
                    if e == extractor && f == format =>
                {
                    Some((*workers, series))
                }
                _ => None,
            })
            .collect();
        series.sort_by_key(|(workers, _)| *workers);
        series
    }
}
