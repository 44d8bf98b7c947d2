//! The lines of a text that the next text keeps.

use std::ops::Range;

/// A line that is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeptLine {
    /// Offset of its first byte in the old text.
    pub(crate) from: u32,
    /// Offset of its first byte in the new text.
    pub(crate) to: u32,
    /// Length in bytes.
    pub(crate) length: u32,
}

/// The lines that a stage kept, in the order in which they occur before and after it.
#[derive(Debug, Default)]
pub(crate) struct KeptLines {
    lines: Vec<KeptLine>,
    is_exact: bool,
}

impl KeptLines {
    pub(crate) fn begin(&mut self) {
        /// Most lines whose memory is kept for the next row.
        const MAX_KEPT_LINES: usize = 1 << 14;
        self.lines.clear();
        self.lines.shrink_to(MAX_KEPT_LINES);
        self.is_exact = true;
    }

    /// Notes that the new text holds this range of the old text at offset `new_start`.
    pub(crate) fn push(&mut self, old_range: Range<usize>, new_start: usize) {
        // Words are found only in texts shorter than 4 GiB, so the offsets fit.
        let length = old_range.len() as u32;
        let (from, to) = (old_range.start as u32, new_start as u32);
        self.lines.push(KeptLine { from, to, length });
    }

    /// Notes that the new text has a part that is not a line of the old text.
    pub(crate) fn mark_unaligned(&mut self) {
        self.is_exact = false;
    }

    /// Returns the lines, if the new text consists of kept lines only.
    pub(crate) fn lines(&self) -> Option<&[KeptLine]> {
        self.is_exact.then_some(&self.lines)
    }
}
