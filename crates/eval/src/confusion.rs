//! The four counts of a two-class decision.

/// How often what was decided was so, and how often not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Confusion {
    /// Decided so, and it is so.
    pub true_positives: u64,
    /// Decided so, and it is not.
    pub false_positives: u64,
    /// Decided not, and it is so.
    pub false_negatives: u64,
    /// Decided not, and it is not.
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

    /// Adds the counts of another.
    pub fn merge(&mut self, other: Confusion) {
        self.true_positives += other.true_positives;
        self.false_positives += other.false_positives;
        self.false_negatives += other.false_negatives;
        self.true_negatives += other.true_negatives;
    }

    /// All decisions.
    pub fn total(&self) -> u64 {
        self.true_positives + self.false_positives + self.false_negatives + self.true_negatives
    }

    /// Share of right decisions; `None` without decisions.
    pub fn accuracy(&self) -> Option<f64> {
        share(self.true_positives + self.true_negatives, self.total())
    }

    /// Share of what was decided so that is so; `None` if nothing was.
    pub fn precision(&self) -> Option<f64> {
        share(self.true_positives, self.true_positives + self.false_positives)
    }

    /// Share of what is so that was decided so; `None` if nothing is.
    pub fn recall(&self) -> Option<f64> {
        share(self.true_positives, self.true_positives + self.false_negatives)
    }

    /// Share of what is not so that was decided so; `None` if all is so.
    pub fn false_positive_rate(&self) -> Option<f64> {
        share(self.false_positives, self.false_positives + self.true_negatives)
    }

    /// 2 TP / (2 TP + FP + FN), the harmonic mean of precision and recall; `None` if nothing is so nor was decided so.
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
    fn nothing_to_divide_by() {
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
