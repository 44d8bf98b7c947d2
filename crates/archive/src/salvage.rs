//! Going on behind a member that broke: back into it, as far as the budget allows, and forward to the next true one.

use crate::raw::Raw;
use std::io;

/// How much may be read again, in all, to look for members within broken ones. Where more breaks than this the search
/// goes on from where it broke, or else a file made for it could have every part of it read again and again.
const REREAD_BYTES: u64 = 64 << 20;

/// Passes over damage: looks for the next true member by means of `find`, which takes bytes and whether they are all there
/// are, and gives the place of a member, or from where to look again. Tells whether all that was passed over is zero.
pub(crate) fn pass_damage(
    raw: &mut Raw,
    trial_bytes: usize,
    mut find: impl FnMut(&[u8], bool) -> Result<usize, usize>,
) -> io::Result<bool> {
    let mut zero = true;
    loop {
        raw.fill(2 * trial_bytes)?;
        let whole = raw.is_ended();
        let bytes = raw.bytes();
        let found = find(bytes, whole);
        let (Ok(passed) | Err(passed)) = found;
        zero &= bytes[..passed].iter().all(|byte| *byte == 0);
        raw.consume(passed);
        raw.mark();
        if found.is_ok() || whole {
            return Ok(zero);
        }
    }
}

/// How much has been read more than once.
#[derive(Debug, Default)]
pub(crate) struct Rereads(u64);

impl Rereads {
    /// Goes back to just behind the start of a member that broke, as far as the budget allows.
    pub(crate) fn back_into(&mut self, raw: &mut Raw, start: u64) {
        let distance = raw.offset().saturating_sub(start + 1);
        // What was read once is a budget of its own, so that a long file isn't worse off than its parts.
        if self.0 + distance <= REREAD_BYTES + raw.offset() {
            let from = raw.offset();
            raw.back_to(start + 1);
            self.0 += from - raw.offset();
        }
    }
}
