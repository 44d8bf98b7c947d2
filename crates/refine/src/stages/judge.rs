//! Drops pages that have no main content by the extractor's verdict.

use crate::reason::Reason;
use crate::row_in_progress::RowInProgress;
use crate::stage::{Decision, RowStage, Stage, StagePhase};

/// Drops pages without main content, such as lists and forms. Pages that the extractor does not
/// judge are kept.
#[derive(Clone, Copy, Debug)]
pub struct Judge;

impl Stage for Judge {
    fn name(&self) -> &'static str {
        "judge"
    }

    fn fingerprint(&self) -> serde_json::Value {
        serde_json::Value::Bool(true)
    }

    fn reasons(&self) -> &[Reason] {
        &[Reason::NoArticle]
    }

    fn phase(&self) -> StagePhase {
        StagePhase::Verdict
    }

    fn worker(&self) -> Box<dyn RowStage> {
        Box::new(Judge)
    }
}

impl RowStage for Judge {
    fn apply(&mut self, row_in_progress: &mut RowInProgress<'_>) -> Decision {
        match row_in_progress.has_article {
            Some(false) => Decision::Drop(Reason::NoArticle),
            Some(true) | None => Decision::Keep,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::Signals;
    use crate::text::Text;

    #[test]
    fn only_pages_judged_to_be_empty_are_dropped() {
        for (has_article, expected) in [
            (Some(false), Decision::Drop(Reason::NoArticle)),
            (Some(true), Decision::Keep),
            (None, Decision::Keep),
        ] {
            let decision = {
                let (mut text, mut signals) = (Text::default(), Signals::disabled());
                let row_in_progress = RowInProgress::from_text(&mut text, &mut signals);
                Judge.worker().apply(&mut RowInProgress { has_article, ..row_in_progress })
            };
            assert_eq!(decision, expected);
        }
        assert_eq!((Judge.name(), Judge.phase()), ("judge", StagePhase::Verdict));
        assert_eq!(Judge.reasons(), [Reason::NoArticle]);
        assert_eq!(Judge.fingerprint(), true);
    }
}
