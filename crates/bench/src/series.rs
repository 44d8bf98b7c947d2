//! What is measured, and its runs.

use crate::process::Usage;
use crate::statistics::Spread;
use serde::{Deserialize, Serialize};

/// What a process does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// `huller extract` over a file with one page of a few bytes: what a run takes before the first
    /// batch and after the last.
    Start,
    /// `huller extract` over the corpus.
    Extract {
        /// Workers.
        workers: usize,
        /// The method, or several with commas between them.
        extractor: String,
        /// The output format.
        format: String,
    },
    /// Another program over the corpus, as its command line was given.
    Other {
        /// The command line.
        command: String,
    },
}

impl Subject {
    /// What to call it in messages.
    pub fn name(&self) -> String {
        match self {
            Subject::Start => "a run over one small page".to_owned(),
            Subject::Extract { workers, extractor, format } => {
                format!("{extractor}, {format}, -j{workers}")
            }
            Subject::Other { command } => command.clone(),
        }
    }
}

/// One run of a subject.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Run {
    /// What the kernel says of the process.
    #[serde(flatten)]
    pub usage: Usage,
    /// Records that it read, if it tells.
    pub records: Option<u64>,
    /// Rows that it wrote, if it tells.
    pub rows: Option<u64>,
    /// Bytes of its outputs, if they are known.
    pub out_bytes: Option<u64>,
    /// How its CPU time divides, if it tells.
    #[serde(flatten)]
    pub division: Option<Division>,
    /// Cores that other programs kept busy meanwhile, if the system tells.
    pub others_cores: Option<f64>,
}

/// The CPU time of a run's threads, as `run.timing` has it.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
pub struct Division {
    /// Batches.
    pub batches: u64,
    /// CPU seconds of the reader.
    pub reader_cpu: f64,
    /// Of all workers.
    pub workers_cpu: f64,
    /// Of the writer.
    pub writer_cpu: f64,
    /// Of the threads of digests behind it. Programs had none before this was told.
    #[serde(default)]
    pub digests_cpu: f64,
}

/// A subject and all its runs.
#[derive(Clone, Debug, Serialize)]
pub struct Series {
    /// What ran.
    pub subject: Subject,
    /// Its runs in the order in which they were made.
    pub runs: Vec<Run>,
}

impl Series {
    /// Median and bounds of a figure over the runs.
    pub fn spread(&self, of: impl Fn(&Run) -> f64) -> Spread {
        Spread::of(self.runs.iter().map(of))
    }

    /// Median and bounds of the seconds from start to end.
    pub fn wall_s(&self) -> Spread {
        self.spread(|run| run.usage.wall_s)
    }

    /// Median and bounds of the CPU seconds.
    pub fn cpu_s(&self) -> Spread {
        self.spread(|run| run.usage.cpu_s())
    }

    /// The most memory of any run, in bytes.
    pub fn peak_bytes(&self) -> u64 {
        self.runs.iter().map(|run| run.usage.peak_bytes).max().unwrap_or_default()
    }

    /// Rows of each run, if it tells.
    pub fn rows(&self) -> Option<u64> {
        self.runs.first()?.rows
    }

    /// The median of a part of the CPU time, if the runs tell.
    pub fn part(&self, of: impl Fn(&Division) -> f64) -> Option<f64> {
        let parts: Option<Vec<f64>> =
            self.runs.iter().map(|run| run.division.as_ref().map(&of)).collect();
        parts.map(crate::statistics::median)
    }
}
