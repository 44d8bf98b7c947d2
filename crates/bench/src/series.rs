//! The subjects of a measurement, and their runs.

use crate::process::Usage;
use crate::statistics::Spread;
use serde::{Deserialize, Serialize};

/// The subject of a measurement: a process of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MeasuredProcess {
    /// `huller extract` over a file with one page of a few bytes. It measures the time of a run
    /// before the first batch and after the last.
    Start,
    /// `huller extract` over the corpus.
    Extract {
        /// The number of workers.
        workers: usize,
        /// The extractor, or several separated by commas.
        extractor: String,
        /// The output format.
        format: String,
    },
    /// Another program over the corpus, by the user's command line.
    Other {
        /// The command line.
        command: String,
    },
}

impl MeasuredProcess {
    /// Returns its name in messages.
    pub fn name(&self) -> String {
        match self {
            MeasuredProcess::Start => "a run over one small page".to_owned(),
            MeasuredProcess::Extract { workers, extractor, format } => {
                format!("{extractor}, {format}, -j{workers}")
            }
            MeasuredProcess::Other { command } => command.clone(),
        }
    }
}

/// One run of a subject.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Run {
    /// The kernel's figures of the process.
    #[serde(flatten)]
    pub usage: Usage,
    /// The number of records that it read, if it reports them.
    pub records: Option<u64>,
    /// The number of rows that it wrote, if it reports them.
    pub rows: Option<u64>,
    /// The bytes of its outputs, if known.
    pub out_bytes: Option<u64>,
    /// The division of its CPU time, if it reports it.
    #[serde(flatten)]
    pub division: Option<CpuTimes>,
    /// The number of cores that other programs kept busy during the run, if the system reports it.
    pub others_cores: Option<f64>,
}

/// The CPU time of a run's threads, as in `run.timing`.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
pub struct CpuTimes {
    /// The number of batches.
    pub batches: u64,
    /// CPU seconds of the reader.
    pub reader_cpu: f64,
    /// CPU seconds of all workers.
    pub workers_cpu: f64,
    /// CPU seconds of the writer.
    pub writer_cpu: f64,
    /// CPU seconds of the digest threads behind it. Older programs had no such threads and do not
    /// report it.
    #[serde(default)]
    pub digests_cpu: f64,
}

/// A subject and all its runs.
#[derive(Clone, Debug, Serialize)]
pub struct Series {
    /// The subject.
    pub subject: MeasuredProcess,
    /// Its runs in order.
    pub runs: Vec<Run>,
}

impl Series {
    /// Returns median and bounds of a figure over the runs.
    pub fn spread(&self, figure: impl Fn(&Run) -> f64) -> Spread {
        Spread::from_figures(self.runs.iter().map(figure))
    }

    /// Returns median and bounds of the seconds from start to end.
    pub fn wall_s(&self) -> Spread {
        self.spread(|run| run.usage.wall_s)
    }

    /// Returns median and bounds of the CPU seconds.
    pub fn cpu_s(&self) -> Spread {
        self.spread(|run| run.usage.cpu_s())
    }

    /// Returns the largest peak of memory of the runs, in bytes.
    pub fn peak_bytes(&self) -> u64 {
        self.runs.iter().map(|run| run.usage.peak_bytes).max().unwrap_or_default()
    }

    /// Returns the number of rows of each run, if it reports them.
    pub fn rows(&self) -> Option<u64> {
        self.runs.first()?.rows
    }

    /// Returns the median of a part of the CPU time, if the runs report it.
    pub fn part(&self, cpu_time: impl Fn(&CpuTimes) -> f64) -> Option<f64> {
        let parts: Option<Vec<f64>> =
            self.runs.iter().map(|run| run.division.as_ref().map(&cpu_time)).collect();
        parts.map(crate::statistics::median)
    }
}
