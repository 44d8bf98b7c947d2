//! Which blocks are content: the threshold of paper 004, equations (2)-(5).
//!
//! With mu the mean importance of all blocks, the candidates are tau = eps * mu for eps = 1.0, 1.1, .. 3.0. A candidate
//! divides the blocks into those above it and the others, with the means m1 and m2 and the sizes n1 and n2; the one with the
//! largest variance wins, of equal ones the first:
//!
//! ```text
//! class means:  s^2 = (m1 - g)^2 + (m2 - g)^2, g = (m1 + m2) / 2
//! Otsu:         s^2 = n1 * n2 / n^2 * (m1 - m2)^2
//! ```
//!
//! The paper prints a variance that does not depend on tau (E-8). The first reading takes its N for the number of classes,
//! as the text says; it drifts to the single largest block. The second weighs the classes by size and keeps groups. A
//! candidate that leaves a class empty is passed over. Cost: 21 sweeps.

/// How far apart two classes are (E-8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variance {
    /// Of the two class means.
    ClassMeans,
    /// Between the classes, each weighed by its size.
    Otsu,
}

/// A threshold that divides the blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threshold {
    /// Blocks above it are content.
    pub tau: f64,
    /// s^2 of the division.
    pub variance: f64,
    /// Number of the candidate, 0 to 20: eps = (10 + step) / 10.
    pub step: u32,
}

/// The mean of the importances; 0 if there are none.
pub fn mean(importances: &[f64]) -> f64 {
    importances.iter().sum::<f64>() / importances.len().max(1) as f64
}

/// The threshold that divides the blocks best; `None` if none does.
pub fn find(importances: &[f64], variance: Variance) -> Option<Threshold> {
    let mean = mean(importances);
    let mut best: Option<Threshold> = None;
    for step in 0..=20 {
        let tau = mean * f64::from(10 + step) / 10.0;
        let mut above = Class::default();
        let mut below = Class::default();
        for importance in importances {
            if *importance > tau { &mut above } else { &mut below }.add(*importance);
        }
        if above.size == 0.0 {
            // So it is for all that come after.
            break;
        }
        if below.size == 0.0 {
            continue;
        }
        let variance = variance.of(above, below);
        // Thresholds that divide alike must not win by an error of rounding.
        if best.is_none_or(|best| variance > best.variance + 1e-12 * best.variance) {
            best = Some(Threshold { tau, variance, step });
        }
    }
    best
}

#[derive(Clone, Copy, Default)]
struct Class {
    size: f64,
    sum: f64,
}

impl Class {
    fn add(&mut self, importance: f64) {
        self.size += 1.0;
        self.sum += importance;
    }

    fn mean(self) -> f64 {
        self.sum / self.size
    }
}

impl Variance {
    /// Of two classes that are not empty.
    fn of(self, above: Class, below: Class) -> f64 {
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

    #[test]
    fn nothing_divides_what_is_equal() {
        for variance in [Variance::ClassMeans, Variance::Otsu] {
            assert_eq!(find(&[], variance), None);
            assert_eq!(find(&[0.5], variance), None);
            assert_eq!(find(&[0.0, 0.0], variance), None);
        }
    }

    #[test]
    fn the_first_of_equal_divisions_wins() {
        let threshold = find(&[4.0, 0.0], Variance::ClassMeans);
        assert_eq!(threshold, Some(Threshold { tau: 2.0, variance: 8.0, step: 0 }));
    }
}
