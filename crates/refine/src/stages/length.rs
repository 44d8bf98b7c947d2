//! Drops texts that are too short or too long.

use crate::documented::documented;
use crate::first_failure::FirstFailure;
use crate::reason::Reason;
use crate::row_in_progress::RowInProgress;
use crate::stage::{Decision, Needs, RowStage, Stage};
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
        Length { settings, reasons: Reason::of_stage("length", names) }
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

    fn needs(&self) -> Needs {
        Needs::Text
    }

    fn worker(&self) -> Box<dyn RowStage> {
        Box::new(*self)
    }
}

impl RowStage for Length {
    fn apply(&mut self, draft: &mut RowInProgress<'_>) -> Decision {
        let Length { settings, reasons } = *self;
        let mut ruling = FirstFailure::new(draft.signals.is_on());
        let chars = draft.text.chars();
        draft.signals.record("length.chars", chars as f64);
        if ruling.ends(chars < settings.min_chars, reasons[0])
            || ruling.ends(settings.max_chars > 0 && chars > settings.max_chars, reasons[1])
        {
            return ruling.decision();
        }
        if draft.signals.is_on() || settings.min_words > 0 || settings.max_words > 0 {
            let words = draft.text.words().len();
            draft.signals.record("length.words", words as f64);
            let _ = ruling.ends(words < settings.min_words, reasons[2])
                || ruling.ends(settings.max_words > 0 && words > settings.max_words, reasons[3]);
        }
        ruling.decision()
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
            let (mut text, mut signals) = (Text::default(), Signals::off());
            text.begin().push_str("é b!");
            let stage = Length::new(serde_json::from_str(settings).unwrap());
            let decision =
                stage.worker().apply(&mut RowInProgress::of_text(&mut text, &mut signals));
            let reason = match decision {
                Decision::Keep => None,
                Decision::Drop(reason) => Some(reason.name()),
            };
            assert_eq!(reason, expected, "{settings}");
        }
    }
}
