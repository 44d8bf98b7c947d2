//! Where a file of gzip members is cut, found without reading what lies before.
//!
//! The cut is the last member that begins within the wanted size of a batch, so the end of that
//! stretch tells it. If no member begins there, four times as much is looked at. What is found is
//! what [`MemberFinder::find_last`] finds in the whole stretch.

use super::input_file::InputFile;
use crate::container::gzip::finder::{MemberFinder, TRIAL_BYTES};
use std::io;

/// How much is looked at first, in bytes.
const LOOKED_AT: usize = 64 << 10;

/// Looks at ends of stretches. Keeps its buffer, which is no longer than a stretch.
#[derive(Default)]
pub(super) struct Tail {
    bytes: Vec<u8>,
}

impl Tail {
    /// The last member that begins after the first byte of the `len` bytes at `start`, and at `to`
    /// or before. `whole` says that the file ends there. `None` also where the file is shorter than
    /// it was.
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
