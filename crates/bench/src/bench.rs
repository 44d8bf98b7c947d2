//! All that was measured, and each run of it as one line of CSV with what it depends on.

use crate::corpus::Corpus;
use crate::error::BenchError;
use crate::growth::Growth;
use crate::machine::Machine;
use crate::neighbours::Neighbours;
use crate::roofline::Roofline;
use crate::serial_parts::SerialParts;
use crate::series::{Series, Subject};
use crate::stages::Stages;
use serde::Serialize;

/// The columns of `bench.csv`.
const COLUMNS: [&str; 27] = [
    "subject",
    "extractor",
    "format",
    "workers",
    "run",
    "wall_s",
    "user_s",
    "system_s",
    "peak_bytes",
    "records",
    "rows",
    "out_bytes",
    "batches",
    "reader_cpu_s",
    "workers_cpu_s",
    "writer_cpu_s",
    "digests_cpu_s",
    "others_cores",
    "raw_bytes",
    "packed_bytes",
    "corpus_digest",
    "version",
    "options",
    "processor",
    "processors",
    "memory_bytes",
    "kernel",
];

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
    /// Returns how many cores other programs kept busy, where the system reports it. The count is
    /// the larger one of two: before the runs, and in the median run.
    pub fn others(&self) -> Option<f64> {
        let runs = self.series.iter().flat_map(|series| &series.runs);
        let during: Vec<f64> = runs.filter_map(|run| run.others_cores).collect();
        let during = (!during.is_empty()).then(|| crate::statistics::median(during));
        let growing = self.growth.as_ref().and_then(|growth| growth.others_cores);
        [self.others_before, during, growing].into_iter().flatten().reduce(f64::max)
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

    /// Writes one line for each run. A field is empty if its value is not known.
    ///
    /// # Errors
    ///
    /// The table is written to memory, so every measurement of this crate succeeds.
    pub fn to_csv(&self) -> Result<Vec<u8>, BenchError> {
        let failed = |error: csv::Error| BenchError::Io {
            path: "bench.csv".into(),
            source: std::io::Error::other(error),
        };
        let mut table = csv::Writer::from_writer(Vec::new());
        table.write_record(COLUMNS).map_err(failed)?;
        let Bench { asked, machine, corpus, .. } = self;
        for series in &self.series {
            let (kind, extractor, format, workers) = match &series.subject {
                Subject::Start => ("start", "", "", "1".to_owned()),
                Subject::Extract { workers, extractor, format } => {
                    ("extract", &**extractor, &**format, workers.to_string())
                }
                Subject::Other { command } => (&**command, "", "", String::new()),
            };
            for (number, run) in series.runs.iter().enumerate() {
                let is_start = series.subject == Subject::Start;
                let seconds = |seconds: f64| format!("{seconds:.6}");
                let part = |part: Option<f64>| part.map(seconds).unwrap_or_default();
                let division = run.division.as_ref();
                table
                    .write_record([
                        kind.to_owned(),
                        extractor.to_owned(),
                        format.to_owned(),
                        workers.clone(),
                        (number + 1).to_string(),
                        seconds(run.usage.wall_s),
                        seconds(run.usage.user_s),
                        seconds(run.usage.system_s),
                        run.usage.peak_bytes.to_string(),
                        count(run.records),
                        count(run.rows),
                        count(run.out_bytes),
                        count(division.map(|division| division.batches)),
                        part(division.map(|division| division.reader_cpu)),
                        part(division.map(|division| division.workers_cpu)),
                        part(division.map(|division| division.writer_cpu)),
                        part(division.map(|division| division.digests_cpu)),
                        part(run.others_cores),
                        count((!is_start).then_some(corpus.raw_bytes)),
                        count((!is_start).then_some(corpus.packed_bytes)),
                        if is_start { String::new() } else { corpus.digest.clone() },
                        asked.version.clone(),
                        asked.options.join(" "),
                        machine.processor.clone(),
                        machine.processors.to_string(),
                        machine.memory_bytes.to_string(),
                        machine.kernel.clone(),
                    ])
                    .map_err(failed)?;
            }
        }
        table.into_inner().map_err(|error| failed(error.into_error().into()))
    }
}

fn count(number: Option<u64>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}
