//! The part of a page that a walk visits.

use crate::selection::{RunRange, Selection};
use huller_page::Page;
use std::ops::Range;

/// The part of a page that a walk visits.
#[derive(Clone, Copy)]
pub(super) struct VisitedPart<'a> {
    /// The element that holds the part.
    pub(super) root: u32,
    /// Elements in it that are not written, in document order.
    pub(super) removed: &'a [u32],
    /// If present, only these ranges are written.
    pub(super) chosen: Option<&'a [RunRange]>,
    /// Ranges of runs that are not written, in document order.
    pub(super) left_out: &'a [Range<u32>],
}

impl<'a> VisitedPart<'a> {
    /// Returns the part of a selection in one of its roots.
    pub(super) fn from_selection(
        page: &Page<'_>,
        selection: &'a Selection,
        root: u32,
    ) -> VisitedPart<'a> {
        let first_run = page.nodes()[root as usize].run_start;
        let (removed, chosen) = (selection.removed_from(root), selection.ranges_from(first_run));
        VisitedPart { root, removed, chosen, left_out: &[] }
    }
}
