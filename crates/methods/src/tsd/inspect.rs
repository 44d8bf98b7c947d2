//! Intermediate results of text and symbol density, for the worked examples.

use super::*;
use huller_select::Profile;

/// The quantities of one element, under the paper's names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Densities {
    /// Index of the node.
    pub(crate) node: u32,
    /// Scalars of text (`T`).
    pub(crate) text: u32,
    /// Scalars of linked text (`LT`).
    pub(crate) linked: u32,
    /// `p` elements, the element included (`PNum`).
    pub(crate) paragraphs: u32,
    /// `TD`.
    pub(crate) text_density: f64,
    /// The sum of the children's `TD` (`ND`).
    pub(crate) density_sum: f64,
    /// Standard deviation of the lengths of its texts (`SD`); 0 if the settings do without it.
    pub(crate) deviation: f64,
    /// `SbD`.
    pub(crate) symbol_density: f64,
    /// The score by which elements are ranked.
    pub(crate) score: f64,
}

/// Returns the quantities of every kept element of the body, in document order, under these
/// settings.
pub(crate) fn densities(page: &Page<'_>, extractor: &TextDensity) -> Vec<Densities> {
    let (mut sums, mut ranks) = (PrefixSums::default(), Vec::new());
    sums.fill(page, &extractor.removal, &LINKS, &mut Vec::new());
    extractor.best_element(page, &sums, &mut ranks, extractor.symbols);
    let densities_of = |index: u32| {
        let node = &page.nodes()[index as usize];
        let (subtree, rank) = (sums.subtree(index, node), ranks[index as usize]);
        let text_density =
            candidate(&sums, index, node).map_or(0.0, |sums| extractor.text_density(&sums));
        let ranked_by =
            if text_density > 0.0 { extractor.ranked_by(text_density, rank) } else { 0.0 };
        Densities {
            node: index,
            text: subtree.chars,
            linked: subtree.linked_chars,
            paragraphs: subtree.paragraphs,
            text_density,
            density_sum: rank.children.sum,
            deviation: rank.leaves.variance().sqrt(),
            symbol_density: symbol_density(&subtree),
            score: score(&subtree, ranked_by, extractor.symbols),
        }
    };
    sums.kept_from(page.body()).iter().map(|index| densities_of(*index)).collect()
}

/// Returns the settings of a profile.
pub(crate) fn settings(profile: Profile) -> &'static TextDensity {
    match profile {
        Profile::Paper => &PAPER,
        Profile::Tuned => &TUNED,
    }
}
