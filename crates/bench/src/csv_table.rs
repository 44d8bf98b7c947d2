//! Every run of a measurement as one line of CSV, with what it depends on.

use crate::bench::Bench;
use crate::error::BenchError;
use crate::series::Subject;

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

impl Bench {
    /// The runs, one a line. What is not known is empty.
    ///
    /// # Errors
    ///
    /// None on any measurement of this crate: the table is written to memory.
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
