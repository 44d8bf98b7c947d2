//! Searches for the next record in a window.

use super::zeros::ZeroCounter;
use crate::container::window::{Edge, Window};
use crate::dialect::Dialect;
use std::io;

/// A search, and the properties of the bytes it has skipped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search {
    dialect: Dialect,
    /// Offset in the plain stream at which the search began.
    pub(crate) start: u64,
    /// Whether a fault for the skipped bytes has already been reported.
    pub(crate) quiet: bool,
    /// Whether the next byte begins a line.
    line_start: bool,
    /// Whether all skipped bytes are blanks, line ends or zeros, with which files are padded.
    pub(crate) padding: bool,
    pub(crate) zeros: ZeroCounter,
}

impl Search {
    /// Returns a search that begins at the start of the window.
    pub(crate) fn new(window: &Window, dialect: Dialect, quiet: bool) -> Self {
        Search {
            dialect,
            start: window.offset(),
            quiet,
            line_start: true,
            padding: true,
            zeros: ZeroCounter::default(),
        }
    }

    /// Returns whether the search has skipped bytes that must still be reported.
    pub(crate) fn is_to_report(&self) -> bool {
        !self.quiet || self.zeros.hole().is_some()
    }

    /// Moves the window to the next record. Returns false if the run ends before that or is
    /// damaged.
    pub(crate) fn advance(&mut self, window: &mut Window) -> io::Result<bool> {
        loop {
            let whole = !matches!(window.edge(), None | Some(Edge::Member { intact: true }));
            let bytes = window.bytes();
            let found = self.dialect.find_start(bytes, self.line_start, whole);
            let unsettled = if whole { 0 } else { self.dialect.start_bytes() };
            let passed = found.unwrap_or(bytes.len().saturating_sub(unsettled));
            if let Some(last) = bytes[..passed].last() {
                self.line_start = *last == b'\n';
            }
            self.padding &= bytes[..passed].iter().all(|b| b.is_ascii_whitespace() || *b == 0);
            self.zeros.pass(&bytes[..passed]);
            window.consume(passed);
            if found.is_some() || whole {
                return Ok(found.is_some());
            }
            window.fill_across()?;
        }
    }
}
