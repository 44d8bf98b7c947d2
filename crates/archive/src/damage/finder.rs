//! Finding gzip members or zstd frames among arbitrary bytes.

use memchr::memmem;

/// Finds members with the wanted opening: by their magic number, and by decoding their first bytes.
pub(crate) trait Finder {
    /// What is found, in messages.
    const NAME: &'static str;

    /// How many bytes from a candidate on are looked at to judge it.
    const TRIAL_BYTES: usize;

    /// The magic number.
    fn magic(&self) -> &memmem::Finder<'static>;

    /// Whether a member with the wanted opening begins with `bytes`: [`Finder::TRIAL_BYTES`], or
    /// fewer where the input ends.
    fn begins_here(&mut self, bytes: &[u8]) -> bool;

    /// The first member at or after `from`. `whole` says that nothing follows `bytes`; otherwise
    /// candidates fewer than [`Finder::TRIAL_BYTES`] before their end are left to a later call with
    /// more bytes. If there is no member the error is where that call may begin.
    fn find(&mut self, bytes: &[u8], from: usize, whole: bool) -> Result<usize, usize> {
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
