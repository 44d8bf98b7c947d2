//! The decision of a stage that has several rules.

use crate::reason::Reason;
use crate::stage::Decision;

/// The first rule that a row breaks. After it, the other rules are checked only if their figures
/// are recorded.
#[derive(Debug)]
pub(crate) struct FirstFailure {
    broken: Option<Reason>,
    is_thorough: bool,
}

impl FirstFailure {
    /// Creates a ruling without a broken rule. If `is_thorough`, all rules are checked in any case.
    pub(crate) fn new(is_thorough: bool) -> FirstFailure {
        FirstFailure { broken: None, is_thorough }
    }

    /// Notes whether the next rule is broken. Returns true if the other rules need not be checked.
    #[must_use]
    pub(crate) fn note_rule(&mut self, is_broken: bool, reason: Reason) -> bool {
        if is_broken && self.broken.is_none() {
            self.broken = Some(reason);
        }
        self.broken.is_some() && !self.is_thorough
    }

    /// Returns whether all rules are checked in any case.
    pub(crate) fn is_thorough(&self) -> bool {
        self.is_thorough
    }

    pub(crate) fn decision(&self) -> Decision {
        self.broken.map_or(Decision::Keep, Decision::Drop)
    }
}

/// Returns the ratio of a part to a whole. It is 0 if the whole is 0, where the source would divide
/// by zero and fail.
pub(crate) fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0. } else { part as f64 / whole as f64 }
}
