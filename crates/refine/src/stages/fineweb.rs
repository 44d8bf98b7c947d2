//! Drops texts that break FineWeb's rules on lines.
//!
//! The rules are those of Penedo et al., "The FineWeb Datasets: Decanting the Web for the Finest
//! Text Data at Scale" (2024), section 3.6, as datatrove 0.10.1 applies them
//! (`fineweb_quality_filter.py`): same order, same reasons. Only line feeds end lines; blank lines
//! do not count.

use crate::documented::documented;
use crate::duplicates::Duplicates;
use crate::first_failure::{FirstFailure, share};
use crate::lines::is_blank;
use crate::reason::Reason;
use crate::row_in_progress::RowInProgress;
use crate::scalars::is_terminal;
use crate::signals::Signals;
use crate::stage::{Decision, RowStage, Stage, StagePhase};
use crate::text::Text;
use memchr::memchr_iter;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

documented! {
    /// Settings of [`FineWeb`]. All defaults are those of Penedo et al. (2024) and of datatrove.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct FineWebSettings {
        /// Least share of lines that end with a stop character. Default 0.12; 0 is off.
        pub min_stopped_lines: f64,
        /// Whether a text without any such line is kept. Default false.
        pub allow_no_stopped_line: bool,
        /// The stop characters. Default: empty, which means the marks that end sentences in any
        /// script.
        pub stop_chars: String,
        /// Largest share of short lines. Default 0.67; 1 is off.
        pub max_short_lines: f64,
        /// Most characters of a short line. Default 30.
        pub short_line_chars: usize,
        /// Largest share of characters in lines that occurred earlier, without line feeds. Default
        /// 0.01; 1 is off.
        pub max_duplicate_chars: f64,
        /// Most line feeds per word. Default 0.3.
        pub max_lines_per_word: f64,
    }
}

impl Default for FineWebSettings {
    fn default() -> FineWebSettings {
        FineWebSettings {
            min_stopped_lines: 0.12,
            allow_no_stopped_line: false,
            stop_chars: String::new(),
            max_short_lines: 0.67,
            short_line_chars: 30,
            max_duplicate_chars: 0.01,
            max_lines_per_word: 0.3,
        }
    }
}

/// Drops texts with few lines that end like sentences, many short lines, repeated lines, or lists
/// of single words.
#[derive(Clone, Debug)]
pub struct FineWeb {
    settings: Arc<FineWebSettings>,
    reasons: [Reason; 5],
}

const NAME: &str = "fineweb";

impl Default for FineWeb {
    fn default() -> FineWeb {
        FineWeb::new(FineWebSettings::default())
    }
}

impl FineWeb {
    /// Creates the stage with these settings.
    pub fn new(settings: FineWebSettings) -> FineWeb {
        let names =
            ["empty", "line_punct_ratio", "short_line_ratio", "char_dup_ratio", "list_ratio"];
        FineWeb { settings: Arc::new(settings), reasons: Reason::register_for_stage(NAME, names) }
    }

    fn is_stopped(&self, line: &str) -> bool {
        let stop_chars = &self.settings.stop_chars;
        let last_char = line.chars().next_back();
        last_char.is_some_and(|last_char| match stop_chars.as_str() {
            "" => is_terminal(last_char),
            chars => chars.contains(last_char),
        })
    }

    fn first_failing_rule(
        &self,
        text: &mut Text,
        signals: &mut Signals,
        first_failure: &mut FirstFailure,
        duplicates: &mut Duplicates,
    ) {
        let settings = &*self.settings;
        let [empty, punctuation, short, duplicate, list] = self.reasons;
        let content = text.as_str();
        let lines = || content.split('\n').filter(|line| !is_blank(line));

        let (mut all_lines, mut stopped, mut short_lines) = (0, 0, 0);
        for line in lines() {
            all_lines += 1;
            stopped += usize::from(self.is_stopped(line));
            // A scalar has at most four bytes.
            let bound = settings.short_line_chars;
            let is_short = line.len() <= bound
                || (line.len() <= bound.saturating_mul(4) && line.chars().count() <= bound);
            short_lines += usize::from(is_short);
        }
        if first_failure.note_rule(all_lines == 0, empty) || all_lines == 0 {
            return;
        }
        let stopped = share(stopped, all_lines);
        signals.record("fineweb.stopped_lines", stopped);
        let is_allowed = stopped == 0. && settings.allow_no_stopped_line;
        if first_failure.note_rule(stopped < settings.min_stopped_lines && !is_allowed, punctuation)
        {
            return;
        }
        let short_lines = share(short_lines, all_lines);
        signals.record("fineweb.short_lines", short_lines);
        if first_failure.note_rule(short_lines > settings.max_short_lines, short) {
            return;
        }

        let feeds = memchr_iter(b'\n', content.as_bytes()).count();
        let repeated = duplicates.count_repeats(content, lines());
        let chars = text.chars() - feeds;
        let repeated = share(repeated.chars, chars);
        signals.record("fineweb.duplicate_chars", repeated);
        if first_failure.note_rule(repeated > settings.max_duplicate_chars, duplicate) {
            return;
        }
        let per_word = share(feeds, text.words().len());
        signals.record("fineweb.lines_per_word", per_word);
        let _ = first_failure.note_rule(per_word > settings.max_lines_per_word, list);
    }
}

impl Stage for FineWeb {
    fn name(&self) -> &'static str {
        NAME
    }

    fn fingerprint(&self) -> serde_json::Value {
        super::fingerprint(1, &*self.settings)
    }

    fn reasons(&self) -> &[Reason] {
        &self.reasons
    }

    fn phase(&self) -> StagePhase {
        StagePhase::Text
    }

    fn worker(&self) -> Box<dyn RowStage> {
        Box::new(Worker { stage: self.clone(), duplicates: Duplicates::default() })
    }
}

/// The stage in one worker thread.
struct Worker {
    stage: FineWeb,
    duplicates: Duplicates,
}

impl RowStage for Worker {
    fn apply(&mut self, row_in_progress: &mut RowInProgress<'_>) -> Decision {
        let mut first_failure = FirstFailure::new(row_in_progress.signals.is_on());
        self.stage.first_failing_rule(
            row_in_progress.text,
            row_in_progress.signals,
            &mut first_failure,
            &mut self.duplicates,
        );
        first_failure.decision()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(settings: FineWebSettings, content: &str) -> (Option<&'static str>, Signals) {
        let stage = FineWeb::new(settings);
        let (mut text, mut signals) = (Text::default(), Signals::enabled());
        text.begin().push_str(content);
        let decision = stage.worker().apply(&mut RowInProgress::from_text(&mut text, &mut signals));
        let reason = match decision {
            Decision::Keep => None,
            Decision::Drop(reason) => reason.name().strip_prefix("fineweb:"),
        };
        (reason, signals)
    }

    #[test]
    fn each_rule_drops_for_its_reason() {
        let line = "A line of more than thirty characters ends with a stop.\n";
        for (text, expected) in [
            ("\n \n\u{3000}".to_owned(), Some("empty")),
            (line.to_owned(), None),
            (line.replace('.', ""), Some("line_punct_ratio")),
            (format!("{line}short.\nshorter.\nshortest.\n"), Some("short_line_ratio")),
            (line.repeat(2), Some("char_dup_ratio")),
            (format!("{line}{}", "\n".repeat(9)), Some("list_ratio")),
            (
                "今天下雨，今天下雨，今天下雨，今天下雨，今天下雨，今天下雨，明天晴。".to_owned(),
                None,
            ),
        ] {
            assert_eq!(decide(FineWebSettings::default(), &text).0, expected, "{text}");
        }
    }

    #[test]
    fn stop_characters_may_be_chosen_and_no_stop_allowed() {
        let text = "A line of more than thirty characters ends with a letter";
        let settings = |json| serde_json::from_str::<FineWebSettings>(json).unwrap();
        assert_eq!(decide(settings(r#"{"stop_chars": "xr"}"#), text).0, None);
        assert_eq!(decide(settings(r#"{"allow_no_stopped_line": true}"#), text).0, None);
        let (reason, signals) = decide(FineWebSettings::default(), text);
        assert_eq!(reason, Some("line_punct_ratio"));
        assert_eq!(signals.figures().len(), 4);
    }
}
