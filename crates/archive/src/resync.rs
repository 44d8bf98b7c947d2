//! Looking for the next record after something that was none, and telling of what was passed over.

use crate::batch::Batch;
use crate::framer::Framer;
use crate::record::FaultReason;
use crate::search::Search;
use crate::window::Edge;
use std::io;

impl Framer {
    /// From now on looks for a record.
    pub(crate) fn start_resync(&mut self, quiet: bool) {
        self.search = Some(Search::new(&self.window, quiet));
    }

    /// Goes on looking for a record.
    pub(crate) fn go_on_resync(&mut self, mut search: Search, batch: &mut Batch) -> io::Result<()> {
        if !search.advance(&mut self.window)? {
            self.end_resync(search, batch);
        } else if !search.quiet {
            self.garbage(batch, &search);
        }
        Ok(())
    }

    /// The run ended before a record was found.
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
            // Of a fault that was told, a break in the same member is no other.
            Some(Edge::Broken(_)) if search.quiet => self.window.settle(),
            Some(Edge::Broken(damage)) => {
                self.damage(batch, &damage, Vec::new());
                self.window.settle();
            }
            _ if search.quiet => {}
            Some(Edge::Eof | Edge::Junk(_)) if search.padding => {}
            _ => {
                self.garbage(batch, &search);
                self.window.settle();
            }
        }
    }
}
