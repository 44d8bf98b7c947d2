//! Recognises holes: long runs of zeros in files whose space a program reserved but did not fill.

use memchr::memchr;

/// Shortest run of zeros, in bytes, that is a hole. Shorter runs pad files: tape formats fill
/// blocks of 10,240 bytes.
const HOLE_BYTES: u64 = 16 << 10;

/// Shortest run of zeros, in bytes, that is a hole within a table or among lines. It is one sector,
/// the smallest part that a writer leaves unwritten. No text holds a run of that length.
pub(crate) const LINE_HOLE_BYTES: usize = 512;

/// Returns whether `zeros` zeros at the end of a file pad it.
pub(crate) fn is_padding(zeros: u64) -> bool {
    zeros < HOLE_BYTES
}

/// Returns the text in errors for holes of `bytes` bytes in total.
pub(crate) fn hole_of(bytes: u64) -> String {
    format!("a hole of {bytes} bytes, all zeros")
}

/// Counts the zeros among skipped bytes, block by block.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ZeroCounter {
    /// Length of the run of zeros at the end of the skipped bytes.
    run: u64,
    /// Length in bytes of the holes before that run.
    holes: u64,
    others: bool,
}

impl ZeroCounter {
    /// Adds the next bytes.
    pub(crate) fn pass(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !rest.is_empty() {
            let zeros = rest.iter().position(|byte| *byte != 0).unwrap_or(rest.len());
            self.run += zeros as u64;
            rest = &rest[zeros..];
            if !rest.is_empty() {
                self.holes = self.hole_bytes();
                (self.run, self.others) = (0, true);
                rest = &rest[memchr(0, rest).unwrap_or(rest.len())..];
            }
        }
    }

    /// Returns whether all bytes were zeros, or there were no bytes.
    pub(crate) fn are_all_zero(&self) -> bool {
        !self.others
    }

    /// Returns the length of all holes in bytes.
    fn hole_bytes(&self) -> u64 {
        self.holes + if self.run >= HOLE_BYTES { self.run } else { 0 }
    }

    /// Describes the length of the holes. `None` if there is no hole.
    pub(crate) fn hole(&self) -> Option<String> {
        let bytes = self.hole_bytes();
        (bytes > 0).then(|| hole_of(bytes))
    }
}

/// Describes the length of the holes in a line that is not JSON. `None` if there is no hole.
///
/// ```
/// use huller_archive::hole_in;
///
/// assert_eq!(hole_in(&[0; 20_000]).unwrap(), "a hole of 20000 bytes, all zeros");
/// assert_eq!(hole_in(b"{\"html\":"), None);
/// ```
pub fn hole_in(bytes: &[u8]) -> Option<String> {
    let mut zeros = ZeroCounter::default();
    zeros.pass(bytes);
    zeros.hole()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_add_up_over_pieces_and_short_ones_are_none() {
        let zeros = vec![0; 20_000];
        let bytes = [&zeros[..], b"a", &zeros[..16_383], b"bc", &zeros[..16_384]].concat();
        for piece in [1, 7, 4096, bytes.len()] {
            let mut zeros = ZeroCounter::default();
            bytes.chunks(piece).for_each(|piece| zeros.pass(piece));
            assert_eq!(zeros.hole_bytes(), 36_384);
            assert!(!zeros.are_all_zero());
        }
        let mut zeros = ZeroCounter::default();
        zeros.pass(&vec![0; 16_383]);
        assert!(zeros.are_all_zero() && zeros.hole().is_none());
    }
}
