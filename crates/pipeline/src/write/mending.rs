//! Mending: where a worker stopped at damage, the writer reads one record after another until it reaches the start of a later
//! parcel.

use crate::parcel::{Content, Parcel, Product};
use crate::work::batch_work::Tools;
use crate::work::context::Context;
use huller_archive::{ArchiveError, Reached, RecordStream, Repairer};

/// Reads through damage. Made at the first damage of a run, and used again for the next.
pub(crate) struct Mender {
    tools: Tools,
    /// Besides those that circulate.
    parcel: Parcel,
    stream: RecordStream,
    reached: Reached,
    /// Parcels whose records are, or will be, read here. They count as done when the stream reaches the start of another parcel.
    passed: u64,
}

impl Mender {
    /// Begins at the member at `offset`, which lies in the parcel just written.
    pub(crate) fn start(
        repairer: &Repairer,
        offset: u64,
        context: &Context<'_>,
    ) -> Result<Mender, ArchiveError> {
        Ok(Mender {
            tools: Tools::new(context.settings, context.format),
            parcel: Parcel::default(),
            stream: repairer.at(offset)?,
            reached: Reached::Full,
            passed: 1,
        })
    }

    /// Begins again elsewhere.
    pub(crate) fn restart(&mut self, repairer: &Repairer, offset: u64) -> Result<(), ArchiveError> {
        self.stream = repairer.at(offset)?;
        self.reached = Reached::Full;
        self.passed = 1;
        Ok(())
    }

    /// The next product before the start of `parcel`, or `None` if there is no more.
    pub(crate) fn next(
        &mut self,
        context: &Context<'_>,
        parcel: &Parcel,
    ) -> Result<Option<&mut Product>, ArchiveError> {
        let Some(stop) = stop_at(parcel) else { return Ok(None) };
        loop {
            match self.reached {
                Reached::End => return Ok(None),
                Reached::Border(offset) if offset >= stop => return Ok(None),
                _ => {}
            }
            self.parcel.clear();
            self.parcel.forget_giants();
            self.parcel.job = parcel.job;
            self.reached = self.stream.next_batch_until(&mut self.parcel.batch, stop)?;
            if !self.parcel.batch.entries.is_empty() {
                self.tools.process(context, &mut self.parcel);
                return Ok(Some(&mut self.parcel.product));
            }
        }
    }

    /// If everything before `parcel` has been read and nothing that it holds, the writer is to take it. Then this returns the number
    /// of parcels since the damage, which count as done.
    pub(crate) fn meets(&self, parcel: &Parcel) -> Option<u64> {
        let meets = match (self.reached, &parcel.content) {
            (Reached::End, Content::End(_)) => true,
            (Reached::Border(offset), Content::Records | Content::Fatal) => {
                stop_at(parcel) == Some(offset)
            }
            _ => false,
        };
        meets.then_some(self.passed)
    }

    /// Counts a parcel whose records are read here.
    pub(crate) fn pass_over(&mut self) {
        self.passed += 1;
    }
}

/// The offset up to which the input is to be read before `parcel`. `None` if no repair can end where the parcel begins.
fn stop_at(parcel: &Parcel) -> Option<u64> {
    match parcel.content {
        Content::End(_) => Some(u64::MAX),
        Content::Records | Content::Fatal => parcel.batch.seam.then_some(parcel.batch.start),
    }
}
