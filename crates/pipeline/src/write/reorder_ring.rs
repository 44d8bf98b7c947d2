//! Puts work items back into the order they were cut in.

use crate::budget::Budget;
use crate::work_item::WorkItem;
use crossbeam_channel::{Receiver, Sender};
use std::collections::VecDeque;

/// The ring in which work items wait for earlier ones. It never holds more than the work items of
/// the run.
pub(crate) struct ReorderRing<'a> {
    done: &'a Receiver<Box<WorkItem>>,
    free: Sender<Box<WorkItem>>,
    budget: &'a Budget,
    ring: VecDeque<Option<Box<WorkItem>>>,
    next: u64,
}

impl<'a> ReorderRing<'a> {
    pub(crate) fn new(
        done: &'a Receiver<Box<WorkItem>>,
        free: Sender<Box<WorkItem>>,
        budget: &'a Budget,
    ) -> ReorderRing<'a> {
        ReorderRing { done, free, budget, ring: VecDeque::new(), next: 0 }
    }

    /// Returns the next work item, or `None` after reader and workers have ended.
    pub(crate) fn next(&mut self) -> Option<Box<WorkItem>> {
        loop {
            if let Some(item) = self.ring.front_mut().and_then(Option::take) {
                self.ring.pop_front();
                self.next += 1;
                return Some(item);
            }
            let item = self.done.recv().ok()?;
            let place = (item.sequence - self.next) as usize;
            if self.ring.len() <= place {
                self.ring.resize_with(place + 1, || None);
            }
            self.ring[place] = Some(item);
        }
    }

    /// Returns a work item to the reader.
    pub(crate) fn recycle(&self, mut item: Box<WorkItem>) {
        item.forget_giants();
        self.budget.note_return(item.sequence, std::mem::take(&mut item.held));
        // The reader may have ended already.
        let _ = self.free.send(item);
    }
}
