//! From the mean of a line's vectors to its labels.

use super::best::TopLabels;
use super::exp::{exp, log};
use super::matrix::Matrix;
use crate::bytes::Reader;
use crate::error::ModelError;

/// The loss with which a model was trained. It decides how scores are computed.
#[derive(Debug)]
pub(super) enum Loss {
    /// The probabilities of all labels add up to 1.
    Softmax,
    /// A label is reached through decisions in a tree.
    Hierarchical(Tree),
    /// Each label has a probability of its own (negative sampling, one-vs-all).
    Sigmoid(Vec<f32>),
}

/// The sigmoid is tabulated between -8 and 8.
const SIGMOID_BOUND: f32 = 8.;
const SIGMOID_STEPS: u16 = 512;

impl Loss {
    /// Makes the loss with this number. Hierarchical softmax needs the occurrences of the labels.
    pub(super) fn new(
        number: i32,
        label_counts: &[u64],
        reader: &Reader<'_>,
    ) -> Result<Loss, ModelError> {
        match number {
            1 => Tree::new(label_counts)
                .map(Loss::Hierarchical)
                .ok_or_else(|| reader.damaged("the occurrences of labels add up to too much")),
            2 | 4 => Ok(Loss::Sigmoid(sigmoid_table())),
            3 => Ok(Loss::Softmax),
            _ => Err(ModelError::Unsupported { feature: format!("loss {number}") }),
        }
    }

    /// Finds the labels with at least this probability.
    pub(super) fn find(&self, search: &mut Search<'_>, threshold: f32) {
        match self {
            Loss::Hierarchical(tree) => tree.find(search, threshold),
            Loss::Softmax => {
                search.compute_scores();
                softmax(search.scores);
                search.offer_labels(threshold);
            }
            Loss::Sigmoid(table) => {
                search.compute_scores();
                search.scores.iter_mut().for_each(|score| *score = sigmoid(table, *score));
                search.offer_labels(threshold);
            }
        }
    }
}

/// A search for the best labels of a line.
#[derive(Debug)]
pub(super) struct Search<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) output: &'a Matrix,
    /// The mean of the line's vectors.
    pub(super) mean: &'a [f32],
    /// A number for each label.
    pub(super) scores: &'a mut [f32],
    pub(super) stack: &'a mut Vec<(u32, f32)>,
    pub(super) best: &'a mut TopLabels,
}

impl Search<'_> {
    fn compute_scores(&mut self) {
        self.output.products(self.bytes, self.mean, self.scores);
    }

    fn offer_labels(&mut self, threshold: f32) {
        for (label, score) in self.scores.iter().enumerate() {
            if *score < threshold {
                continue;
            }
            let score = log(*score);
            if !self.best.is_beaten(score) {
                self.best.push(label as u32, score);
            }
        }
    }
}

fn softmax(scores: &mut [f32]) {
    let max_score = scores.iter().copied().fold(scores[0], f32::max);
    let mut sum = 0.;
    for score in scores.iter_mut() {
        *score = libm::exp(f64::from(*score - max_score)) as f32;
        sum += *score;
    }
    for score in scores {
        *score /= sum;
    }
}

fn sigmoid_table() -> Vec<f32> {
    let steps = f32::from(SIGMOID_STEPS);
    let entries = (0..=SIGMOID_STEPS).map(|step| {
        let x = f32::from(step) * 2. * SIGMOID_BOUND / steps - SIGMOID_BOUND;
        (1. / (1. + f64::from(exp(-x)))) as f32
    });
    entries.collect()
}

#[expect(clippy::cast_sign_loss, reason = "x is at least the lower bound")]
fn sigmoid(table: &[f32], x: f32) -> f32 {
    if x < -SIGMOID_BOUND {
        0.
    } else if x > SIGMOID_BOUND {
        1.
    } else {
        let step = (x + SIGMOID_BOUND) * f32::from(SIGMOID_STEPS) / SIGMOID_BOUND / 2.;
        table[step as usize]
    }
}

/// The tree of hierarchical softmax: a Huffman tree over the occurrences of labels.
#[derive(Debug)]
pub(super) struct Tree {
    labels: u32,
    /// The left and right child of each inner node. Children below `labels` are labels; others are
    /// the inner node of that number less `labels`.
    children: Vec<[u32; 2]>,
}

impl Tree {
    /// Makes the tree as fastText makes it. `None` if the occurrences add up to 10^15, which
    /// fastText takes for infinity.
    fn new(counts: &[u64]) -> Option<Tree> {
        const INFINITE: u64 = 1_000_000_000_000_000;
        let mut sum = 0;
        for count in counts {
            sum += *count;
            if *count >= INFINITE || sum >= INFINITE {
                return None;
            }
        }
        let labels = counts.len();
        let mut children = Vec::with_capacity(labels - 1);
        let mut sums: Vec<u64> = Vec::with_capacity(labels - 1);
        let (mut leaves, mut node) = (labels, 0);
        for _ in 1..labels {
            let mut sum = 0;
            let pair = [(); 2].map(|()| {
                let of_node = sums.get(node).copied().unwrap_or(INFINITE);
                if let Some(leaf) = leaves.checked_sub(1).filter(|leaf| counts[*leaf] < of_node) {
                    leaves = leaf;
                    sum += counts[leaf];
                    leaf as u32
                } else {
                    node += 1;
                    sum += of_node;
                    (labels + node - 1) as u32
                }
            });
            children.push(pair);
            sums.push(sum);
        }
        Some(Tree { labels: labels as u32, children })
    }

    fn find(&self, search: &mut Search<'_>, threshold: f32) {
        let threshold = log(threshold);
        let Search { bytes, output, mean, stack, best, .. } = search;
        stack.clear();
        let root = self.labels + self.children.len() as u32 - 1;
        stack.push((root, 0.));
        while let Some((node, score)) = stack.pop() {
            if score < threshold || best.is_beaten(score) {
                continue;
            }
            let Some(inner) = node.checked_sub(self.labels) else {
                best.push(node, score);
                continue;
            };
            let product = output.product(bytes, inner, mean);
            let right = (1. / f64::from(1. + exp(-product))) as f32;
            let [left_child, right_child] = self.children[inner as usize];
            stack.push((right_child, score + log(right)));
            stack.push((left_child, score + log((1. - f64::from(right)) as f32)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_is_huffmans_and_no_count_breaks_it() {
        let tree = Tree::new(&[8, 4, 2, 1]).unwrap();
        assert_eq!(tree.children, [[3, 2], [4, 1], [5, 0]]);
        assert!(Tree::new(&[5]).unwrap().children.is_empty());
        for counts in [vec![0, 0, 0, 0, 0], vec![1, 9, 2, 7, 7], (0..100).collect()] {
            let tree = Tree::new(&counts).unwrap();
            let mut seen: Vec<u32> = tree.children.concat();
            seen.sort_unstable();
            // Each node but the root is the child of one node, which was made later.
            assert_eq!(seen, (0..2 * counts.len() as u32 - 2).collect::<Vec<_>>());
            for (at, pair) in tree.children.iter().enumerate() {
                assert!(pair.iter().all(|child| *child < (counts.len() + at) as u32));
            }
        }
        assert!(Tree::new(&[1 << 50]).is_none() && Tree::new(&[u64::MAX, 1]).is_none());
    }
}
