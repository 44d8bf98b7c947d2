//! Repairs damage that reaches into later batches: the writer reads one record after another up to
//! the start of a later parcel.

use crate::work::batch_work::Tools;
use crate::work::context::Context;
use crate::work::recovery::RepairStream;
use crate::work_item::{BatchOutput, Content, WorkItem};
use huller_archive::{ArchiveError, Reached, Repairer};

/// Reads through damage. Made at the first such damage of a run, and reused for the next.
pub(crate) struct Recovery<'a> {
    tools: Tools<'a>,
    /// Its own parcel, in addition to the circulating ones.
    parcel: WorkItem,
    stretch: RepairStream,
    /// The archive of a WACZ that it reads. The damage ends with the archive at the latest.
    part: u32,
    /// Parcels whose records are, or will be, read here. They count as done when the repair reaches
    /// the start of another parcel.
    passed: u64,
}

impl<'a> Recovery<'a> {
    /// Begins at `offset` of an archive, where the worker left the parcel just written.
    pub(crate) fn start(
        repairer: &Repairer,
        part: u32,
        offset: u64,
        context: &Context<'a>,
    ) -> Result<Recovery<'a>, ArchiveError> {
        Ok(Recovery {
            tools: Tools::new(context),
            parcel: WorkItem::default(),
            stretch: RepairStream::new(repairer.at(offset)?),
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
        self.stretch = RepairStream::new(repairer.at(offset)?);
        (self.part, self.passed) = (part, 1);
        Ok(())
    }

    /// Returns the next product before the start of `parcel`, or `None` if there is no more.
    pub(crate) fn next(
        &mut self,
        context: &Context<'_>,
        parcel: &WorkItem,
    ) -> Result<Option<&mut BatchOutput>, ArchiveError> {
        let Some(stop) = self.stop_at(parcel) else { return Ok(None) };
        if !self.stretch.next(&mut self.parcel, stop)? {
            return Ok(None);
        }
        self.parcel.job = parcel.job;
        self.tools.process(context, &mut self.parcel);
        Ok(Some(&mut self.parcel.product))
    }

    /// Returns the number of parcels since the damage, which count as done, if the writer is to
    /// take `parcel`. That is so if everything before the parcel has been read, and nothing of its
    /// records.
    pub(crate) fn meets(&self, parcel: &WorkItem) -> Option<u64> {
        let meets = match (self.stretch.reached(), &parcel.content) {
            (Reached::End, Content::End(_)) => true,
            (Reached::End, Content::Records | Content::Fatal) => parcel.batch.part != self.part,
            (Reached::Border(offset), Content::Records | Content::Fatal) => {
                self.stop_at(parcel) == Some(offset)
            }
            _ => false,
        };
        meets.then_some(self.passed)
    }

    /// Counts a parcel whose records are read here.
    pub(crate) fn pass_over(&mut self) {
        self.passed += 1;
    }

    /// Returns the offset up to which the archive is to be read before `parcel`, or `None` if no
    /// repair can end where the parcel begins.
    fn stop_at(&self, parcel: &WorkItem) -> Option<u64> {
        match parcel.content {
            Content::End(_) => Some(u64::MAX),
            _ if parcel.batch.part != self.part => Some(u64::MAX),
            Content::Records | Content::Fatal => parcel.batch.seam.then_some(parcel.batch.start),
        }
    }
}
