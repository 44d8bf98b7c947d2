//! Puts parcels back into the order they were cut in.

use crate::budget::Budget;
use crate::work_item::WorkItem;
use crossbeam_channel::{Receiver, Sender};
use std::collections::VecDeque;

/// The ring in which parcels wait for earlier ones. It never holds more than the parcels of the
/// run.
pub(crate) struct InOrder<'a> {
    done: &'a Receiver<Box<WorkItem>>,
    free: Sender<Box<WorkItem>>,
    budget: &'a Budget,
    ring: VecDeque<Option<Box<WorkItem>>>,
    next: u64,
}

impl<'a> InOrder<'a> {
    pub(crate) fn new(
        done: &'a Receiver<Box<WorkItem>>,
        free: Sender<Box<WorkItem>>,
        budget: &'a Budget,
    ) -> InOrder<'a> {
        InOrder { done, free, budget, ring: VecDeque::new(), next: 0 }
    }

    /// Returns the next parcel, or `None` after reader and workers have ended.
    pub(crate) fn next(&mut self) -> Option<Box<WorkItem>> {
        loop {
            if let Some(parcel) = self.ring.front_mut().and_then(Option::take) {
                self.ring.pop_front();
                self.next += 1;
                return Some(parcel);
            }
            let parcel = self.done.recv().ok()?;
            let place = (parcel.sequence - self.next) as usize;
            if self.ring.len() <= place {
                self.ring.resize_with(place + 1, || None);
            }
            self.ring[place] = Some(parcel);
        }
    }

    /// Returns a parcel to the reader.
    pub(crate) fn recycle(&self, mut parcel: Box<WorkItem>) {
        parcel.forget_giants();
        self.budget.returned(parcel.sequence, std::mem::take(&mut parcel.held));
        // The reader may have ended already.
        let _ = self.free.send(parcel);
    }
}
