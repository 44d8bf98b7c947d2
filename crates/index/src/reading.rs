//! Reads the rows of an input, chunk by chunk.

use crate::error::IndexError;
use huller_archive::Stores;
use huller_corpus::{CorpusError, Limits, RowChunk, RowReader};
use huller_run::plan::Job;
use std::hash::Hasher;
use std::path::Path;
use twox_hash::XxHash3_64;

/// A file of rows.
pub(crate) struct File<'a> {
    pub(crate) job: &'a Job,
    pub(crate) stores: &'a Stores,
    /// Longest row in bytes.
    pub(crate) most_line: usize,
}

/// The way in which the reading of a file ended.
pub(crate) enum ReadEnding {
    Whole,
    Stopped,
    Failed(CorpusError),
}

impl File<'_> {
    /// Passes the rows of the file to `take`, until it returns false.
    pub(crate) fn read(
        &self,
        mut take: impl FnMut(&RowChunk) -> Result<bool, IndexError> + Send,
    ) -> Result<ReadEnding, IndexError> {
        let limits = Limits { record_bytes: self.most_line, ..Limits::default() };
        let path = self.job.files().next().unwrap_or(Path::new(""));
        let opened = RowReader::open_in(self.stores, path, &limits)
            .and_then(|reader| reader.check_name(&self.job.name).map(|()| reader));
        let mut reader = match opened {
            Ok(reader) => reader,
            Err(error) => return Ok(ReadEnding::Failed(error)),
        };
        let mut chunk = reader.next_chunk();
        loop {
            let now = match chunk {
                Ok(Some(now)) => now,
                Ok(None) => return Ok(ReadEnding::Whole),
                Err(error) => return Ok(ReadEnding::Failed(error)),
            };
            // The next rows are read and decompressed while `take` works on these.
            let (next, goes_on) = rayon::join(|| reader.next_chunk(), || take(&now));
            if !goes_on? {
                return Ok(ReadEnding::Stopped);
            }
            chunk = next;
        }
    }
}

/// Counts and hashes lines.
#[derive(Default)]
pub(crate) struct LineDigest {
    hash: XxHash3_64,
    lines: u64,
}

impl LineDigest {
    /// Adds a line.
    pub(crate) fn add(&mut self, line: &[u8]) {
        self.hash.write(line);
        self.hash.write(b"\n");
        self.lines += 1;
    }

    /// Returns the number of lines.
    pub(crate) fn lines(&self) -> u64 {
        self.lines
    }

    /// Returns the digest of all lines, hexadecimal.
    pub(crate) fn hexadecimal(&self) -> String {
        format!("{:016x}", self.hash.finish())
    }
}
