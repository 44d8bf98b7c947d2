//! Passes the rows of files through all threads chunk by chunk, and returns the results in order.
//!
//! All threads process one batch of chunks while the next one is read. Chunks of several files may
//! be in one batch, so many small files use all threads as one large file does.

use crate::corpus::CorpusFile;
use crate::error::DedupError;
use huller_archive::PrefixDigest;
use huller_corpus::{CorpusError, Limits, RowChunk, RowReader};
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// The progress of a file.
pub(crate) enum Event<R> {
    /// The result of its next chunk.
    Chunk(R),
    /// The file was read to its end.
    End(ReadToEnd),
    /// The file could not be read any further.
    Failed(CorpusError),
}

impl<R> Event<R> {
    /// Returns the result of a chunk, in a pass between signing and writing.
    ///
    /// # Errors
    ///
    /// The file cannot be read any further. Without its rows others would be kept, so the run ends.
    pub(crate) fn chunk(self, input: &str) -> Result<Option<R>, DedupError> {
        match self {
            Event::Chunk(made) => Ok(Some(made)),
            Event::End(_) => Ok(None),
            Event::Failed(error) => Err(DedupError::Reread { input: input.to_owned(), error }),
        }
    }
}

/// Facts about a file that was read to its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReadToEnd {
    /// Its stored bytes: their number and digest.
    pub(crate) seen: PrefixDigest,
    /// The version of the file that was read.
    pub(crate) version: Option<u64>,
}

/// The outcome of a pass over files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PassEnding {
    /// All files were read.
    Done,
    /// The user stopped the run.
    Interrupted,
}

/// A pass over files.
pub(crate) struct FilePass<'a> {
    pub(crate) files: &'a [CorpusFile],
    /// Longest row in bytes.
    pub(crate) max_line_bytes: usize,
    /// Bytes of the chunks in a batch. Two batches are in memory.
    pub(crate) batch: usize,
    pub(crate) stop: &'a AtomicBool,
}

enum PassItem<A> {
    /// Rows, and what `attach` returned for them.
    Chunk(RowChunk, A),
    /// The file was read to its end.
    End(ReadToEnd),
    /// The file cannot be read, or not to its end.
    Failed(CorpusError),
}

/// Opens a file of a corpus. A row may have at most `max_line_bytes` bytes. Outputs are compressed
/// as the names of inputs say, so the name must match the bytes.
pub(crate) fn open(file: &CorpusFile, max_line_bytes: usize) -> Result<RowReader, CorpusError> {
    let limits = Limits { record_bytes: max_line_bytes, ..Limits::default() };
    let reader = RowReader::open_in(&file.stores, &file.path, &limits)?;
    reader.check_name(&file.name)?;
    Ok(reader)
}

impl FilePass<'_> {
    /// Passes over the files at these places. `attach` is called in order as chunks are read, and
    /// its result goes with the chunk. `work` is called in any thread, and `take` in order again.
    pub(crate) fn run<A: Send + Sync, R: Send>(
        &self,
        indexes: Vec<usize>,
        mut attach: impl FnMut(usize, &RowChunk) -> Result<A, DedupError> + Send,
        work: impl Fn(usize, &RowChunk, A) -> R + Sync + Send,
        mut take: impl FnMut(usize, Event<R>) -> Result<(), DedupError>,
    ) -> Result<PassEnding, DedupError> {
        let mut indexes = indexes.into_iter();
        let mut current: Option<(usize, RowReader)> = None;
        let mut read = || -> Result<Vec<(usize, PassItem<A>)>, DedupError> {
            let (mut items, mut bytes) = (Vec::new(), 0);
            while bytes < self.batch {
                let (index, mut reader) = match current.take() {
                    Some(current) => current,
                    None => match indexes.next() {
                        None => break,
                        Some(index) => match open(&self.files[index], self.max_line_bytes) {
                            Ok(reader) => (index, reader),
                            Err(error) => {
                                items.push((index, PassItem::Failed(error)));
                                continue;
                            }
                        },
                    },
                };
                match reader.next_chunk() {
                    Ok(Some(chunk)) => {
                        // A fixed amount per chunk counts the memory of small files.
                        bytes += chunk.memory() + 4096;
                        let attached = attach(index, &chunk)?;
                        items.push((index, PassItem::Chunk(chunk, attached)));
                        current = Some((index, reader));
                    }
                    Ok(None) => {
                        let (prefix, version) = (reader.prefix_digest(), reader.version());
                        items.push((index, PassItem::End(ReadToEnd { seen: prefix, version })));
                    }
                    Err(error) => items.push((index, PassItem::Failed(error))),
                }
            }
            Ok(items)
        };
        let mut batch = read()?;
        while !batch.is_empty() {
            if self.stop.load(Ordering::Relaxed) {
                return Ok(PassEnding::Interrupted);
            }
            let (next, events) = rayon::join(&mut read, || {
                let items = batch.into_par_iter().with_max_len(1);
                let events = items.map(|(index, item)| match item {
                    // The events of an interrupted batch are not used.
                    _ if self.stop.load(Ordering::Relaxed) => None,
                    PassItem::Chunk(chunk, attached) => {
                        Some((index, Event::Chunk(work(index, &chunk, attached))))
                    }
                    PassItem::End(read) => Some((index, Event::End(read))),
                    PassItem::Failed(error) => Some((index, Event::Failed(error))),
                });
                events.collect::<Option<Vec<_>>>()
            });
            let Some(events) = events else { return Ok(PassEnding::Interrupted) };
            for (index, event) in events {
                take(index, event)?;
            }
            batch = next?;
        }
        Ok(PassEnding::Done)
    }
}
