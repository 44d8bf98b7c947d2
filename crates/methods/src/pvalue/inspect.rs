//! Intermediate results of the P value, for the worked examples.

use super::*;
use huller_select::Profile;

/// The quantities of every candidate of a page in document order.
pub(crate) fn lengths(page: &Page<'_>, profile: Profile) -> Vec<Lengths> {
    let method = match profile {
        Profile::Paper => &PAPER,
        Profile::Tuned => &TUNED,
    };
    let mut memory = Memory::default();
    method.sweep(page, &mut memory, &mut Vec::new());
    memory.kept.iter().filter_map(|index| memory.candidate(page.nodes(), *index)).collect()
}
