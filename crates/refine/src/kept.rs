//! Which lines of a text are in the next one.

use std::ops::Range;

/// One line that is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    /// Where it begins in the old text, in bytes.
    pub(crate) from: u32,
    /// Where it begins in the new one.
    pub(crate) to: u32,
    pub(crate) length: u32,
}

/// Lines in the order of both texts.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    lines: Vec<Line>,
    is_exact: bool,
}

impl Kept {
    pub(crate) fn begin(&mut self) {
        /// Lines whose memory stays for the next row.
        const KEPT: usize = 1 << 14;
        self.lines.clear();
        self.lines.shrink_to(KEPT);
        self.is_exact = true;
    }

    /// Notes that this range of the old text stands in the new one from `to` on.
    pub(crate) fn push(&mut self, from: Range<usize>, to: usize) {
        // Texts of 4 GiB have no words that could be kept: none are found in them.
        let (length, from, to) = (from.len() as u32, from.start as u32, to as u32);
        self.lines.push(Line { from, to, length });
    }

    /// Notes that the new text has something that is no line of the old one.
    pub(crate) fn give_up(&mut self) {
        self.is_exact = false;
    }

    /// The lines, if they are all of the new text.
    pub(crate) fn lines(&self) -> Option<&[Line]> {
        self.is_exact.then_some(&self.lines)
    }
}
