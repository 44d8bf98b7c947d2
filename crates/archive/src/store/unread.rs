//! A stretch of a file that a batch is cut from, before it is read. Whoever works on the batch
//! reads it, so that one thread can cut for many.

use super::input_file::InputFile;
use super::seen::{Seen, Witness};
use crate::error::ArchiveError;
use std::ops::Range;
use std::sync::Arc;

/// The stretch, as its file's witness has been [promised](Witness::promise) it.
#[derive(Debug)]
pub(crate) struct Unread {
    file: Arc<InputFile>,
    /// What errors call the file.
    name: Arc<str>,
    range: Range<u64>,
    witness: Witness,
}

impl Unread {
    pub(crate) fn new(
        file: &Arc<InputFile>,
        name: &Arc<str>,
        range: Range<u64>,
        witness: &Witness,
    ) -> Unread {
        witness.promise(range.end);
        Unread { file: Arc::clone(file), name: Arc::clone(name), range, witness: witness.clone() }
    }

    /// Its length in bytes.
    pub(crate) fn len(&self) -> usize {
        (self.range.end - self.range.start) as usize
    }

    /// Appends its bytes, fewer if the file has been cut since. Returns what has been seen of the
    /// file up to here.
    pub(crate) fn read(self, bytes: &mut Vec<u8>) -> Result<Seen, ArchiveError> {
        let before = bytes.len();
        self.file
            .append_at(bytes, self.len(), self.range.start)
            .map_err(|error| ArchiveError::io(&self.name, self.range.start, error))?;
        Ok(self.witness.see_in_turn(self.range.start, &bytes[before..]))
    }
}

/// Ends the promise. If the stretch was dropped before it was read, threads that wait for it go on.
impl Drop for Unread {
    fn drop(&mut self) {
        self.witness.break_promise(self.range.end);
    }
}
