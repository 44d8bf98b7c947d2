//! The trees of a forest, as stored in the model file.

/// The trees of a forest: their questions and leaves, one tree after another.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Trees {
    pub(super) name: String,
    /// The value of a leaf is its number times the scale, in log-odds.
    pub(super) scale: f32,
    /// The value that is added to the sum of the leaves, in log-odds.
    pub(super) bias: f32,
    pub(super) questions: Vec<TreeSplit>,
    /// The leaves of all trees.
    pub(super) leaves: Vec<i16>,
    /// For each tree, the number of its questions.
    pub(super) depths: Vec<u8>,
}

/// A split of a tree: is the feature above the border (a threshold)? The answers to a tree's
/// questions are the bits of the leaf's index; the first question gives the lowest bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TreeSplit {
    /// The feature's number among all features of the program.
    pub(super) feature: u16,
    /// The threshold of the feature's value.
    pub(super) border: f32,
}

impl Trees {
    pub(crate) fn count(&self) -> usize {
        self.depths.len()
    }

    /// Divides the forest into its first `count` trees, with the bias, and the other trees. If the
    /// forest has at most `count` trees, the second part is empty.
    pub(crate) fn split_at(&self, count: usize) -> (Trees, Trees) {
        let (mut first, mut rest) = (self.clone(), self.clone());
        let (questions, leaves) = self
            .each()
            .take(count)
            .fold((0, 0), |(asked, leaves), tree| (asked + tree.0.len(), leaves + tree.1.len()));
        first.questions.truncate(questions);
        first.leaves.truncate(leaves);
        first.depths.truncate(count);
        rest.bias = 0.0;
        rest.questions.drain(..questions);
        rest.leaves.drain(..leaves);
        rest.depths.drain(..count.min(self.depths.len()));
        (first, rest)
    }

    /// Returns the questions and the leaves of each tree.
    pub(super) fn each(&self) -> impl Iterator<Item = (&[TreeSplit], &[i16])> + '_ {
        let (mut questions, mut leaves) = (self.questions.as_slice(), self.leaves.as_slice());
        self.depths.iter().map(move |depth| {
            let (asked, rest) = questions.split_at(usize::from(*depth));
            questions = rest;
            let (of_tree, rest) = leaves.split_at(1 << depth);
            leaves = rest;
            (asked, of_tree)
        })
    }
}
