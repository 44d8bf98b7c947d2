//! Forests that are asked about one page, not about many blocks.
//!
//! A question that holds sets one bit of its tree's leaf, and the others need not be looked at: the questions about a feature stand
//! in the order of their borders, so that those that hold come first.
//!
//! Cost: a few instructions for each question that holds, and for each tree.

use super::super::columns::Columns;
use super::trees::{self, Trees};

/// Trees whose leaves add up.
#[derive(Clone, Debug, PartialEq)]
pub(in super::super) struct PageForest {
    scale: f32,
    bias: f32,
    features: Vec<Feature>,
    /// By features, and those of a feature by rising borders.
    questions: Vec<Question>,
    /// For each tree the place of its first leaf.
    first_leaves: Vec<u32>,
    leaves: Vec<i16>,
}

/// A feature that is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Feature {
    number: u16,
    /// Place after its last question.
    end: u32,
}

/// If its feature is above the border, this bit of the number of a tree's leaf is set.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Question {
    border: f32,
    tree: u16,
    bit: u8,
}

impl PageForest {
    pub(in super::super) fn new(trees: &Trees) -> PageForest {
        let (mut questions, mut first_leaves, mut leaves) = (Vec::new(), Vec::new(), 0);
        for (tree, (asked, of_tree)) in (0..).zip(trees.each()) {
            let levels = asked.iter().enumerate();
            questions.extend(levels.map(|(level, trees::Question { feature, border })| {
                (*feature, Question { border: *border, tree, bit: 1 << level })
            }));
            first_leaves.push(leaves);
            leaves += of_tree.len() as u32;
        }
        questions
            .sort_by(|(a, one), (b, other)| a.cmp(b).then(one.border.total_cmp(&other.border)));
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

    /// The numbers of the features that are asked for.
    pub(in super::super) fn features(&self) -> impl Iterator<Item = u16> + '_ {
        self.features.iter().map(|feature| feature.number)
    }

    /// The sum for what the first block of the columns says, in log-odds; the bias where there is no block. `leaves` is memory.
    pub(in super::super) fn sum(&self, columns: &Columns, leaves: &mut Vec<u8>) -> f32 {
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
        fn a_page_is_judged_as_a_block_would_be(
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
        fn of_no_blocks_only_the_bias_is_known(trees in any_trees()) {
            let mut columns = Columns::default();
            columns.begin(0..0);
            let forest = PageForest::new(&Trees { bias: -1.5, ..trees });
            prop_assert_eq!(forest.sum(&columns, &mut Vec::new()).to_bits(), (-1.5_f32).to_bits());
        }
    }
}
