//! A range of a file for a batch, before it is read. The worker that unpacks the batch reads it, so
//! that one thread can cut for many.

use super::input_file::InputFile;
use super::prefix_digest::{OrderedHasher, PrefixDigest};
use crate::error::ArchiveError;
use std::ops::Range;
use std::sync::Arc;

/// The range that was [promised](OrderedHasher::promise) to the hasher of its file.
#[derive(Debug)]
pub(crate) struct PromisedRange {
    file: Arc<InputFile>,
    /// The name of the file in errors.
    name: Arc<str>,
    range: Range<u64>,
    hasher: OrderedHasher,
}

impl PromisedRange {
    pub(crate) fn new(
        file: &Arc<InputFile>,
        name: &Arc<str>,
        range: Range<u64>,
        hasher: &OrderedHasher,
    ) -> PromisedRange {
        hasher.promise(range.end);
        PromisedRange {
            file: Arc::clone(file),
            name: Arc::clone(name),
            range,
            hasher: hasher.clone(),
        }
    }

    /// Returns the length in bytes.
    pub(crate) fn len(&self) -> usize {
        (self.range.end - self.range.start) as usize
    }

    /// Reads the range and appends its bytes, fewer if the file was truncated meanwhile. Returns
    /// the digest of the file up to the end of the range.
    pub(crate) fn read(self, bytes: &mut Vec<u8>) -> Result<PrefixDigest, ArchiveError> {
        let before = bytes.len();
        self.file
            .append_at(bytes, self.len(), self.range.start)
            .map_err(|error| ArchiveError::io(&self.name, self.range.start, error))?;
        Ok(self.hasher.hash_in_turn(self.range.start, &bytes[before..]))
    }
}

/// Ends the promise. If the range was dropped before it was read, waiting threads continue.
impl Drop for PromisedRange {
    fn drop(&mut self) {
        self.hasher.break_promise(self.range.end);
    }
}
