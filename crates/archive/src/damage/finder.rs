//! Finds gzip members, zstd frames or LZ4 frames among arbitrary bytes.

use memchr::memmem;

/// Finds members with the wanted opening: by their magic number, and by decoding their first bytes.
pub(crate) trait Finder {
    /// The name of the members in messages.
    const NAME: &'static str;

    /// Number of bytes, from a candidate on, that are examined to judge it.
    const TRIAL_BYTES: usize;

    /// Returns a finder of the magic number.
    fn magic(&self) -> &memmem::Finder<'static>;

    /// Returns whether a member with the wanted opening begins with `bytes`, which are
    /// [`Finder::TRIAL_BYTES`] long, or shorter at the end of the input.
    fn begins_here(&mut self, bytes: &[u8]) -> bool;

    /// Returns the first member at or after `from`. `whole` states that the input ends with
    /// `bytes`. Otherwise candidates fewer than [`Finder::TRIAL_BYTES`] before their end are left
    /// to a later call with more bytes. If there is no member, the error is the place at which that
    /// call may begin.
    fn find_member(&mut self, bytes: &[u8], from: usize, whole: bool) -> Result<usize, usize> {
        let mut at = from;
        let unsettled =
            if whole { bytes.len() } else { bytes.len().saturating_sub(Self::TRIAL_BYTES) };
        while let Some(found) = bytes.get(at..).and_then(|rest| self.magic().find(rest)) {
            at += found;
            if at >= unsettled && !whole {
                break;
            }
            if self.begins_here(&bytes[at..bytes.len().min(at + Self::TRIAL_BYTES)]) {
                return Ok(at);
            }
            at += 1;
        }
        Err(unsettled.max(from))
    }
}
