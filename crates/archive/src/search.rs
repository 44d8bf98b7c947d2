//! The search for the next record in a window, after something that was none.

use crate::frame::{START_BYTES, find_start};
use crate::window::{Edge, Window};
use std::io;

/// A search, and what it has passed over so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Search {
    /// Where in the window's stream it began.
    pub(crate) start: u64,
    /// Whether what is passed over has been accounted for by a fault already.
    pub(crate) quiet: bool,
    /// Whether the next byte begins a line.
    line_start: bool,
    /// Whether all that was passed over is what files are padded with.
    pub(crate) padding: bool,
}

impl Search {
    /// Begins where the window stands.
    pub(crate) fn new(window: &Window, quiet: bool) -> Self {
        Search { start: window.offset(), quiet, line_start: true, padding: true }
    }

    /// Moves the window to the next record. False if its run ends before, or can be trusted no further.
    pub(crate) fn advance(&mut self, window: &mut Window) -> io::Result<bool> {
        loop {
            let whole = !matches!(window.edge(), None | Some(Edge::Member { intact: true }));
            let bytes = window.bytes();
            let found = find_start(bytes, self.line_start, whole);
            let unsettled = if whole { 0 } else { START_BYTES };
            let passed = found.unwrap_or(bytes.len().saturating_sub(unsettled));
            if let Some(last) = bytes[..passed].last() {
                self.line_start = *last == b'\n';
            }
            self.padding &= bytes[..passed].iter().all(|b| b.is_ascii_whitespace() || *b == 0);
            window.consume(passed);
            if found.is_some() || whole {
                return Ok(found.is_some());
            }
            window.fill_across()?;
        }
    }
}
