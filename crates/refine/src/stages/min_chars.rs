//! Drops rows with little text.

use crate::reason::Reason;
use crate::row_in_progress::RowInProgress;
use crate::stage::{Decision, RowStage, Stage, StagePhase};

/// Drops rows whose text has fewer characters than a limit.
#[derive(Clone, Copy, Debug)]
pub struct MinChars {
    /// The limit, in Unicode scalars.
    chars: usize,
}

impl MinChars {
    /// Creates the stage. Rows with at least `chars` Unicode scalars of text are kept.
    pub fn new(chars: usize) -> MinChars {
        MinChars { chars }
    }
}

impl Stage for MinChars {
    fn name(&self) -> &'static str {
        "min_chars"
    }

    fn fingerprint(&self) -> serde_json::Value {
        self.chars.into()
    }

    fn reasons(&self) -> &[Reason] {
        &[Reason::TooShort]
    }

    fn phase(&self) -> StagePhase {
        StagePhase::Text
    }

    fn worker(&self) -> Box<dyn RowStage> {
        Box::new(*self)
    }
}

impl RowStage for MinChars {
    fn apply(&mut self, row_in_progress: &mut RowInProgress<'_>) -> Decision {
        if row_in_progress.text.chars() < self.chars {
            Decision::Drop(Reason::TooShort)
        } else {
            Decision::Keep
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::Signals;
    use crate::text::Text;

    #[test]
    fn scalars_are_counted_and_not_bytes() {
        let stage = MinChars::new(3);
        let apply = |content: &str| {
            let (mut text, mut signals) = (Text::default(), Signals::disabled());
            text.begin().push_str(content);
            stage.worker().apply(&mut RowInProgress::from_text(&mut text, &mut signals))
        };
        assert_eq!(apply("中文"), Decision::Drop(Reason::TooShort));
        assert_eq!(apply("中文字"), Decision::Keep);
        assert_eq!((stage.name(), stage.phase()), ("min_chars", StagePhase::Text));
        assert_eq!(stage.reasons(), [Reason::TooShort]);
        assert_ne!(stage.fingerprint(), MinChars::new(4).fingerprint());
    }
}
