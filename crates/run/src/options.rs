//! Options that leave the bytes of the output as they are.

use crate::line_log::LogKind;
use crate::upload::uploads::Uploads;
use std::num::NonZero;
use std::path::PathBuf;
use std::thread::available_parallelism;

/// Most threads for each processor. More do not help, and each takes memory.
const THREADS_PER_PROCESSOR: usize = 4;

/// Number of threads that is allowed on any machine.
const ALWAYS_ALLOWED: usize = 16;

/// Options of a run besides its settings. The output does not depend on them.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Worker threads; 0 means one per processor. [`bounded_threads`] limits the number.
    pub threads: usize,
    /// Bytes of memory that the run may use. If this is too little for the threads, fewer are
    /// started. `None` allows the memory of all threads, and 512 MiB for batches in flight.
    pub memory: Option<usize>,
    /// Continue the run in the output folder.
    pub resume: bool,
    /// Replace the run in the output folder.
    pub overwrite: bool,
    /// Whether every output depends on all inputs, as in deduplication. If an input has changed,
    /// such a run cannot be resumed.
    pub inputs_belong_together: bool,
    /// Whether an input without a page is unusable, even if other inputs have pages.
    pub no_empty_inputs: bool,
    /// File that lists the pages that are not in the output.
    pub rejects: Option<PathBuf>,
    /// Where to keep rows that stages dropped.
    pub dropped: Option<DroppedRowsFolder>,
    /// Destination in object storage. If it is set, the run writes to a local staging folder first.
    pub uploads: Option<Uploads>,
}

/// The place of rows that stages dropped, and their number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedRowsFolder {
    /// The folder, which gets a file `dropped.jsonl`.
    pub folder: PathBuf,
    /// Number of rows kept per reason, the first of the run. `None` keeps all.
    pub rows: Option<u64>,
}

impl DroppedRowsFolder {
    /// Returns the path of the file.
    pub fn path(&self) -> PathBuf {
        self.folder.join("dropped.jsonl")
    }
}

impl Options {
    /// Returns the path of the file for lines of this kind, if the run writes it.
    pub fn log(&self, kind: LogKind) -> Option<PathBuf> {
        match kind {
            LogKind::Rejects => self.rejects.clone(),
            LogKind::Dropped => self.dropped.as_ref().map(DroppedRowsFolder::path),
        }
    }
}

/// Returns the number of threads to start when `asked` are requested. 0 means one per processor.
/// The limit is four per processor or 16, whichever is more.
///
/// ```
/// use huller_run::options::bounded_threads;
///
/// assert!(bounded_threads(0) >= 1);
/// assert_eq!(bounded_threads(3), 3);
/// assert!(bounded_threads(100_000_000) < 100_000_000);
/// ```
pub fn bounded_threads(asked: usize) -> usize {
    let processors = available_parallelism().map_or(1, NonZero::get);
    match asked {
        0 => processors,
        asked => asked.min(ALWAYS_ALLOWED.max(processors.saturating_mul(THREADS_PER_PROCESSOR))),
    }
}

/// Destination of the rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputTo {
    /// One file per input, below this folder.
    Folder(PathBuf),
    /// All rows to standard output.
    Stdout,
}
