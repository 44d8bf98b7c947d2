//! How a run is made, as far as its output does not show it.

use crate::line_log::LogKind;
use crate::upload::uploads::Uploads;
use std::num::NonZero;
use std::path::PathBuf;
use std::thread::available_parallelism;

/// Most threads for each processor. More gain nothing, and each takes memory.
const THREADS_PER_PROCESSOR: usize = 4;

/// So many threads are allowed on any machine.
const ALWAYS_ALLOWED: usize = 16;

/// What a run needs besides its settings; none of it shows in the output.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Worker threads; 0 is one a processor. No more are started than [`bounded_threads`] allows.
    pub threads: usize,
    /// Bytes of memory that the run is to get along with. If there is too little for the threads,
    /// fewer are started. `None` is as much as the threads need, and 512 MiB for batches in flight.
    pub memory: Option<usize>,
    /// Go on with the run in the output folder.
    pub resume: bool,
    /// Replace what is in the output folder.
    pub overwrite: bool,
    /// Every output depends on all inputs, as where duplicates are dropped: a resumed run is
    /// refused if an input has changed.
    pub inputs_belong_together: bool,
    /// Where to list the pages that are not in the output.
    pub rejects: Option<PathBuf>,
    /// Where to keep rows that stages dropped.
    pub dropped: Option<DroppedTo>,
    /// Where in a store the outputs are brought to. The folder that the run writes in is its
    /// staging folder then.
    pub uploads: Option<Uploads>,
}

/// Where rows that stages dropped are kept, and how many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedTo {
    /// The folder, which gets a file `dropped.jsonl`.
    pub folder: PathBuf,
    /// So many rows of each reason, the first of the run; `None` keeps all.
    pub rows: Option<u64>,
}

impl DroppedTo {
    /// The file.
    pub fn path(&self) -> PathBuf {
        self.folder.join("dropped.jsonl")
    }
}

impl Options {
    /// Where the run writes lines of this kind, if it does.
    pub fn log(&self, kind: LogKind) -> Option<PathBuf> {
        match kind {
            LogKind::Rejects => self.rejects.clone(),
            LogKind::Dropped => self.dropped.as_ref().map(DroppedTo::path),
        }
    }
}

/// How many threads are started where `asked` were asked for: one a processor for 0, and never more
/// than four a processor or 16, whichever is more.
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

/// Where rows go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputTo {
    /// One file an input, below this folder.
    Folder(PathBuf),
    /// All rows to standard output.
    Stdout,
}
