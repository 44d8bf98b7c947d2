//! Reserves memory for large pages and members, before a worker allocates it.

use crate::budget::{BudgetShare, LARGE_PAGE_BYTES, page_factor, page_weight};
use huller_archive::MemoryBudget;

/// The worker's share of the budget, from which one page after another takes memory.
pub(crate) struct PageBudget<'s, 'b> {
    /// `None` for callers without a budget.
    share: Option<&'s mut BudgetShare<'b>>,
    factor: usize,
    max_page_bytes: usize,
    /// Bytes of the buffer that members are decoded into.
    member_bytes: usize,
    /// Bytes of the buffer that bodies are decoded into.
    body_bytes: usize,
}

impl<'s, 'b> PageBudget<'s, 'b> {
    /// Makes a share for rows of `texts` texts, and for pages that are cut at `max_page_bytes`.
    pub(crate) fn new(
        share: Option<&'s mut BudgetShare<'b>>,
        texts: usize,
        max_page_bytes: usize,
    ) -> PageBudget<'s, 'b> {
        PageBudget {
            share,
            factor: page_factor(texts),
            max_page_bytes,
            member_bytes: 0,
            body_bytes: 0,
        }
    }

    /// Waits until there is memory for a member of `bytes` bytes.
    pub(crate) fn reserve_member(&mut self, bytes: usize) {
        self.member_bytes = bytes;
        self.grow_buffers();
    }

    /// Waits until there is memory for this page.
    pub(crate) fn reserve_page(&mut self, page: &[u8]) {
        let weight = page_weight(page, self.max_page_bytes);
        if weight > LARGE_PAGE_BYTES
            && let Some(share) = &mut self.share
        {
            share.grow_page_to(weight.saturating_mul(self.factor));
        }
    }

    fn grow_buffers(&mut self) {
        if let Some(share) = &mut self.share {
            share.grow_buffers_to(self.member_bytes.saturating_add(self.body_bytes));
        }
    }
}

impl MemoryBudget for PageBudget<'_, '_> {
    fn wait_for(&mut self, bytes: usize) {
        self.body_bytes = bytes;
        self.grow_buffers();
    }
}
