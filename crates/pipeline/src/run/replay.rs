//! Runs with synthetic workers, which pass on recorded results for the same batches. Such a run
//! measures the serial parts: the reader, the writer, and the digests behind it. They never wait
//! for workers. So its `run.timing` reports their cost where they are the limit, as on machines
//! with very many cores.

use super::{WorkFactory, run_with, thread_work};
use crate::settings::Settings;
use crate::work::signed_rows::SignedRows;
use crate::work_item::{BatchOutput, FileSplit, WorkItem};
use huller_run::counters::Counters;
use huller_run::error::RunError;
use huller_run::monitor::SilentMonitor;
use huller_run::options::Options;
use huller_run::options::OutputTo;
use huller_run::plan::Plan;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of products that a recording holds. The recorded run ends when it has so many.
const MAX_BYTES: usize = 512 << 20;

/// The recorded results of a run's workers, for later replays. A limit of rows has no effect.
/// Rejects, dropped rows, and rows that the writer repairs are left out.
pub struct Recording<'p> {
    plan: &'p Plan,
    settings: Settings,
    made: Arc<RecordedChunks>,
}

/// The result for the batch at an offset of a job.
type RecordedChunks = BTreeMap<(usize, u64), EncodedChunk>;

/// The parts of a [`BatchOutput`] that the writer needs.
struct EncodedChunk {
    /// The encoded rows.
    bytes: Vec<u8>,
    parts: Vec<FileSplit>,
    signed: SignedRows,
    counters: Counters,
}

impl EncodedChunk {
    fn from_output(batch_output: &BatchOutput) -> EncodedChunk {
        EncodedChunk {
            bytes: batch_output.piece.clone(),
            parts: batch_output.parts.clone(),
            signed: batch_output.signed.clone(),
            counters: batch_output.counters.clone(),
        }
    }

    fn len(&self) -> usize {
        self.bytes.len() + self.signed.bytes()
    }

    /// Fills `batch_output` with a copy, in the buffers that the output has.
    fn copy_to(&self, batch_output: &mut BatchOutput) {
        batch_output.piece.clear();
        batch_output.piece.extend_from_slice(&self.bytes);
        batch_output.parts.clone_from(&self.parts);
        batch_output.signed.clone_from(&self.signed);
        batch_output.counters.clone_from(&self.counters);
    }
}

impl fmt::Debug for Recording<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let batches = self.made.len();
        f.debug_struct("Recording").field("batches", &batches).finish_non_exhaustive()
    }
}

impl<'p> Recording<'p> {
    /// Runs into the folder and keeps the results of the workers, up to half a gigabyte. Setting
    /// `stop` ends the run soon.
    ///
    /// # Errors
    ///
    /// As for [`run`](crate::run).
    pub fn record(
        plan: &'p Plan,
        settings: &Settings,
        folder: &Path,
        stop: &Arc<AtomicBool>,
    ) -> Result<Recording<'p>, RunError> {
        let settings = Settings { limit: None, ..settings.clone() };
        let kept = Arc::new(Mutex::new((RecordedChunks::new(), 0)));
        let enough = Arc::new(AtomicBool::new(false));
        let begin: &WorkFactory<'_> = &|context| {
            let mut work = thread_work(context);
            let (kept, enough, stop) = (Arc::clone(&kept), Arc::clone(&enough), Arc::clone(stop));
            Box::new(move |item: &mut WorkItem| {
                work(item);
                let piece = EncodedChunk::from_output(&item.batch_output);
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                let (chunks, bytes) = &mut *kept;
                *bytes += piece.len();
                chunks.insert((item.job, item.batch.start), piece);
                if *bytes > MAX_BYTES || stop.load(Ordering::Relaxed) {
                    enough.store(true, Ordering::Relaxed);
                }
            })
        };
        let options = Options::default();
        let format = settings.format;
        let to = OutputTo::Folder(folder.to_owned());
        run_with((format, begin), plan, &settings, &to, &options, &mut SilentMonitor, &enough)?;
        let chunks = std::mem::take(&mut *kept.lock().unwrap_or_else(PoisonError::into_inner)).0;
        Ok(Recording { plan, settings, made: Arc::new(chunks) })
    }

    /// Runs into another folder with this many synthetic workers (0 is one per processor). Ends at
    /// the first batch that was not recorded. Setting `stop` ends the run soon.
    ///
    /// # Errors
    ///
    /// As for [`run`](crate::run).
    pub fn replay(
        &self,
        folder: &Path,
        threads: usize,
        stop: &Arc<AtomicBool>,
    ) -> Result<(), RunError> {
        let enough = Arc::new(AtomicBool::new(false));
        let begin: &WorkFactory<'_> = &|_| {
            let made = Arc::clone(&self.made);
            let (enough, stop) = (Arc::clone(&enough), Arc::clone(stop));
            Box::new(move |item: &mut WorkItem| match made.get(&(item.job, item.batch.start)) {
                Some(piece) if !stop.load(Ordering::Relaxed) => {
                    piece.copy_to(&mut item.batch_output);
                }
                _ => enough.store(true, Ordering::Relaxed),
            })
        };
        let options = Options { threads, ..Options::default() };
        let format = self.settings.format;
        let to = OutputTo::Folder(folder.to_owned());
        let with = (format, begin);
        run_with(with, self.plan, &self.settings, &to, &options, &mut SilentMonitor, &enough)?;
        Ok(())
    }
}
