//! Intermediate results of CETD, for the worked examples.

use super::*;
use huller_select::Profile;

/// The quantities of one element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Densities {
    /// Index of the node.
    pub(crate) node: u32,
    /// Composite density (`D`).
    pub(crate) density: f64,
    /// Density sum.
    pub(crate) sum: f64,
}

/// The quantities of every element of the body in document order, the element with the largest density sum, and the threshold.
pub(crate) fn densities(page: &Page<'_>, profile: Profile) -> (Vec<Densities>, u32, f64) {
    let method = match profile {
        Profile::Paper => &PAPER,
        Profile::Tuned => &TUNED,
    };
    let (mut sums, mut measures) = (Sums::default(), Vec::new());
    sums.fill(page, &method.removal, &LINKS, &mut Vec::new());
    let body = page.body();
    measure(page, body, &sums, &mut measures);
    find_best(page, body, &sums, &mut measures);
    let best = measures[body as usize].best;
    let all = sums.kept_from(body).iter().copied().map(|node| {
        let NodeDensity { density, sum, .. } = measures[node as usize];
        Densities { node, density, sum }
    });
    (all.collect(), best, threshold(page, body, best, &measures))
}
