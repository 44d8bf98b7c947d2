//! The rounds in which Readability searches for an article, each more lenient than the one before.

/// If a round's result has less text than this, in scalars and gaps, the next round is tried.
pub(super) const ENOUGH: u32 = 500;

/// The settings of one round.
#[derive(Clone, Copy)]
pub(super) struct Round {
    /// Whether to drop elements whose class, id or role makes content unlikely.
    pub(super) strip: bool,
    /// Whether to give points for words in class and id.
    pub(super) weigh: bool,
    /// Whether to remove furniture within the result.
    pub(super) clean: bool,
}

pub(super) const ROUNDS: [Round; 4] = [
    Round { strip: true, weigh: true, clean: true },
    Round { strip: false, weigh: true, clean: true },
    Round { strip: false, weigh: false, clean: true },
    Round { strip: false, weigh: false, clean: false },
];
