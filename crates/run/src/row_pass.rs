//! Reads the rows of whole corpora, for commands that make one output of all rows, such as a graph.
//!
//! Inputs are read one after another. The next chunk of rows is read while all threads parse the
//! last one. Parsed rows are added in the order of the inputs, so the output has the same bytes for
//! any number of threads.

use crate::counters::Counters;
use crate::monitor::{Monitor, Progress};
use crate::plan::{Job, JobSource, Plan, PlanError, PlanOptions};
use crate::summary::{IgnoredFiles, InputSummary, UnusableInput};
use huller_archive::{Limits, Stores};
use huller_corpus::{CorpusError, RowChunk, RowReader};
use huller_refine::Reason;
use rayon::prelude::*;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Fewest bytes of the longest row that is read, for any memory limit.
const MIN_ROW_LIMIT_BYTES: usize = 1 << 16;

/// Longest row that is read, as a part of the memory.
const ROW_PART: usize = 32;

/// Receives the rows of a pass.
pub trait RowSink: Send + Sync {
    /// A row, as [`RowSink::add`] needs it.
    type Parsed: Send;

    /// Parses a row. All threads call it.
    ///
    /// # Errors
    ///
    /// The reason why the row is skipped.
    fn parse(&self, row: &[u8]) -> Result<Self::Parsed, Reason>;

    /// Adds a row, in the order of the inputs. Counts it as written or rejected.
    ///
    /// # Errors
    ///
    /// The disk is full or fails.
    fn add(&mut self, row: Self::Parsed, counters: &mut Counters) -> io::Result<()>;

    /// Returns why an input counts as unusable although it was read to its end, by the counters of
    /// its rows.
    fn unusable_reason(&self, counters: &Counters) -> Option<String>;
}

/// The rows of a corpus.
#[derive(Debug)]
pub struct RowPass {
    plan: Plan,
    /// Longest row in bytes.
    longest: usize,
}

/// The result of a pass.
#[derive(Clone, Debug, Default)]
pub struct PassSummary {
    /// Statistics of every input.
    pub inputs: Vec<InputSummary>,
    /// Inputs that could not be used, or not to their end.
    pub unusable: Vec<UnusableInput>,
    /// Files in the folders of inputs that are not rows.
    pub ignored: IgnoredFiles,
    /// Whether the pass was interrupted.
    pub is_interrupted: bool,
}

impl RowPass {
    /// Plans a pass over files and folders of rows. `out` is the output, which no folder of inputs
    /// gives as an input. A row may have a thirty-second of `memory` bytes, and at least 64 KiB.
    ///
    /// # Errors
    ///
    /// The inputs give no plan.
    pub fn new(
        inputs: &[PathBuf],
        out: &Path,
        stores: &Stores,
        memory: usize,
    ) -> Result<RowPass, PlanError> {
        let (outputs, stores) = (vec![out.to_owned()], stores.clone());
        let mut plan =
            Plan::new(inputs, &PlanOptions { outputs, stores, ..PlanOptions::default() })?;
        for job in std::mem::take(&mut plan.jobs) {
            if matches!(job.source, JobSource::File(_)) {
                plan.jobs.push(job);
            } else {
                plan.unusable.push((job.name, CorpusError::Pages.to_string()));
            }
        }
        Ok(RowPass { plan, longest: (memory / ROW_PART).max(MIN_ROW_LIMIT_BYTES) })
    }

    /// Reads all rows. Call it in the thread pool that shall parse them.
    ///
    /// # Errors
    ///
    /// The sink failed. Inputs that cannot be used are in the summary instead.
    pub fn read<S: RowSink>(
        &self,
        sink: &mut S,
        monitor: &mut (dyn Monitor + Send),
        stop: &AtomicBool,
    ) -> io::Result<PassSummary> {
        let ignored = self.plan.ignored.clone();
        let summary = PassSummary { ignored, ..PassSummary::default() };
        let mut reading = Reading { sink, monitor, stop, summary, rows: 0 };
        for (input, error) in &self.plan.unusable {
            reading.note_unusable(input, error);
        }
        for job in &self.plan.jobs {
            if !reading.read(job, &self.plan.stores, self.longest)? {
                reading.summary.is_interrupted = true;
                break;
            }
        }
        Ok(reading.summary)
    }
}

/// A pass while it reads.
struct Reading<'a, S> {
    sink: &'a mut S,
    monitor: &'a mut (dyn Monitor + Send),
    stop: &'a AtomicBool,
    summary: PassSummary,
    /// Rows read so far.
    rows: u64,
}

/// The way in which the reading of an input ended.
enum Ending {
    Whole,
    Interrupted,
    Failed(CorpusError),
}

impl<S: RowSink> Reading<'_, S> {
    /// Reads the rows of an input. Returns false if the run was interrupted.
    fn read(&mut self, job: &Job, stores: &Stores, longest: usize) -> io::Result<bool> {
        let limits = Limits { record_bytes: longest, ..Limits::default() };
        let path = job.files().next().unwrap_or(Path::new(""));
        let mut counters = Counters::default();
        let ending = match RowReader::open_in(stores, path, &limits) {
            Ok(mut reader) => self.read_chunks(&mut reader, &mut counters)?,
            Err(error) => Ending::Failed(error),
        };
        let unusable_reason = match &ending {
            Ending::Interrupted => return Ok(false),
            Ending::Failed(error) => Some(error.to_string()),
            Ending::Whole => {
                self.sink.unusable_reason(&counters).or_else(|| counters.unusable_reason(true))
            }
        };
        if let Some(reason) = unusable_reason {
            self.note_unusable(&job.name, &reason);
        }
        let (name, bytes) = (job.name.clone(), job.bytes.unwrap_or_default());
        self.summary.inputs.push(InputSummary { name, bytes, counters });
        Ok(true)
    }

    fn read_chunks(
        &mut self,
        reader: &mut RowReader,
        counters: &mut Counters,
    ) -> io::Result<Ending> {
        let mut chunk = reader.next_chunk();
        loop {
            let now = match chunk {
                Ok(Some(now)) => now,
                Ok(None) => return Ok(Ending::Whole),
                Err(error) => return Ok(Ending::Failed(error)),
            };
            // The next rows are read while these are parsed.
            let (next, added) = rayon::join(|| reader.next_chunk(), || self.add(&now, counters));
            added?;
            self.monitor.progress(Progress { rows: self.rows, ..Progress::default() });
            if self.stop.load(Ordering::Relaxed) {
                return Ok(Ending::Interrupted);
            }
            chunk = next;
        }
    }

    /// Parses the rows of a chunk on all threads, and adds them.
    fn add(&mut self, chunk: &RowChunk, counters: &mut Counters) -> io::Result<()> {
        chunk.faults().iter().for_each(|(_, fault)| counters.add_rejected(fault.reason));
        let rows: Vec<_> = chunk.rows().map(|(_, row)| row).collect();
        self.rows += rows.len() as u64;
        let sink = &*self.sink;
        let parsed: Vec<_> = rows.par_iter().with_min_len(64).map(|row| sink.parse(row)).collect();
        for row in parsed {
            match row {
                Ok(row) => self.sink.add(row, counters)?,
                Err(reason) => counters.add_rejected(reason),
            }
        }
        Ok(())
    }

    /// Notes that an input could not be used, or not to its end.
    fn note_unusable(&mut self, input: &str, error: &str) {
        self.monitor.unusable(input, error);
        let (input, error) = (input.to_owned(), error.to_owned());
        self.summary.unusable.push(UnusableInput { input, error });
    }
}

/// Returns whether an output is an input of a pass, or lies in a folder of inputs.
pub fn is_among_inputs(out: &Path, inputs: &[PathBuf]) -> bool {
    // The output may be missing. The nearest folder above it exists.
    let Ok(absolute) = std::path::absolute(out) else { return false };
    let above = absolute.ancestors().find_map(|folder| folder.canonicalize().ok());
    let real = out.canonicalize().ok().or(above).unwrap_or(absolute);
    let inputs = inputs.iter().filter_map(|input| input.canonicalize().ok());
    inputs.into_iter().any(|input| input.is_dir() && real.starts_with(&input) || input == real)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn outputs_in_folders_of_inputs_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("in")).unwrap();
        fs::write(at("rows.jsonl"), "{}").unwrap();
        for (out, is_among) in [
            ("in", true),
            ("in/new", true),
            ("in/../in/a/b", true),
            ("rows.jsonl", true),
            ("new", false),
            ("new/rows.jsonl", false),
        ] {
            let inputs = [at("in"), at("rows.jsonl"), at("missing")];
            assert_eq!(is_among_inputs(&at(out), &inputs), is_among, "{out}");
        }
    }
}
