//! Finding the next record after something that was none.

use crate::batch::Batch;
use crate::frame::{START_BYTES, find_start};
use crate::framer::Framer;
use crate::record::FaultReason;
use crate::window::Edge;
use std::io;

/// The search for the next record after something that was none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resync {
    /// Where in the window's stream it began.
    pub(crate) start: u64,
    /// Whether what is passed over has been accounted for by a fault already.
    quiet: bool,
    /// Whether the next byte begins a line.
    line_start: bool,
    /// Whether all that was passed over is what files are padded with.
    padding: bool,
}

impl Framer {
    /// From now on looks for a record.
    pub(crate) fn start_resync(&mut self, quiet: bool) {
        let start = self.window.offset();
        self.resync = Some(Resync { start, quiet, line_start: true, padding: true });
    }

    /// Goes on looking for a record.
    pub(crate) fn go_on_resync(&mut self, mut resync: Resync, batch: &mut Batch) -> io::Result<()> {
        loop {
            let whole = !matches!(self.window.edge(), None | Some(Edge::Member { intact: true }));
            let bytes = self.window.bytes();
            let found = find_start(bytes, resync.line_start, whole);
            let unsettled = if whole { 0 } else { START_BYTES };
            let passed = found.unwrap_or(bytes.len().saturating_sub(unsettled));
            if let Some(last) = bytes[..passed].last() {
                resync.line_start = *last == b'\n';
            }
            resync.padding &= bytes[..passed].iter().all(|b| b.is_ascii_whitespace() || *b == 0);
            self.window.consume(passed);
            if found.is_some() {
                if !resync.quiet {
                    self.garbage(batch, &resync);
                }
                return Ok(());
            }
            if whole {
                self.end_resync(resync, batch);
                return Ok(());
            }
            self.window.fill_across()?;
        }
    }

    /// The run ended before a record was found.
    fn end_resync(&mut self, resync: Resync, batch: &mut Batch) {
        match self.window.edge().cloned() {
            Some(Edge::Member { intact: false }) => {
                if !resync.quiet {
                    self.lose(batch, 0, FaultReason::CorruptMember, "");
                }
                self.window.settle();
                self.resync = Some(Resync { quiet: true, ..resync });
            }
            // Of a fault that was told, a break in the same member is no other.
            Some(Edge::Broken(_)) if resync.quiet => self.window.settle(),
            Some(Edge::Broken(damage)) => {
                self.damage(batch, &damage, Vec::new());
                self.window.settle();
            }
            _ if resync.quiet => {}
            Some(Edge::Eof | Edge::Junk(_)) if resync.padding => {}
            _ => {
                self.garbage(batch, &resync);
                self.window.settle();
            }
        }
    }
}
