//! Reading on where a worker had to stop: one record after another, until that stands on the start of a later parcel.

use crate::batch_work::{Context, Tools};
use crate::parcel::{Content, Parcel, Product};
use crate::settings::Settings;
use huller_archive::{ArchiveError, Reached, RecordStream, Repairer};

/// Reads on through damage. Made when damage is first met, and kept for the next time.
pub(crate) struct Mender {
    tools: Tools,
    /// Not one of those that go round.
    parcel: Parcel,
    stream: RecordStream,
    reached: Reached,
    /// Parcels whose records are, or will be, read here: done once the stream stands on the start of another.
    passed: u64,
}

impl Mender {
    /// Begins at the member at `offset`, which lies in the parcel just written.
    pub(crate) fn start(
        repairer: &Repairer,
        offset: u64,
        settings: &Settings,
    ) -> Result<Mender, ArchiveError> {
        Ok(Mender {
            tools: Tools::new(settings),
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

    /// What comes next before `parcel` begins; `None` when there is no more.
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
            self.parcel.job = parcel.job;
            self.reached = self.stream.next_batch_until(&mut self.parcel.batch, stop)?;
            if !self.parcel.batch.entries.is_empty() {
                self.tools.process(context, &mut self.parcel);
                return Ok(Some(&mut self.parcel.product));
            }
        }
    }

    /// Whether all that lies before `parcel` has been read and none of what it holds: then it is to be taken, and the
    /// number of parcels that this one comes after is given.
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

    /// The parcel was cut out of what is read here; nothing else is to be made of it.
    pub(crate) fn pass_over(&mut self) {
        self.passed += 1;
    }
}

/// Up to where the input is to be read before `parcel`; `None` if that begins where no repair can end.
fn stop_at(parcel: &Parcel) -> Option<u64> {
    match parcel.content {
        Content::End(_) => Some(u64::MAX),
        Content::Records | Content::Fatal => parcel.batch.seam.then_some(parcel.batch.start),
    }
}
