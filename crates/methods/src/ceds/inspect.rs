//! Intermediate results of CEDS, for the worked examples.

use super::*;
use huller_select::Profile;

/// The blocks of a page in document order.
pub(crate) fn blocks(page: &Page<'_>, profile: Profile) -> Vec<FusedBlock> {
    blocks_by(page, if profile == Profile::Paper { &PAPER } else { &TUNED })
}

/// The blocks of a page: those of one method, in the order of their first leaves.
pub(crate) fn blocks_by(page: &Page<'_>, method: &Ceds) -> Vec<FusedBlock> {
    let mut memory = Memory::default();
    method.sweep(page, &mut memory, &mut Vec::new());
    memory.blocks
}
