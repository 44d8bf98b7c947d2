//! Giving up a record, and going on to the next one.

use super::search::Search;
use crate::batch::Batch;
use crate::container::window::Edge;
use crate::record::FaultReason;
use crate::warc::reader::RecordReader;
use std::io;

impl RecordReader {
    /// Starts to look for a record here. `quiet` says that a fault has already been reported for the bytes that will be passed over.
    pub(crate) fn start_resync(&mut self, quiet: bool) {
        self.search = Some(Search::new(&self.window, self.dialect, quiet));
    }

    /// Continues to look for a record. Reports the bytes passed over as garbage, or as a hole; a quiet search reports holes alone.
    pub(crate) fn go_on_resync(&mut self, mut search: Search, batch: &mut Batch) -> io::Result<()> {
        if !search.advance(&mut self.window)? {
            self.end_resync(search, batch);
        } else if search.is_to_report() {
            self.emit_garbage(batch, &search);
        }
        Ok(())
    }

    /// Ends a search that found no record in its run.
    fn end_resync(&mut self, mut search: Search, batch: &mut Batch) {
        match self.window.edge().cloned() {
            Some(Edge::Member { intact: false }) => {
                if !search.quiet {
                    self.lose(batch, 0, FaultReason::CorruptMember, "");
                }
                self.window.settle();
                search.quiet = true;
                self.search = Some(search);
            }
            // Damage in the member for which a fault has been reported is the same damage.
            Some(Edge::Broken(_)) if search.quiet => self.window.settle(),
            Some(Edge::Broken(damage)) => {
                self.emit_damage(batch, &damage, 0);
                self.window.settle();
            }
            _ if !search.is_to_report() => {}
            Some(Edge::Eof | Edge::Junk(_)) if search.padding && search.zeros.hole().is_none() => {}
            _ => {
                self.emit_garbage(batch, &search);
                self.window.settle();
            }
        }
    }

    /// Reports a record without a usable Content-Length, whose end is therefore unknown, and searches for the next one.
    pub(crate) fn bad_length(&mut self, batch: &mut Batch, header: usize, what: &str) {
        self.emit_fault(batch, FaultReason::BadContentLength, header, 0, what);
        self.window.consume(header);
        self.start_resync(true);
    }

    /// Gives up the record that the window stands at and that is open at the end of its run. `reason` and `what` hold if
    /// the run is undamaged. The fault of a truncated record keeps the part of the block that was read.
    pub(crate) fn lose(
        &mut self,
        batch: &mut Batch,
        header: usize,
        reason: FaultReason,
        what: &str,
    ) {
        let all = self.window.bytes().len();
        match self.window.edge().cloned() {
            Some(Edge::Broken(damage)) => {
                self.emit_damage(batch, &damage, header);
            }
            Some(Edge::Member { intact: false }) => {
                let what = "member has a wrong checksum";
                self.drop_pending();
                self.emit_fault(batch, FaultReason::CorruptMember, header, 0, what);
                // What follows may be the rest of this record.
                self.window.consume(all);
                self.window.settle();
                self.start_resync(true);
                return;
            }
            _ => {
                let block = if reason == FaultReason::Truncated { all - header } else { 0 };
                self.emit_fault(batch, reason, header, block, what);
            }
        }
        self.window.consume(all);
        self.window.settle();
    }
}
