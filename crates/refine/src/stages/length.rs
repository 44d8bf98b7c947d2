//! Drops texts that are too short or too long.

use crate::documented::documented;
use crate::first_failure::FirstFailure;
use crate::reason::Reason;
use crate::row_in_progress::RowInProgress;
use crate::stage::{Decision, RowStage, Stage, StagePhase};
use serde::{Deserialize, Serialize};

documented! {
    /// Settings of [`Length`]. A bound of 0 is off, and all bounds are off by default: the right
    /// ones depend on the purpose of the corpus.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct LengthSettings {
        /// Least number of Unicode scalars. Default 0.
        pub min_chars: usize,
        /// Largest number of Unicode scalars. Default 0.
        pub max_chars: usize,
        /// Least number of words, punctuation marks included. Default 0.
        pub min_words: usize,
        /// Largest number of words, punctuation marks included. Default 0.
        pub max_words: usize,
    }
}

/// Drops texts that are too short or too long.
#[derive(Clone, Copy, Debug)]
pub struct Length {
    settings: LengthSettings,
    reasons: [Reason; 4],
}

impl Length {
    /// Creates the stage with these settings.
    pub fn new(settings: LengthSettings) -> Length {
        let names = ["few_chars", "many_chars", "few_words", "many_words"];
        Length { settings, reasons: Reason::register_for_stage("length", names) }
    }
}

impl Stage for Length {
    fn name(&self) -> &'static str {
        "length"
    }

    fn fingerprint(&self) -> serde_json::Value {
        super::fingerprint(1, &self.settings)
    }

    fn reasons(&self) -> &[Reason] {
        &self.reasons
    }

    fn phase(&self) -> StagePhase {
        StagePhase::Text
    }

    fn worker(&self) -> Box<dyn RowStage> {
        Box::new(*self)
    }
}

impl RowStage for Length {
    fn apply(&mut self, row_in_progress: &mut RowInProgress<'_>) -> Decision {
        let Length { settings, reasons } = *self;
        let mut first_failure = FirstFailure::new(row_in_progress.signals.is_on());
        let chars = row_in_progress.text.chars();
        row_in_progress.signals.record("length.chars", chars as f64);
        if first_failure.note_rule(chars < settings.min_chars, reasons[0])
            || first_failure
                .note_rule(settings.max_chars > 0 && chars > settings.max_chars, reasons[1])
        {
            return first_failure.decision();
        }
        if row_in_progress.signals.is_on() || settings.min_words > 0 || settings.max_words > 0 {
            let words = row_in_progress.text.words().len();
            row_in_progress.signals.record("length.words", words as f64);
            let _ = first_failure.note_rule(words < settings.min_words, reasons[2])
                || first_failure
                    .note_rule(settings.max_words > 0 && words > settings.max_words, reasons[3]);
        }
        first_failure.decision()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::Signals;
    use crate::text::Text;

    #[test]
    fn bounds_hold_for_characters_and_words() {
        for (settings, expected) in [
            ("{}", None),
            (r#"{"min_chars": 5}"#, Some("length:few_chars")),
            (r#"{"min_chars": 4, "max_chars": 4}"#, None),
            (r#"{"max_chars": 3}"#, Some("length:many_chars")),
            (r#"{"min_words": 4}"#, Some("length:few_words")),
            (r#"{"max_words": 2}"#, Some("length:many_words")),
        ] {
            let (mut text, mut signals) = (Text::default(), Signals::disabled());
            text.begin().push_str("é b!");
            let stage = Length::new(serde_json::from_str(settings).unwrap());
            let decision =
                stage.worker().apply(&mut RowInProgress::from_text(&mut text, &mut signals));
            let reason = match decision {
                Decision::Keep => None,
                Decision::Drop(reason) => Some(reason.name()),
            };
            assert_eq!(reason, expected, "{settings}");
        }
    }
}
