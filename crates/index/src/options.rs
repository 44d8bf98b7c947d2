//! The options of the building of an index.

use crate::error::IndexError;
use huller_archive::Stores;
use std::path::PathBuf;

/// Least memory for building, in bytes.
pub const MIN_MEMORY_BYTES: u64 = 64 << 20;

/// Least memory of a tantivy thread, in bytes.
const MIN_WRITER_BYTES: usize = 16 << 20;

/// Most memory of a tantivy thread, in bytes.
const MAX_WRITER_BYTES: usize = 2 << 30;

/// Bytes of lines between commits. A kill or an interruption loses at most this much work.
const BETWEEN_COMMITS: u64 = 1 << 30;

/// Options of the building of an index.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads; 0 means one per processor.
    pub threads: usize,
    /// Bytes of memory to use, at least [`MIN_MEMORY_BYTES`].
    pub memory: u64,
    /// Resume the existing index, and add new rows.
    pub resume: bool,
    /// Replace the existing index.
    pub overwrite: bool,
    /// The rows are passages. A search then groups them by page.
    pub passages: bool,
    /// Lists of rows to drop, as `huller dedup --mark` writes them.
    pub drop: Vec<PathBuf>,
    /// Folders with tombstones of withdrawn pages, which the index leaves out.
    pub withdrawn: Vec<PathBuf>,
    /// Bytes of lines between commits.
    pub commit_interval_bytes: u64,
    /// Where URLs among the corpora are read from.
    pub stores: Stores,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: 0,
            memory: 1 << 30,
            resume: false,
            overwrite: false,
            passages: false,
            drop: Vec::new(),
            withdrawn: Vec::new(),
            commit_interval_bytes: BETWEEN_COMMITS,
            stores: Stores::default(),
        }
    }
}

impl Options {
    /// Refuses too little memory.
    pub(crate) fn check_memory(&self) -> Result<(), IndexError> {
        if self.memory < MIN_MEMORY_BYTES {
            let problem = format!("memory must be at least {}M", MIN_MEMORY_BYTES >> 20);
            return Err(IndexError::Usage(problem));
        }
        Ok(())
    }

    /// Returns the most bytes of documents that wait for a tantivy thread.
    pub(crate) fn queue_bytes(&self) -> usize {
        (self.memory / 8) as usize
    }

    /// Returns the number of tantivy threads and the bytes of memory of each, for so many threads
    /// of the run. Together they get half of the memory. The number is reduced if a thread would
    /// have too little.
    pub(crate) fn writer_limits(&self, threads: usize) -> (usize, usize) {
        let half = (self.memory / 2) as usize;
        let threads = threads.min(half / MIN_WRITER_BYTES).max(1);
        (threads, (half / threads).min(MAX_WRITER_BYTES))
    }
}
