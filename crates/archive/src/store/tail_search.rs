//! Finds the cut in a file of gzip members without reading the bytes far before it.
//!
//! The cut is at the last member that begins within the target size of a batch. The end of that
//! range is therefore enough to find it. If no member begins there, the search covers four times as
//! many bytes. The result equals that of [`MemberFinder::find_last`] on the whole range.

use super::input_file::InputFile;
use crate::container::gzip::finder::{MemberFinder, TRIAL_BYTES};
use std::io;

/// Number of bytes that are searched first.
const LOOKED_AT: usize = 64 << 10;

/// Searches the ends of ranges. It keeps its buffer, which is at most as long as a range.
#[derive(Default)]
pub(super) struct TailSearch {
    bytes: Vec<u8>,
}

impl TailSearch {
    /// Returns the last member that begins after the first of the `len` bytes at `start`, and at
    /// `to` or before. `whole` states that the file ends there. Returns `None` also if the file is
    /// shorter than before.
    pub(super) fn find_last(
        &mut self,
        members: &mut MemberFinder,
        file: &InputFile,
        start: u64,
        (len, whole): (usize, bool),
        to: usize,
    ) -> io::Result<Option<usize>> {
        let settled = if whole { len } else { len.saturating_sub(TRIAL_BYTES) };
        let to = to.min(settled);
        let end = to.saturating_add(TRIAL_BYTES).min(len);
        let mut looked_at = LOOKED_AT;
        loop {
            let from = end.saturating_sub(looked_at);
            self.bytes.clear();
            file.append_at(&mut self.bytes, end - from, start + from as u64)?;
            if self.bytes.len() < end - from {
                return Ok(None);
            }
            let found =
                to.checked_sub(from).and_then(|to| members.find_last(&self.bytes, to, true));
            match found {
                Some(at) => return Ok(Some(from + at)),
                None if from == 0 => return Ok(None),
                None => looked_at = looked_at.saturating_mul(4),
            }
        }
    }
}
