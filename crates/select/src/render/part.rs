//! What a walk goes over.

use crate::selection::{Selection, Stretch};
use huller_page::Page;
use std::ops::Range;

/// What of a page is walked over.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    /// The element.
    pub(super) root: u32,
    /// Elements in it that are not written, in document order.
    pub(super) removed: &'a [u32],
    /// If some, nothing but these stretches is written.
    pub(super) chosen: Option<&'a [Stretch]>,
    /// Ranges of runs that are not written, in document order.
    pub(super) left_out: &'a [Range<u32>],
}

impl<'a> Part<'a> {
    /// A selection's part of one of its roots.
    pub(super) fn of(page: &Page<'_>, selection: &'a Selection, root: u32) -> Part<'a> {
        let first_run = page.nodes()[root as usize].run_start;
        let (removed, chosen) = (selection.removed_from(root), selection.stretches_from(first_run));
        Part { root, removed, chosen, left_out: &[] }
    }
}
