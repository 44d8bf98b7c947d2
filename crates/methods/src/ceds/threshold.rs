//! Finds the threshold of paper 004, equations (2)-(5). Blocks whose importance is above it are
//! content.
//!
//! With mu the mean importance of all blocks, the candidates are tau = eps * mu for eps = 1.0, 1.1,
//! .. 3.0. A candidate divides the blocks into those above it and the others, with the means m1 and
//! m2 and the sizes n1 and n2. The candidate with the largest variance wins; of equal ones, the
//! first:
//!
//! ```text
//! class means:  s^2 = (m1 - g)^2 + (m2 - g)^2, g = (m1 + m2) / 2
//! Otsu:         s^2 = n1 * n2 / n^2 * (m1 - m2)^2
//! ```
//!
//! The variance printed in the paper does not depend on tau (E-8). The first reading takes its N
//! for the number of classes, as the text says; it tends to separate the single largest block. The
//! second weighs the classes by size and keeps groups of blocks together. A candidate that leaves a
//! class empty is skipped. Cost: O(blocks). One sweep counts the blocks between each two
//! neighbouring candidates. The classes of each candidate are sums of these counts.

use serde::{Deserialize, Serialize};

/// The measure of the distance between two classes (E-8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Variance {
    /// The variance of the two class means.
    ClassMeans,
    /// The variance between the classes, each weighed by its size.
    Otsu,
}

/// A threshold that divides the blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Threshold {
    /// Blocks above it are content.
    pub(crate) tau: f64,
    /// s^2 of the division.
    pub(crate) variance: f64,
    /// Number of the candidate, 0 to 20: eps = (10 + step) / 10.
    pub(crate) step: u32,
}

/// Returns the mean of the importances; 0 for an empty slice.
pub(crate) fn mean(importances: &[f64]) -> f64 {
    importances.iter().sum::<f64>() / importances.len().max(1) as f64
}

/// Number of candidates.
const CANDIDATE_COUNT: usize = 21;

/// Returns the threshold that divides the blocks best; `None` if no candidate divides them.
pub(crate) fn find_threshold(importances: &[f64], variance: Variance) -> Option<Threshold> {
    let mean = mean(importances);
    let taus: [f64; CANDIDATE_COUNT] = std::array::from_fn(|step| mean * (10 + step) as f64 / 10.0);
    // exceeding[k]: the blocks that exceed exactly the first k candidates.
    let mut exceeding = [Class::default(); CANDIDATE_COUNT + 1];
    for importance in importances {
        exceeding[taus.partition_point(|tau| importance > tau)].add(*importance);
    }
    let mut above_steps = [Class::default(); CANDIDATE_COUNT + 1];
    for step in (0..CANDIDATE_COUNT).rev() {
        above_steps[step] = above_steps[step + 1].and(exceeding[step + 1]);
    }
    let mut below_class = Class::default();
    let mut best_threshold: Option<Threshold> = None;
    for (step, tau) in taus.into_iter().enumerate() {
        let above_class = above_steps[step];
        below_class = below_class.and(exceeding[step]);
        if above_class.size == 0.0 {
            // The class above all later candidates is empty too.
            break;
        }
        if below_class.size == 0.0 {
            continue;
        }
        let variance = variance.between_classes(above_class, below_class);
        // A later candidate with the same division must not win by a rounding error.
        if best_threshold.is_none_or(|best| variance > best.variance + 1e-12 * best.variance) {
            best_threshold = Some(Threshold { tau, variance, step: step as u32 });
        }
    }
    best_threshold
}

#[derive(Clone, Copy, Default)]
struct Class {
    /// Number of blocks.
    size: f64,
    /// Sum of their importances.
    sum: f64,
}

impl Class {
    fn add(&mut self, importance: f64) {
        self.size += 1.0;
        self.sum += importance;
    }

    fn and(self, other: Class) -> Class {
        Class { size: self.size + other.size, sum: self.sum + other.sum }
    }

    fn mean(self) -> f64 {
        self.sum / self.size
    }
}

impl Variance {
    /// Returns the variance of two classes; both hold blocks.
    fn between_classes(self, above: Class, below: Class) -> f64 {
        let distance = above.mean() - below.mean();
        match self {
            Variance::ClassMeans => distance * distance / 2.0,
            Variance::Otsu => {
                let size = above.size + below.size;
                (above.size / size) * (below.size / size) * distance * distance
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_divides_what_is_equal() {
        for variance in [Variance::ClassMeans, Variance::Otsu] {
            assert_eq!(find_threshold(&[], variance), None);
            assert_eq!(find_threshold(&[0.5], variance), None);
            assert_eq!(find_threshold(&[0.0, 0.0], variance), None);
        }
    }

    #[test]
    fn the_first_of_equal_divisions_wins() {
        let threshold = find_threshold(&[4.0, 0.0], Variance::ClassMeans);
        assert_eq!(threshold, Some(Threshold { tau: 2.0, variance: 8.0, step: 0 }));
    }

    proptest! {
        #[test]
        fn the_best_candidate_equals_that_of_trying_each(importances in prop::collection::vec(0_u32..9, 1..40)) {
            let importances: Vec<_> = importances.into_iter().map(|x| f64::from(x) / 4.0).collect();
            let divided = |tau: f64| {
                let mut classes = (Class::default(), Class::default());
                for importance in &importances {
                    if *importance > tau { &mut classes.0 } else { &mut classes.1 }.add(*importance);
                }
                let (above, below) = classes;
                (above.size > 0.0 && below.size > 0.0).then(|| Variance::Otsu.between_classes(above, below))
            };
            let mean = mean(&importances);
            let variances = (0..CANDIDATE_COUNT).filter_map(|step| divided(mean * (10 + step) as f64 / 10.0));
            let largest = variances.fold(None, |largest: Option<f64>, v| Some(largest.map_or(v, |old| old.max(v))));
            let found = find_threshold(&importances, Variance::Otsu);
            prop_assert_eq!(found.is_some(), largest.is_some());
            if let (Some(found), Some(largest)) = (found, largest) {
                prop_assert!((found.variance - largest).abs() <= 1e-9 * largest);
                prop_assert!((divided(found.tau).unwrap() - found.variance).abs() <= 1e-9 * largest);
            }
        }
    }
}
