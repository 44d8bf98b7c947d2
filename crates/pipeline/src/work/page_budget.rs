//! Reserves the memory that a worker needs for giants before the worker allocates it.

use crate::budget::{BudgetShare, GIANT, page_factor, page_weight};
use huller_archive::MemoryBudget;

/// The worker's share of the budget, from which one page after another takes memory.
pub(crate) struct PageBudget<'s, 'b> {
    /// `None` for callers without a budget.
    share: Option<&'s mut BudgetShare<'b>>,
    factor: usize,
    max_page_bytes: usize,
    /// Bytes of the buffer that members are decoded into.
    member: usize,
    /// Bytes of the buffer that bodies are decoded into.
    body: usize,
}

impl<'s, 'b> PageBudget<'s, 'b> {
    /// Makes a share for rows of so many texts, and for pages that are cut at `max_page_bytes`.
    pub(crate) fn new(
        share: Option<&'s mut BudgetShare<'b>>,
        texts: usize,
        max_page_bytes: usize,
    ) -> PageBudget<'s, 'b> {
        PageBudget { share, factor: page_factor(texts), max_page_bytes, member: 0, body: 0 }
    }

    /// Waits until there is memory for a member of `bytes` bytes.
    pub(crate) fn member(&mut self, bytes: usize) {
        self.member = bytes;
        self.grow_buffers();
    }

    /// Waits until there is memory for this page.
    pub(crate) fn page(&mut self, page: &[u8]) {
        let weight = page_weight(page, self.max_page_bytes);
        if weight > GIANT
            && let Some(share) = &mut self.share
        {
            share.grow_page_to(weight.saturating_mul(self.factor));
        }
    }

    fn grow_buffers(&mut self) {
        if let Some(share) = &mut self.share {
            share.grow_buffers_to(self.member.saturating_add(self.body));
        }
    }
}

impl MemoryBudget for PageBudget<'_, '_> {
    fn wait_for(&mut self, bytes: usize) {
        self.body = bytes;
        self.grow_buffers();
    }
}
