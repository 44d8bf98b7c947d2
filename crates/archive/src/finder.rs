//! Finding where gzip members or zstd frames begin that hold what is looked for, among any bytes.

use memchr::memmem;

/// What the data begin with of members and frames that matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// A WARC record.
    Record,
    /// A line of JSONL.
    Line,
}

impl Opening {
    /// Bytes needed to judge.
    pub(crate) const BYTES: usize = 5;

    pub(crate) fn fits(self, data: &[u8]) -> bool {
        match self {
            Opening::Record => {
                data.get(..5).is_some_and(|magic| magic.eq_ignore_ascii_case(b"WARC/"))
            }
            Opening::Line => data.first() == Some(&b'{'),
        }
    }
}

/// Finds where members (gzip) or frames (zstd) that matter begin, among any bytes: by their magic number, and by what their data
/// begin with.
pub(crate) trait Finder {
    /// What is found, in messages.
    const NAME: &'static str;

    /// How much of the input, from a candidate on, is looked at to judge it.
    const TRIAL_BYTES: usize;

    /// The magic number.
    fn magic(&self) -> &memmem::Finder<'static>;

    /// Whether one that matters begins with `bytes`: [`Finder::TRIAL_BYTES`], or all there are.
    fn begins_here(&mut self, bytes: &[u8]) -> bool;

    /// The first at or after `from`. A candidate is judged by the [`Finder::TRIAL_BYTES`] from it on, so unless `bytes`
    /// are `whole` those too near to their end are left for another call; where that may begin is the error.
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
