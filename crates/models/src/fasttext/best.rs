//! The best labels, in the order in which fastText has them.

/// A label and its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// The number of the label ([`Model::label`](super::Model::label)).
    pub label: u32,
    /// Its score: the probability, which rounding can raise above 1 by 1e-5.
    pub score: f32,
}

/// The best labels so far. fastText keeps them in a heap of its C++ library with the worst on top.
/// Labels with equal scores come out as that heap leaves them, so this is the same heap (libstdc++
/// 4 to 15 all have it).
#[derive(Clone, Debug, Default)]
pub(super) struct TopLabels {
    heap: Vec<Prediction>,
    /// Most labels that are kept.
    most: usize,
}

impl TopLabels {
    /// Begins with no labels. At most `max_labels` are kept.
    pub(super) fn begin(&mut self, max_labels: usize) {
        self.heap.clear();
        self.most = max_labels;
    }

    /// Returns whether a label with this logarithm of a probability would not be kept.
    pub(super) fn is_beaten(&self, score: f32) -> bool {
        self.heap.len() == self.most && self.heap.first().is_none_or(|worst| score < worst.score)
    }

    /// Adds a label with the logarithm of its probability.
    pub(super) fn push(&mut self, label: u32, score: f32) {
        self.heap.push(Prediction { label, score });
        let last_index = self.heap.len() - 1;
        self.sift_up(last_index, 0, Prediction { label, score });
        if self.heap.len() > self.most {
            self.pop_worst(last_index);
            self.heap.pop();
        }
    }

    /// Sorts the labels, the best first, and returns them.
    pub(super) fn sorted(&mut self) -> &mut [Prediction] {
        for last_index in (1..self.heap.len()).rev() {
            self.pop_worst(last_index);
        }
        &mut self.heap
    }

    /// Moves the worst of the first `last_index + 1` labels to `last_index`.
    fn pop_worst(&mut self, last_index: usize) {
        if last_index > 0 {
            let value = self.heap[last_index];
            self.heap[last_index] = self.heap[0];
            self.sift_down(last_index, value);
        }
    }

    /// Fills the hole at the top of the first `len` labels.
    fn sift_down(&mut self, len: usize, value: Prediction) {
        let (mut hole, mut child) = (0, 0);
        while child < (len - 1) / 2 {
            child = 2 * (child + 1);
            if self.heap[child].score > self.heap[child - 1].score {
                child -= 1;
            }
            self.heap[hole] = self.heap[child];
            hole = child;
        }
        if len.is_multiple_of(2) && child == (len - 2) / 2 {
            child = 2 * (child + 1);
            self.heap[hole] = self.heap[child - 1];
            hole = child - 1;
        }
        self.sift_up(hole, 0, value);
    }

    fn sift_up(&mut self, mut hole: usize, top: usize, value: Prediction) {
        while hole > top {
            let parent = (hole - 1) / 2;
            if self.heap[parent].score <= value.score {
                break;
            }
            self.heap[hole] = self.heap[parent];
            hole = parent;
        }
        self.heap[hole] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(most: usize, scores: &[i8]) -> Vec<u32> {
        let mut best = TopLabels::default();
        best.begin(most);
        for (label, score) in scores.iter().enumerate() {
            let score = f32::from(*score);
            if !best.is_beaten(score) {
                best.push(label as u32, score);
            }
        }
        best.sorted().iter().map(|prediction| prediction.label).collect()
    }

    /// The expected orders are those of `std::push_heap`, `pop_heap` and `sort_heap` of libstdc++.
    #[test]
    fn ties_come_out_as_from_the_heap_of_libstdcxx() {
        assert_eq!(best(1, &[0, 0, 0]), [2]);
        assert_eq!(best(9, &[0, 0, 0, 0, 0]), [3, 1, 4, 2, 0]);
        assert_eq!(best(3, &[1, 0, 1, 0, 1, 2]), [5, 0, 4]);
        assert_eq!(best(4, &[2, 1, 2, 1, 0, 2, 1]), [0, 5, 2, 6]);
        assert_eq!(best(0, &[1]), [0u32; 0]);
    }
}
