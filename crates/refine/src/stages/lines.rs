//! Leaves out lines on cookies, policies and sign-ups.
//!
//! Such lines occur on every page of a site and are not about its content. The phrases are our own
//! list in ten languages, `lines/phrases.txt`. A line is left out if it contains a phrase and is
//! short, so that articles about cookies stay.

use crate::documented::documented;
use crate::reason::Reason;
use crate::row_in_progress::RowInProgress;
use crate::stage::{Decision, RowStage, Stage, StagePhase};
use aho_corasick::{AhoCorasick, AhoCorasickKind};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

documented! {
    /// Settings of [`Lines`].
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct LinesSettings {
        /// Whether to use the built-in list. Default true.
        pub built_in: bool,
        /// More phrases; ASCII case is ignored. Default: none.
        pub phrases: Vec<String>,
        /// Most characters of a line that is left out. Default 200, the length of two sentences
        /// (our choice).
        pub max_chars: usize,
    }
}

impl Default for LinesSettings {
    fn default() -> LinesSettings {
        LinesSettings { built_in: true, phrases: Vec::new(), max_chars: 200 }
    }
}

/// Leaves out short lines with phrases of notices. Drops no row.
#[derive(Clone, Debug)]
pub struct Lines {
    settings: Arc<LinesSettings>,
    phrases: Option<AhoCorasick>,
}

/// Returns the built-in phrases.
fn built_in() -> impl Iterator<Item = &'static str> {
    let lines = include_str!("lines/phrases.txt").lines();
    lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
}

impl Default for Lines {
    fn default() -> Lines {
        Lines::new(LinesSettings::default())
    }
}

impl Lines {
    /// Creates the stage with these settings.
    pub fn new(settings: LinesSettings) -> Lines {
        let mut phrases: Vec<String> = Vec::new();
        if settings.built_in {
            phrases.extend(built_in().map(str::to_owned));
        }
        phrases.extend(settings.phrases.iter().filter(|phrase| !phrase.is_empty()).cloned());
        let phrases = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::DFA))
            .build(&phrases)
            // Fails only for gigabytes of phrases.
            .ok()
            .filter(|phrases| phrases.patterns_len() > 0);
        Lines { settings: Arc::new(settings), phrases }
    }

    fn is_notice(&self, line: &str) -> bool {
        let max_chars = self.settings.max_chars;
        line.len() <= max_chars.saturating_mul(4)
            && self.phrases.as_ref().is_some_and(|phrases| phrases.is_match(line))
            && line.chars().count() <= max_chars
    }
}

impl Stage for Lines {
    fn name(&self) -> &'static str {
        "lines"
    }

    fn fingerprint(&self) -> serde_json::Value {
        super::fingerprint(1, &*self.settings)
    }

    fn reasons(&self) -> &[Reason] {
        &[]
    }

    fn phase(&self) -> StagePhase {
        StagePhase::Text
    }

    fn worker(&self) -> Box<dyn RowStage> {
        Box::new(self.clone())
    }
}

impl RowStage for Lines {
    fn apply(&mut self, row_in_progress: &mut RowInProgress<'_>) -> Decision {
        let RowInProgress { text, signals, .. } = row_in_progress;
        let has_phrase = |phrases: &AhoCorasick| phrases.is_match(text.as_str());
        let removed = if self.phrases.as_ref().is_some_and(has_phrase) {
            text.remove_lines(|line| self.is_notice(line))
        } else {
            0
        };
        signals.record("lines.removed", f64::from(removed));
        Decision::Keep
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::Signals;
    use crate::text::Text;

    fn cleaned(settings: LinesSettings, content: &str) -> String {
        let (mut text, mut signals) = (Text::default(), Signals::disabled());
        text.begin().push_str(content);
        let stage = Lines::new(settings);
        assert_eq!(
            stage.worker().apply(&mut RowInProgress::from_text(&mut text, &mut signals)),
            Decision::Keep
        );
        text.as_str().to_owned()
    }

    #[test]
    fn short_lines_with_a_phrase_go_and_all_else_stays() {
        let long = "An article on how this site uses cookies ".repeat(9);
        for (text, expected) in [
            ("Rain fell.\nThis site uses cookies.\n\nIt rose.", "Rain fell.\n\nIt rose."),
            ("Accept All Cookies\nRain fell.", "Rain fell."),
            ("Rain fell.\n\nWir verwenden Cookies, um", "Rain fell."),
            ("We use cookies", ""),
            ("A cookie is baked.\n", "A cookie is baked.\n"),
            (&long, &long),
        ] {
            assert_eq!(cleaned(LinesSettings::default(), text), expected);
        }
        let settings =
            LinesSettings { built_in: false, phrases: vec!["rain".to_owned()], max_chars: 9 };
        assert_eq!(
            cleaned(settings, "Rain, rain\nno Rain\nuse cookies"),
            "Rain, rain\nuse cookies"
        );
        let none = LinesSettings { built_in: false, ..LinesSettings::default() };
        assert_eq!(cleaned(none, "We use cookies"), "We use cookies");
    }
}
