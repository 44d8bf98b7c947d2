//! Drops pages by the extractor's verdict, before their text is rendered.

use crate::documented::documented;
use crate::first_failure::FirstFailure;
use crate::reason::Reason;
use crate::row_in_progress::RowInProgress;
use crate::stage::{Decision, RowStage, Stage, StagePhase};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

documented! {
    /// Settings of [`Page`]. All are off by default. A page without a verdict is kept.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct PageSettings {
        /// Drop pages that have no main content by the extractor's verdict. Default false.
        pub require_article: bool,
        /// Keep pages of these types only. Default: empty, which means all.
        pub types: Vec<String>,
        /// Drop pages of these types. Default: none.
        pub exclude_types: Vec<String>,
        /// Least score that the extractor expects, 0 to 1. Default 0.
        pub min_score: f64,
    }
}

/// Drops pages by type or expected score, and pages without main content.
#[derive(Clone, Debug)]
pub struct Page {
    settings: Arc<PageSettings>,
    reasons: [Reason; 3],
}

impl Page {
    /// Creates the stage with these settings.
    pub fn new(settings: PageSettings) -> Page {
        let reasons = Reason::register_for_stage("page", ["no_article", "type", "low_score"]);
        Page { settings: Arc::new(settings), reasons }
    }
}

impl Stage for Page {
    fn name(&self) -> &'static str {
        "page"
    }

    fn fingerprint(&self) -> serde_json::Value {
        super::fingerprint(1, &*self.settings)
    }

    fn reasons(&self) -> &[Reason] {
        &self.reasons
    }

    fn phase(&self) -> StagePhase {
        StagePhase::Verdict
    }

    fn worker(&self) -> Box<dyn RowStage> {
        Box::new(self.clone())
    }
}

impl RowStage for Page {
    fn apply(&mut self, row_in_progress: &mut RowInProgress<'_>) -> Decision {
        let settings = &*self.settings;
        let [no_article, of_type, low_score] = self.reasons;
        let is_unwanted = |page_type: &str| {
            let is_in = |types: &[String]| types.iter().any(|known| known == page_type);
            is_in(&settings.exclude_types) || !(settings.types.is_empty() || is_in(&settings.types))
        };
        let mut first_failure = FirstFailure::new(row_in_progress.signals.is_on());
        if let Some(score) = row_in_progress.score {
            row_in_progress.signals.record("page.score", score);
        }
        let _ = first_failure.note_rule(
            settings.require_article && row_in_progress.has_article == Some(false),
            no_article,
        ) || first_failure
            .note_rule(row_in_progress.page_type.is_some_and(is_unwanted), of_type)
            || first_failure.note_rule(
                row_in_progress.score.is_some_and(|score| score < settings.min_score),
                low_score,
            );
        first_failure.decision()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::Signals;
    use crate::text::Text;

    #[test]
    fn pages_are_dropped_by_what_is_known_of_them() {
        for (settings, expected) in [
            ("{}", None),
            (r#"{"require_article": true}"#, Some("page:no_article")),
            (r#"{"types": ["forum", "article"]}"#, None),
            (r#"{"types": ["forum"]}"#, Some("page:type")),
            (r#"{"exclude_types": ["article"]}"#, Some("page:type")),
            (r#"{"min_score": 0.5}"#, None),
            (r#"{"min_score": 0.6}"#, Some("page:low_score")),
        ] {
            let stage = Page::new(serde_json::from_str(settings).unwrap());
            let decide = |has_article, page_type, score| {
                let (mut text, mut signals) = (Text::default(), Signals::disabled());
                let row_in_progress = RowInProgress::from_text(&mut text, &mut signals);
                match stage.worker().apply(&mut RowInProgress {
                    has_article,
                    page_type,
                    score,
                    ..row_in_progress
                }) {
                    Decision::Keep => None,
                    Decision::Drop(reason) => Some(reason.name()),
                }
            };
            assert_eq!(decide(Some(false), Some("article"), Some(0.5)), expected, "{settings}");
            assert_eq!(decide(None, None, None), None, "{settings}");
        }
    }
}
