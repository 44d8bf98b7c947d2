//! Bounds the memory of what is in flight between reader, workers and writer: one budget in bytes
//! for the whole run.
//!
//! The budget has two parts. The first is for what work items hold: the records read for them, the
//! buffers that members and bodies are decoded into, and the rows. A thread that would exceed it
//! waits until other threads have returned their shares. The oldest work item never waits, since
//! the writer, and so every thread, waits for it in the end. The bytes it may need are reserved.
//!
//! The second part is for the giant pages that workers process. A worker that waits for either part
//! holds nothing of the second. So a worker that holds some of it always proceeds to return it, and
//! no cycle of waits can form. Among the work items that wait for the second part, the oldest comes
//! first.

use huller_archive::{BYTES_PER_TAG, start_tags};
use memchr::memchr_iter;
use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes for the program itself, the reader and the models.
const BASE_BYTES: usize = 32 << 20;

/// Bytes for one worker and its work items, as long as its pages are no giants. The writer, which
/// repairs damage, counts as one more worker.
const BYTES_PER_WORKER: usize = 32 << 20;

/// The default budget in bytes, if the settings need no more.
const DEFAULT_BYTES: usize = 512 << 20;

/// The smallest memory limit that a run accepts, in bytes.
pub const MIN_MEMORY_BYTES: usize = 256 << 20;

/// Returns how many of the `threads` a run can start within `memory` bytes, and its budget in
/// bytes. `need` is [what the run needs at least](MemoryNeed::bytes).
pub(crate) fn fit_into_memory(
    memory: Option<usize>,
    threads: usize,
    need: usize,
) -> (usize, usize) {
    let Some(memory) = memory else { return (threads, DEFAULT_BYTES.max(need)) };
    let rest = memory.saturating_sub(BASE_BYTES);
    let max_workers = (rest.saturating_sub(need) / BYTES_PER_WORKER).saturating_sub(1);
    let threads = threads.min(max_workers.max(1));
    (threads, rest.saturating_sub((threads + 1) * BYTES_PER_WORKER))
}

/// Bytes that the longest record and the largest page of a run can take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryNeed {
    /// A record in its batch, and again where it is decoded.
    oldest: usize,
    /// Records that are read in the meantime.
    ahead: usize,
    /// The page in the record, with all that is made of it.
    page: usize,
}

impl MemoryNeed {
    /// Returns the need of a run with records and pages of at most so many bytes, and rows of so
    /// many texts.
    pub(crate) fn new(record_bytes: usize, page_bytes: usize, texts: usize) -> MemoryNeed {
        MemoryNeed {
            oldest: record_bytes.saturating_mul(2),
            ahead: record_bytes,
            page: page_bytes.saturating_mul(page_factor(texts)),
        }
    }

    /// Returns the sum of the three.
    pub(crate) fn bytes(self) -> usize {
        self.oldest.saturating_add(self.ahead).saturating_add(self.page)
    }
}

/// Returns the longest record, in bytes, that a run with `memory` bytes can take.
pub(crate) fn record_bytes_within(memory: usize) -> usize {
    memory / 8
}

/// Returns the longest page, in bytes, that such a run can take: the [need](MemoryNeed) fits into
/// five eighths of the memory.
pub(crate) fn page_bytes_within(memory: usize, record_bytes: usize, texts: usize) -> usize {
    const MIN_PAGE_BYTES: usize = 64 << 10;
    let rest = (memory / 8 * 5).saturating_sub(record_bytes.saturating_mul(3));
    (rest / page_factor(texts)).max(MIN_PAGE_BYTES)
}

/// A page of more [weight](page_weight) than this is a giant. While a worker processes it, it holds
/// [`page_factor`] times as many bytes.
pub(crate) const LARGE_PAGE_BYTES: usize = 1 << 20;

/// Returns how many bytes a worker needs for each byte of the weight of a giant. The row of the
/// giant has `texts` texts. They are the decoded page, its columns, the notes of the extractors on
/// every block, the texts and the row. Measured on pages of a million blocks: 31 for `hull`, 110
/// for all extractors at once.
pub(crate) fn page_factor(texts: usize) -> usize {
    27 + 5 * texts
}

/// Returns the weight of a page in bytes: its length, or more if it has many tags, and at most
/// `max_page_bytes`.
pub(crate) fn page_weight(page: &[u8], max_page_bytes: usize) -> usize {
    // More tags than this make a giant.
    const LIGHT_TAGS: usize = LARGE_PAGE_BYTES / BYTES_PER_TAG;
    // A tag has at least three bytes. Counting every `<` is quicker than counting start tags.
    let is_light = page.len() / 3 <= LIGHT_TAGS || memchr_iter(b'<', page).count() <= LIGHT_TAGS;
    let tags = if is_light { 0 } else { start_tags(page).count() };
    page.len().max(tags.saturating_mul(BYTES_PER_TAG)).min(max_page_bytes)
}

/// The memory budget of a run.
pub(crate) struct Budget {
    /// Most bytes of all work items except the oldest.
    items: usize,
    /// Most bytes of the giants that workers process at a time.
    pages: usize,
    state: Mutex<BudgetState>,
    changed: Condvar,
}

#[derive(Default)]
struct BudgetState {
    items: usize,
    pages: usize,
    /// Numbers of the work items whose workers wait for memory for a page.
    waiting: BTreeSet<u64>,
    /// Number of the first work item that the writer has not returned.
    oldest: u64,
    /// Number of threads that wait. While it is 0 no thread is woken, since waking costs a system
    /// call.
    threads: usize,
    /// The run ends: no thread waits any longer.
    closed: bool,
}

impl Budget {
    /// Makes a budget of `total` bytes, or of what `need` requires if that is more.
    pub(crate) fn new(total: usize, need: MemoryNeed) -> Budget {
        let items = total.saturating_sub(need.oldest).saturating_sub(need.page);
        Budget {
            items: items.max(need.ahead),
            pages: need.page,
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Takes `bytes` for the work item `sequence`, and waits until they are free. The caller must
    /// hold no bytes for a page.
    pub(crate) fn hold(&self, sequence: u64, bytes: usize) {
        let mut state = self.state();
        while state.items.saturating_add(bytes) > self.items
            && sequence > state.oldest
            && !state.closed
        {
            state = self.wait(state);
        }
        state.items = state.items.saturating_add(bytes);
    }

    /// Takes `bytes` for a page of this work item, or the whole part for pages if it asks for more.
    /// The caller must hold no bytes for a page.
    fn hold_page(&self, sequence: u64, bytes: usize) -> usize {
        let bytes = bytes.min(self.pages);
        let mut state = self.state();
        state.waiting.insert(sequence);
        while (state.pages + bytes > self.pages || state.waiting.first() != Some(&sequence))
            && !state.closed
        {
            state = self.wait(state);
        }
        state.waiting.remove(&sequence);
        state.pages += bytes;
        drop(state);
        // The next work item that waits may fit too.
        self.changed.notify_all();
        bytes
    }

    /// Returns the bytes that a page and the buffers around it held.
    fn release(&self, buffers: usize, page: usize) {
        let mut state = self.state();
        state.items = state.items.saturating_sub(buffers);
        state.pages = state.pages.saturating_sub(page);
        self.wake_waiting(state);
    }

    /// Notes that the writer returns the work item `sequence`, which held `bytes`.
    pub(crate) fn release_item(&self, sequence: u64, bytes: usize) {
        let mut state = self.state();
        state.oldest = sequence + 1;
        state.items = state.items.saturating_sub(bytes);
        self.wake_waiting(state);
    }

    /// Wakes all threads that wait.
    fn wake_waiting(&self, state: MutexGuard<'_, BudgetState>) {
        let waits = state.threads > 0;
        drop(state);
        if waits {
            self.changed.notify_all();
        }
    }

    /// Ends all waiting, because the run ends.
    pub(crate) fn close(&self) {
        self.state().closed = true;
        self.changed.notify_all();
    }

    fn wait<'a>(&self, mut state: MutexGuard<'a, BudgetState>) -> MutexGuard<'a, BudgetState> {
        state.threads += 1;
        let mut state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.threads -= 1;
        state
    }

    fn state(&self) -> MutexGuard<'_, BudgetState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bytes that one work item holds while a worker processes it. Dropping it returns them.
pub(crate) struct BudgetShare<'a> {
    budget: &'a Budget,
    sequence: u64,
    buffers: usize,
    page: usize,
}

impl<'a> BudgetShare<'a> {
    pub(crate) fn new(budget: &'a Budget, sequence: u64) -> BudgetShare<'a> {
        BudgetShare { budget, sequence, buffers: 0, page: 0 }
    }

    /// Takes bytes for the buffers that members and bodies are decoded into, until the share has
    /// `bytes`.
    pub(crate) fn grow_buffers_to(&mut self, bytes: usize) {
        if bytes > self.buffers {
            self.release_page();
            self.budget.hold(self.sequence, bytes - self.buffers);
            self.buffers = bytes;
        }
    }

    /// Takes bytes for a page, until the share has `bytes`. The page before it is done.
    pub(crate) fn grow_page_to(&mut self, bytes: usize) {
        if bytes > self.page {
            self.release_page();
            self.page = self.budget.hold_page(self.sequence, bytes);
        }
    }

    fn release_page(&mut self) {
        let page = std::mem::take(&mut self.page);
        if page > 0 {
            self.budget.release(0, page);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.buffers == 0 && self.page == 0
    }
}

impl Drop for BudgetShare<'_> {
    fn drop(&mut self) {
        if !self.is_empty() {
            self.budget.release(self.buffers, self.page);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn the_memory_bounds_the_threads_and_what_is_in_flight() {
        let need = MemoryNeed::new(128 << 20, 16 << 20, 1).bytes();
        assert_eq!(need, (3 * 128 + 16 * 32) << 20);
        assert_eq!(fit_into_memory(None, 7, need), (7, need));
        assert_eq!(fit_into_memory(None, 7, 0), (7, DEFAULT_BYTES));
        for memory in [MIN_MEMORY_BYTES, 512 << 20, 4 << 30] {
            for (asked, texts) in [(1, 1), (4, 1), (16, 3), (256, 18)] {
                let record = record_bytes_within(memory);
                let page = page_bytes_within(memory, record, texts);
                let need = MemoryNeed::new(record, page, texts).bytes();
                let (threads, budget) = fit_into_memory(Some(memory), asked, need);
                assert!((1..=asked).contains(&threads) && budget >= need, "{memory} {asked}");
                assert_eq!(BASE_BYTES + (threads + 1) * BYTES_PER_WORKER + budget, memory);
            }
        }
        assert_eq!(fit_into_memory(Some(1), 4, 0), (1, 0));
    }

    #[test]
    fn a_page_of_many_tags_weighs_more() {
        let page = b"<p>a".repeat(1 << 18);
        assert_eq!(page_weight(&page, 16 << 20), 4 << 20);
        assert_eq!(page_weight(&page, 1 << 20), 1 << 20);
        assert_eq!(page_weight(&b"a".repeat(2 << 20), 16 << 20), 2 << 20);
        assert_eq!(page_weight(b"<p>a", 16 << 20), 4);
    }

    /// A budget of 100 bytes for work items and 500 for pages.
    fn budget() -> Budget {
        Budget::new(0, MemoryNeed { oldest: 200, ahead: 100, page: 500 })
    }

    #[test]
    fn the_oldest_never_waits_and_the_others_do() {
        let budget = budget();
        let order = AtomicUsize::new(0);
        budget.hold(0, 300);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| {
                let mut share = BudgetShare::new(&budget, 1);
                share.grow_buffers_to(60);
                assert_eq!(order.load(Ordering::SeqCst), 1);
                share.grow_buffers_to(150);
                assert!(!share.is_empty());
            });
            order.store(1, Ordering::SeqCst);
            budget.release_item(0, 300);
            waiting.join().unwrap();
            let closed = scope.spawn(|| budget.hold(9, 200));
            budget.close();
            closed.join().unwrap();
        });
        assert_eq!(budget.state().items, 200);
    }

    #[test]
    fn pages_never_exceed_their_part_even_those_of_the_oldest() {
        let budget = budget();
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for sequence in 0..8 {
                let (budget, now, most) = (&budget, &now, &most);
                scope.spawn(move || {
                    for round in 0..200 {
                        let mut share = BudgetShare::new(budget, sequence);
                        for bytes in [90, 200, 40 + round, 9000] {
                            share.grow_page_to(bytes);
                            let used = now.fetch_add(bytes.min(500), Ordering::SeqCst);
                            most.fetch_max(used + bytes.min(500), Ordering::SeqCst);
                            now.fetch_sub(bytes.min(500), Ordering::SeqCst);
                            if round % 3 == 0 {
                                share.grow_buffers_to(12);
                            }
                        }
                    }
                });
            }
        });
        let state = budget.state();
        assert_eq!((state.pages, state.items, state.waiting.len()), (0, 0, 0));
        assert!(most.into_inner() <= 500);
    }
}
