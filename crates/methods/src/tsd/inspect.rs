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
    /// Those within links (`LT`).
    pub(crate) linked: u32,
    /// `p` elements, the element included (`PNum`).
    pub(crate) paragraphs: u32,
    /// `TD`.
    pub(crate) text_density: f64,
    /// `SbD`.
    pub(crate) symbol_density: f64,
    /// The score by which elements are ranked.
    pub(crate) score: f64,
}

/// The quantities of every element of the body in document order, and the standard deviation of `TD`.
pub(crate) fn densities(page: &Page<'_>, profile: Profile) -> (Vec<Densities>, f64) {
    let method = match profile {
        Profile::Paper => &PAPER,
        Profile::Tuned => &TUNED,
    };
    let (mut sums, mut child_sums) = (Sums::default(), Vec::new());
    sums.fill(page, &method.removal, &LINKS, &mut Vec::new());
    let body = page.body();
    method.sum_children(page, body, &sums, &mut child_sums);
    let mut deviation = Deviation::default();
    let all = method.text_densities(page, body, &sums);
    all.for_each(|(_, _, density)| deviation.add(density));
    let factor = method.page_factor(deviation);
    let all = method.text_densities(page, body, &sums).map(|(index, node, text_density)| {
        let sums = sums.of(index, node);
        let ranked_by = method.ranked_by(index, text_density, &child_sums);
        let density = symbol_density(&sums);
        let paragraphs = paragraph_factor(sums.paragraphs);
        let score = ranked_by * paragraphs * symbol_factor(density, method.symbols);
        Densities {
            node: index,
            text: sums.chars,
            linked: sums.linked_chars,
            paragraphs: sums.paragraphs,
            text_density,
            symbol_density: density,
            score: score * factor,
        }
    });
    (all.collect(), deviation.sample())
}
