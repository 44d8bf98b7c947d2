//! Trees as a file writes them.

/// Trees whose leaves add up: their questions and leaves, one tree after another.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in super::super) struct Trees {
    pub(super) name: String,
    /// What a leaf's number is worth, in log-odds.
    pub(super) scale: f32,
    /// What the sum begins with, in log-odds.
    pub(super) bias: f32,
    pub(super) questions: Vec<Question>,
    pub(super) leaves: Vec<i16>,
    /// How many questions each has.
    pub(super) depths: Vec<u8>,
}

/// A question: is the feature above the border? The answers to a tree's questions, the first lowest, are the number of the leaf.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Question {
    /// The feature's number among all there are.
    pub(super) feature: u16,
    pub(super) border: f32,
}

impl Trees {
    pub(in super::super) fn count(&self) -> usize {
        self.depths.len()
    }

    /// The first `count` trees with the bias, and the others; all in the first where there are no more.
    pub(in super::super) fn split_at(&self, count: usize) -> (Trees, Trees) {
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

    /// The questions and the leaves of each tree.
    pub(super) fn each(&self) -> impl Iterator<Item = (&[Question], &[i16])> + '_ {
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
