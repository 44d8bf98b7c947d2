//! The whole measurement, and its form as CSV: one line per run with everything that the run
//! depends on.

use crate::corpus::Corpus;
use crate::error::BenchError;
use crate::growth::Growth;
use crate::machine::Machine;
use crate::neighbours::Neighbours;
use crate::roofline::Roofline;
use crate::serial_parts::SerialParts;
use crate::series::{MeasuredProcess, Series};
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

/// The request of the user, which every output repeats.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BenchRequest {
    /// The name and version of this program.
    pub version: String,
    /// Whether the program was built with optimisation. The figures are meaningless without it.
    pub optimised: bool,
    /// The worker counts.
    pub workers: Vec<usize>,
    /// The number of runs of each subject.
    pub runs: usize,
    /// The extractors.
    pub extractors: Vec<String>,
    /// The output formats.
    pub formats: Vec<String>,
    /// The options of `huller extract` that the user passed on.
    pub options: Vec<String>,
    /// Whether the user accepted a busy machine.
    pub busy: bool,
}

/// A whole measurement.
#[derive(Clone, Debug, Serialize)]
pub struct Bench {
    /// The version of this format, 1.
    pub version: u32,
    /// The request of the user.
    #[serde(rename = "asked")]
    pub request: BenchRequest,
    /// The machine.
    pub machine: Machine,
    /// The clocks of the processors in MHz, least and greatest, before the runs and after them.
    pub clock_mhz: [Option<(f64, f64)>; 2],
    /// The number of cores that other programs kept busy before the runs, where the system reports
    /// it.
    pub others_before: Option<f64>,
    /// The corpus that was read.
    pub corpus: Corpus,
    /// The subjects with their runs.
    pub series: Vec<Series>,
    /// The costs of the serial parts of each extractor and format where they never wait.
    pub serial_parts: Vec<SerialParts>,
    /// The model of each extractor and format.
    pub rooflines: Vec<Roofline>,
    /// The cost of each stage by itself, if requested.
    pub stages: Option<Stages>,
    /// The cost by records and bytes, if requested.
    pub growth: Option<Growth>,
}

impl Bench {
    /// Returns the number of cores that other programs kept busy, where the system reports it. It
    /// is the larger of two numbers: before the runs, and in the median run.
    pub fn busy_cores_of_others(&self) -> Option<f64> {
        let runs = self.series.iter().flat_map(|series| &series.runs);
        let during: Vec<f64> = runs.filter_map(|run| run.others_cores).collect();
        let during = (!during.is_empty()).then(|| crate::statistics::median(during));
        let growing = self.growth.as_ref().and_then(|growth| growth.others_cores);
        [self.others_before, during, growing].into_iter().flatten().reduce(f64::max)
    }

    /// Returns whether other programs used so much CPU time that the figures are unreliable.
    pub fn is_disturbed(&self) -> bool {
        let noise_limit = Neighbours::noise_limit(self.machine.processors);
        self.busy_cores_of_others().is_some_and(|cores| cores > noise_limit)
    }

    /// Returns the series of `huller extract` with this extractor and format, by ascending workers.
    pub(crate) fn extract_series(&self, extractor: &str, format: &str) -> Vec<(usize, &Series)> {
        let mut series: Vec<_> = (self.series.iter())
            .filter_map(|series| match &series.subject {
                MeasuredProcess::Extract { workers, extractor: e, format: f }
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

    /// Returns a table with one line per run. A field is empty if its value is unknown.
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
        let Bench { request, machine, corpus, .. } = self;
        for series in &self.series {
            let (kind, extractor, format, workers) = match &series.subject {
                MeasuredProcess::Start => ("start", "", "", "1".to_owned()),
                MeasuredProcess::Extract { workers, extractor, format } => {
                    ("extract", &**extractor, &**format, workers.to_string())
                }
                MeasuredProcess::Other { command } => (&**command, "", "", String::new()),
            };
            for (number, run) in series.runs.iter().enumerate() {
                let is_start = series.subject == MeasuredProcess::Start;
                let seconds = |seconds: f64| format!("{seconds:.6}");
                let seconds_or_empty = |seconds_or_empty: Option<f64>| {
                    seconds_or_empty.map(seconds).unwrap_or_default()
                };
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
                        count_text(run.records),
                        count_text(run.rows),
                        count_text(run.out_bytes),
                        count_text(division.map(|division| division.batches)),
                        seconds_or_empty(division.map(|division| division.reader_cpu)),
                        seconds_or_empty(division.map(|division| division.workers_cpu)),
                        seconds_or_empty(division.map(|division| division.writer_cpu)),
                        seconds_or_empty(division.map(|division| division.digests_cpu)),
                        seconds_or_empty(run.others_cores),
                        count_text((!is_start).then_some(corpus.raw_bytes)),
                        count_text((!is_start).then_some(corpus.packed_bytes)),
                        if is_start { String::new() } else { corpus.digest.clone() },
                        request.version.clone(),
                        request.options.join(" "),
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

fn count_text(number: Option<u64>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}
