//! Puts work items back into the order they were cut in.

use crate::budget::Budget;
use crate::work_item::WorkItem;
use crossbeam_channel::{Receiver, Sender};
use std::collections::VecDeque;

/// Holds work items that wait for earlier ones, at most as many as the run has.
pub(crate) struct ReorderBuffer<'a> {
    finished_items: &'a Receiver<Box<WorkItem>>,
    free_items: Sender<Box<WorkItem>>,
    budget: &'a Budget,
    waiting: VecDeque<Option<Box<WorkItem>>>,
    next_sequence: u64,
}

impl<'a> ReorderBuffer<'a> {
    pub(crate) fn new(
        finished_items: &'a Receiver<Box<WorkItem>>,
        free_items: Sender<Box<WorkItem>>,
        budget: &'a Budget,
    ) -> ReorderBuffer<'a> {
        ReorderBuffer {
            finished_items,
            free_items,
            budget,
            waiting: VecDeque::new(),
            next_sequence: 0,
        }
    }

    /// Returns the next work item, or `None` after reader and workers have ended.
    pub(crate) fn next(&mut self) -> Option<Box<WorkItem>> {
        loop {
            if let Some(item) = self.waiting.front_mut().and_then(Option::take) {
                self.waiting.pop_front();
                self.next_sequence += 1;
                return Some(item);
            }
            let item = self.finished_items.recv().ok()?;
            let index = (item.sequence - self.next_sequence) as usize;
            if self.waiting.len() <= index {
                self.waiting.resize_with(index + 1, || None);
            }
            self.waiting[index] = Some(item);
        }
    }

    /// Returns a work item to the reader.
    pub(crate) fn recycle(&self, mut item: Box<WorkItem>) {
        item.shrink_large_buffers();
        self.budget.release_item(item.sequence, std::mem::take(&mut item.held));
        // The reader may have ended already.
        let _ = self.free_items.send(item);
    }
}
