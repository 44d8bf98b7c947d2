//! Repairs damage that reaches into later batches: the writer reads one record after another up to
//! the start of a later work item.

use crate::work::batch_work::ThreadTools;
use crate::work::context::Context;
use crate::work::recovery::RepairStream;
use crate::work_item::{BatchOutput, ItemContent, WorkItem};
use huller_archive::{ArchiveError, BatchEnd, Repairer};

/// Reads through damage. Made at the first such damage of a run, and reused for the next.
pub(crate) struct Recovery<'a> {
    tools: ThreadTools<'a>,
    /// Its own work item, in addition to the circulating ones.
    item: WorkItem,
    repair: RepairStream,
    /// The archive of a WACZ that it reads. The damage ends with the archive at the latest.
    part: u32,
    /// Work items whose records are, or will be, read here. They count as done when the repair
    /// reaches the start of another work item.
    passed: u64,
}

impl<'a> Recovery<'a> {
    /// Begins at `offset` of an archive, where the worker left the work item just written.
    pub(crate) fn start(
        repairer: &Repairer,
        part: u32,
        offset: u64,
        context: &Context<'a>,
    ) -> Result<Recovery<'a>, ArchiveError> {
        Ok(Recovery {
            tools: ThreadTools::new(context),
            item: WorkItem::default(),
            repair: RepairStream::new(repairer.open_at(offset)?),
            part,
            passed: 1,
        })
    }

    /// Begins again at another place.
    pub(crate) fn restart(
        &mut self,
        repairer: &Repairer,
        part: u32,
        offset: u64,
    ) -> Result<(), ArchiveError> {
        self.repair = RepairStream::new(repairer.open_at(offset)?);
        (self.part, self.passed) = (part, 1);
        Ok(())
    }

    /// Returns the next output before the start of `item`, or `None` if there is no more.
    pub(crate) fn next(
        &mut self,
        context: &Context<'_>,
        item: &WorkItem,
    ) -> Result<Option<&mut BatchOutput>, ArchiveError> {
        let Some(stop) = self.stop_at(item) else { return Ok(None) };
        if !self.repair.next(&mut self.item, stop)? {
            return Ok(None);
        }
        self.item.job = item.job;
        self.tools.process(context, &mut self.item);
        Ok(Some(&mut self.item.batch_output))
    }

    /// Returns the number of work items since the damage, which count as done, if the writer is to
    /// take `item`. That is so if everything before the work item has been read, and nothing of its
    /// records.
    pub(crate) fn items_since_damage(&self, item: &WorkItem) -> Option<u64> {
        let meets = match (self.repair.batch_end(), &item.content) {
            (BatchEnd::End, ItemContent::End(_)) => true,
            (BatchEnd::End, ItemContent::Records | ItemContent::Fatal) => {
                item.batch.part != self.part
            }
            (BatchEnd::Border(offset), ItemContent::Records | ItemContent::Fatal) => {
                self.stop_at(item) == Some(offset)
            }
            _ => false,
        };
        meets.then_some(self.passed)
    }

    /// Counts a work item whose records are read here.
    pub(crate) fn pass_over(&mut self) {
        self.passed += 1;
    }

    /// Returns the offset up to which the archive is to be read before `item`, or `None` if no
    /// repair can end where the work item begins.
    fn stop_at(&self, item: &WorkItem) -> Option<u64> {
        match item.content {
            ItemContent::End(_) => Some(u64::MAX),
            _ if item.batch.part != self.part => Some(u64::MAX),
            ItemContent::Records | ItemContent::Fatal => {
                item.batch.starts_cleanly.then_some(item.batch.start)
            }
        }
    }
}
