//! The rounds in which Readability searches for an article, each more lenient than the one before.

/// If a round's result has less text than this, in scalars and gaps, the next round is tried.
pub(super) const MIN_RESULT_LEN: u32 = 500;

/// The settings of one round.
#[derive(Clone, Copy)]
pub(super) struct RoundSettings {
    /// Whether to drop elements whose class, id or role makes content unlikely.
    pub(super) strip: bool,
    /// Whether to give points for words in class and id.
    pub(super) weigh: bool,
    /// Whether to remove furniture within the result.
    pub(super) clean: bool,
}

pub(super) const ROUNDS: [RoundSettings; 4] = [
    RoundSettings { strip: true, weigh: true, clean: true },
    RoundSettings { strip: false, weigh: true, clean: true },
    RoundSettings { strip: false, weigh: false, clean: true },
    RoundSettings { strip: false, weigh: false, clean: false },
];
