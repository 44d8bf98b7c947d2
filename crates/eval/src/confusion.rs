//! Counts of a two-class decision.

/// The four counts of a two-class decision, by decision and truth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Confusion {
    /// Decided positive, truly positive.
    pub true_positives: u64,
    /// Decided positive, truly negative.
    pub false_positives: u64,
    /// Decided negative, truly positive.
    pub false_negatives: u64,
    /// Decided negative, truly negative.
    pub true_negatives: u64,
}

impl Confusion {
    /// Counts a decision with a weight.
    pub fn add(&mut self, decided: bool, truth: bool, weight: u64) {
        let count = match (decided, truth) {
            (true, true) => &mut self.true_positives,
            (true, false) => &mut self.false_positives,
            (false, true) => &mut self.false_negatives,
            (false, false) => &mut self.true_negatives,
        };
        *count += weight;
    }

    /// Adds all counts of another confusion.
    pub fn merge(&mut self, other: Confusion) {
        self.true_positives += other.true_positives;
        self.false_positives += other.false_positives;
        self.false_negatives += other.false_negatives;
        self.true_negatives += other.true_negatives;
    }

    /// Returns the number of decisions.
    pub fn total(&self) -> u64 {
        self.true_positives + self.false_positives + self.false_negatives + self.true_negatives
    }

    /// Returns the share of right decisions; `None` if there are no decisions.
    pub fn accuracy(&self) -> Option<f64> {
        share(self.true_positives + self.true_negatives, self.total())
    }

    /// Returns the share of true positives among all decisions for positive. `None` if there are no
    /// such decisions.
    pub fn precision(&self) -> Option<f64> {
        share(self.true_positives, self.true_positives + self.false_positives)
    }

    /// Returns the share of true positives among the truly positive. `None` if there are no truly
    /// positive ones.
    pub fn recall(&self) -> Option<f64> {
        share(self.true_positives, self.true_positives + self.false_negatives)
    }

    /// Returns the share of false positives among the truly negative. `None` if there are no truly
    /// negative ones.
    pub fn false_positive_rate(&self) -> Option<f64> {
        share(self.false_positives, self.false_positives + self.true_negatives)
    }

    /// Returns 2 TP / (2 TP + FP + FN), the harmonic mean of precision and recall; `None` if TP, FP
    /// and FN are all 0.
    pub fn f1(&self) -> Option<f64> {
        let hits = 2 * self.true_positives;
        share(hits, hits + self.false_positives + self.false_negatives)
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_known_counts() {
        let mut confusion = Confusion::default();
        for (decided, truth, weight) in
            [(true, true, 6), (true, false, 2), (false, true, 3), (false, false, 9)]
        {
            confusion.add(decided, truth, weight);
        }
        assert_eq!(confusion.total(), 20);
        assert_eq!(confusion.accuracy(), Some(0.75));
        assert_eq!(confusion.precision(), Some(0.75));
        assert_eq!(confusion.recall(), Some(6.0 / 9.0));
        assert_eq!(confusion.false_positive_rate(), Some(2.0 / 11.0));
        assert_eq!(confusion.f1(), Some(12.0 / 17.0));
        let mut twice = confusion;
        twice.merge(confusion);
        assert_eq!((twice.total(), twice.f1()), (40, confusion.f1()));
    }

    #[test]
    fn shares_of_nothing_are_none() {
        let none = Confusion::default();
        let figures = [
            none.accuracy(),
            none.precision(),
            none.recall(),
            none.false_positive_rate(),
            none.f1(),
        ];
        assert_eq!(figures, [None; 5]);
    }
}
