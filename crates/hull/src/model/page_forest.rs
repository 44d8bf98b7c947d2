//! Forests that judge a page as a whole.
//!
//! If the answer to a question is yes, it sets one bit of the index of its tree's leaf. The
//! questions about a feature are in ascending order of their borders (thresholds). So those with
//! the answer yes come first, and the others are not read.
//!
//! Cost: a few instructions for each tree, and for each of its questions that is answered yes.

use super::trees::{self, Trees};
use crate::columns::Columns;

/// A forest in the form for judging pages: the sum of one leaf from each tree.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PageForest {
    /// Factor from sums of leaves to log-odds.
    scale: f32,
    /// Log-odds that are added to every page.
    bias: f32,
    features: Vec<Feature>,
    /// Sorted by feature, and then by border in ascending order.
    questions: Vec<LeafBit>,
    /// For each tree, the index of its first leaf.
    first_leaves: Vec<u32>,
    /// The leaves of all trees, one tree after another.
    leaves: Vec<i16>,
}

/// A feature that the forest asks about.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Feature {
    number: u16,
    /// Index after its last question.
    end: u32,
}

/// A question: if its feature is above the border, this bit of the index of the tree's leaf is set.
#[derive(Clone, Copy, Debug, PartialEq)]
struct LeafBit {
    /// The threshold of the feature's value.
    border: f32,
    /// Index of the tree.
    tree: u16,
    /// Number of the bit in the leaf's index.
    bit: u8,
}

impl PageForest {
    pub(crate) fn new(trees: &Trees) -> PageForest {
        let (mut questions, mut first_leaves, mut leaves) = (Vec::new(), Vec::new(), 0);
        for (tree, (asked, of_tree)) in (0..).zip(trees.each()) {
            let levels = asked.iter().enumerate();
            questions.extend(levels.map(|(level, trees::TreeSplit { feature, border })| {
                (*feature, LeafBit { border: *border, tree, bit: 1 << level })
            }));
            first_leaves.push(leaves);
            leaves += of_tree.len() as u32;
        }
        questions
            .sort_by(|(a, left), (b, right)| a.cmp(b).then(left.border.total_cmp(&right.border)));
        let mut end = 0;
        let features = questions.chunk_by(|(a, _), (b, _)| a == b).map(|of_feature| {
            end += of_feature.len() as u32;
            Feature { number: of_feature[0].0, end }
        });
        PageForest {
            scale: trees.scale,
            bias: trees.bias,
            features: features.collect(),
            questions: questions.iter().map(|(_, question)| *question).collect(),
            first_leaves,
            leaves: trees.leaves.clone(),
        }
    }

    /// Returns the numbers of the features that the forest asks about.
    pub(crate) fn features(&self) -> impl Iterator<Item = u16> + '_ {
        self.features.iter().map(|feature| feature.number)
    }

    /// Returns the forest's sum for the first block of the columns, in log-odds; only the bias if
    /// there is no block. `leaves` is a scratch buffer.
    pub(crate) fn sum(&self, columns: &Columns, leaves: &mut Vec<u8>) -> f32 {
        if columns.blocks().is_empty() {
            return self.bias;
        }
        leaves.clear();
        leaves.resize(self.first_leaves.len(), 0);
        let mut first = 0;
        for Feature { number, end } in &self.features {
            let value = columns.column(usize::from(*number))[0];
            let questions = &self.questions[first as usize..*end as usize];
            for question in questions.iter().take_while(|question| value > question.border) {
                leaves[usize::from(question.tree)] |= question.bit;
            }
            first = *end;
        }
        let trees = self.first_leaves.iter().zip(leaves);
        let leaf =
            |(first, leaf): (&u32, &mut u8)| self.leaves[*first as usize + usize::from(*leaf)];
        trees.map(|tree| i32::from(leaf(tree))).sum::<i32>() as f32 * self.scale + self.bias
    }
}

#[cfg(test)]
mod tests {
    use super::super::BlockForest;
    use super::super::block_forest::tests::any_trees;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        #[test]
        fn a_page_gets_the_sum_that_a_block_would_get(
            mut trees in any_trees(), values in prop::array::uniform3(-5_i8..5)
        ) {
            (trees.scale, trees.bias) = (0.5, 3.0);
            let mut columns = Columns::default();
            columns.begin(0..1);
            for value in values {
                columns.add("", |_| f32::from(value));
            }
            let mut log_odds = [0.0];
            BlockForest::new(&trees).unwrap().judge(&columns, &mut Vec::new(), &mut log_odds);
            let sum = PageForest::new(&trees).sum(&columns, &mut vec![7; 9]);
            prop_assert_eq!(sum.to_bits(), log_odds[0].to_bits());
        }

        #[test]
        fn without_blocks_the_sum_is_the_bias(trees in any_trees()) {
            let mut columns = Columns::default();
            columns.begin(0..0);
            let forest = PageForest::new(&Trees { bias: -1.5, ..trees });
            prop_assert_eq!(forest.sum(&columns, &mut Vec::new()).to_bits(), (-1.5_f32).to_bits());
        }
    }
}
