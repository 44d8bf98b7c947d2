//! Intermediate results of CEDS, for the worked examples.

use super::*;
use huller_select::Profile;

/// The blocks of a page in document order.
pub(crate) fn blocks(page: &Page<'_>, profile: Profile) -> Vec<FusedBlock> {
    let method = match profile {
        Profile::Paper => &PAPER,
        Profile::Tuned => &TUNED,
    };
    let mut memory = Memory::default();
    method.sweep(page, &mut memory, &mut Vec::new());
    memory.blocks
}
