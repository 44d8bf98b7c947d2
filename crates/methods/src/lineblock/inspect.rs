//! Intermediate results of line blocks, for the worked examples.

use super::*;
use huller_select::Profile;

/// The lengths, indices and segments of a page. `limit` replaces the limit computed from the page.
pub(crate) fn segmentation(page: &Page<'_>, profile: Profile, limit: Option<u64>) -> Segmentation {
    let method = match profile {
        Profile::Paper => &PAPER,
        Profile::Tuned => &TUNED,
    };
    let mut memory = Memory::default();
    method.sweep(page, &mut memory, limit, &mut Vec::new());
    memory.segmentation
}
