//! Measures the agreement of topics with labels.

use std::collections::BTreeMap;

/// A confusion matrix of labels and topics.
#[derive(Clone, Debug, Default)]
pub struct ConfusionMatrix {
    /// Counts by label, then by topic; `None` counts texts without a topic.
    counts: BTreeMap<String, BTreeMap<Option<String>, u64>>,
}

/// The measures of one class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassScore {
    /// Number of texts with this label.
    pub labelled: u64,
    /// Share of texts with this label among the texts that were given this topic; 0 if there are no
    /// such texts.
    pub precision: f64,
    /// Share of texts that were given this topic among those with this label; 0 if no text has this
    /// label.
    pub recall: f64,
}

impl ConfusionMatrix {
    /// Counts one text.
    pub fn add(&mut self, label: &str, topic: Option<&str>) {
        if !self.counts.contains_key(label) {
            self.counts.insert(label.to_owned(), BTreeMap::new());
        }
        if let Some(row) = self.counts.get_mut(label) {
            *row.entry(topic.map(str::to_owned)).or_default() += 1;
        }
    }

    /// Returns all labels and topics that occur, in order.
    pub fn classes(&self) -> Vec<&str> {
        let topics = self.counts.values().flat_map(|row| row.keys().flatten());
        let mut classes: Vec<_> = self.counts.keys().chain(topics).map(String::as_str).collect();
        classes.sort_unstable();
        classes.dedup();
        classes
    }

    /// Returns the number of texts with a label that were given this topic, or no topic for `None`.
    pub fn count(&self, label: &str, topic: Option<&str>) -> u64 {
        let row = self.counts.get(label);
        row.and_then(|row| row.get(&topic.map(str::to_owned))).copied().unwrap_or(0)
    }

    /// Returns the number of texts.
    pub fn total(&self) -> u64 {
        self.counts.values().flat_map(BTreeMap::values).sum()
    }

    /// Returns precision and recall of one class.
    pub fn class_score(&self, class: &str) -> ClassScore {
        let correct = self.count(class, Some(class));
        let labelled = self.counts.get(class).map_or(0, |row| row.values().sum());
        let given_topic: u64 = self.counts.keys().map(|label| self.count(label, Some(class))).sum();
        let ratio = |total: u64| if total == 0 { 0.0 } else { correct as f64 / total as f64 };
        ClassScore { labelled, precision: ratio(given_topic), recall: ratio(labelled) }
    }

    /// Returns micro precision and recall: the share of right topics among the given topics, and
    /// among all texts. A share of no texts is 0.
    pub fn micro_scores(&self) -> [f64; 2] {
        let correct: u64 = self.counts.keys().map(|label| self.count(label, Some(label))).sum();
        let without_topic: u64 = self.counts.keys().map(|label| self.count(label, None)).sum();
        let ratio = |total: u64| if total == 0 { 0.0 } else { correct as f64 / total as f64 };
        [ratio(self.total() - without_topic), ratio(self.total())]
    }

    /// Returns macro precision, recall and F1 (12) over all classes that occur; 0 if there are no
    /// classes.
    pub fn macro_scores(&self) -> [f64; 3] {
        let classes = self.classes();
        let class_count = classes.len().max(1) as f64;
        let scores: Vec<_> = classes.iter().map(|class| self.class_score(class)).collect();
        let precision = scores.iter().map(|score| score.precision).sum::<f64>() / class_count;
        let recall = scores.iter().map(|score| score.recall).sum::<f64>() / class_count;
        [precision, recall, f_beta(precision, recall, 1.0)]
    }
}

/// Computes F-beta of a precision and a recall; a beta above 1 weighs recall more. 0 if both are 0.
pub fn f_beta(precision: f64, recall: f64, beta: f64) -> f64 {
    let square = beta * beta;
    let sum = square * precision + recall;
    if sum > 0.0 { (1.0 + square) * precision * recall / sum } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::float_cmp, reason = "quarters are exact")]
    fn the_worked_numbers_of_a_small_table() {
        let mut matrix = ConfusionMatrix::default();
        for (label, topic, times) in
            [("a", Some("a"), 3), ("a", Some("b"), 1), ("b", Some("b"), 1), ("b", None, 1)]
        {
            (0..times).for_each(|_| matrix.add(label, topic));
        }
        assert_eq!((matrix.classes(), matrix.total()), (vec!["a", "b"], 6));
        assert_eq!(
            matrix.class_score("a"),
            ClassScore { labelled: 4, precision: 1.0, recall: 0.75 }
        );
        assert_eq!(
            matrix.class_score("b"),
            ClassScore { labelled: 2, precision: 0.5, recall: 0.5 }
        );
        assert_eq!(matrix.macro_scores(), [0.75, 0.625, 2.0 * 0.75 * 0.625 / 1.375]);
        // 4 of 6 right, 5 with a topic.
        assert_eq!(matrix.micro_scores(), [4.0 / 5.0, 4.0 / 6.0]);
        assert_eq!(ConfusionMatrix::default().macro_scores(), [0.0; 3]);
        assert_eq!(ConfusionMatrix::default().micro_scores(), [0.0; 2]);
        // 5 P R / (4 P + R) for beta 2.
        assert_eq!(f_beta(0.5, 1.0, 2.0), 2.5 / 3.0);
        assert_eq!((f_beta(0.5, 0.5, 1.0), f_beta(0.0, 0.0, 1.0)), (0.5, 0.0));
    }
}
