//! Drops texts that break Gopher's quality rules.
//!
//! The rules are those of Rae et al., "Scaling Language Models: Methods, Analysis & Insights from
//! Training Gopher" (2021), section A.1.1, as datatrove 0.10.1 applies them
//! (`gopher_quality_filter.py`), in the same order. Reasons are datatrove's without `gopher_`.
//! [`Words`](crate::Words) defines a word; datatrove uses spaCy's words. Stop words are compared
//! with their case.
//!
//! Time: one pass over words, one over lines, five searches of the text.

use crate::documented::documented;
use crate::first_failure::{FirstFailure, share};
use crate::lines;
use crate::reason::Reason;
use crate::row_in_progress::RowInProgress;
use crate::scalars::is_space;
use crate::signals::Signals;
use crate::stage::{Decision, RowStage, Stage, StagePhase};
use crate::text::Text;
use memchr::{memchr_iter, memmem};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

documented! {
    /// Settings of [`GopherQuality`]. A bound of 0 is off. All defaults are those of Rae et al.
    /// (2021) and of datatrove.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct GopherQualitySettings {
        /// Least number of words that are not symbols. Default 50.
        pub min_words: usize,
        /// Largest number of words that are not symbols. Default 100,000.
        pub max_words: usize,
        /// Least mean length of words that are not symbols, in characters. Default 3.
        pub min_mean_word_length: f64,
        /// Largest mean length of words that are not symbols, in characters. Default 10.
        pub max_mean_word_length: f64,
        /// Most `#` per word, and most ellipses per word. Default 0.1.
        pub max_symbols_per_word: f64,
        /// Largest share of lines that begin with `•` or `-`. Default 0.9.
        pub max_bullet_lines: f64,
        /// Largest share of lines that end with an ellipsis. Default 0.3.
        pub max_ellipsis_lines: f64,
        /// Least share of words with a letter. A mark such as the `@` of `@name` counts as part of
        /// its word. Default 0.8.
        pub min_alphabetic_words: f64,
        /// Least number of different stop words. Default 2.
        pub min_stop_words: usize,
        /// The stop words. Default: the, be, to, of, and, that, have, with.
        pub stop_words: Vec<String>,
    }
}

impl Default for GopherQualitySettings {
    fn default() -> GopherQualitySettings {
        let stop_words = ["the", "be", "to", "of", "and", "that", "have", "with"];
        GopherQualitySettings {
            min_words: 50,
            max_words: 100_000,
            min_mean_word_length: 3.,
            max_mean_word_length: 10.,
            max_symbols_per_word: 0.1,
            max_bullet_lines: 0.9,
            max_ellipsis_lines: 0.3,
            min_alphabetic_words: 0.8,
            min_stop_words: 2,
            stop_words: stop_words.map(str::to_owned).to_vec(),
        }
    }
}

/// Drops texts that break Gopher's quality rules on length, mean word length, symbols, bullets,
/// ellipses, words without letters, and stop words.
#[derive(Clone, Debug)]
pub struct GopherQuality {
    settings: Arc<GopherQualitySettings>,
    stop_words: Arc<StopWords>,
    reasons: [Reason; 10],
}

impl Default for GopherQuality {
    fn default() -> GopherQuality {
        GopherQuality::new(GopherQualitySettings::default())
    }
}

impl GopherQuality {
    /// Creates the stage with these settings.
    pub fn new(settings: GopherQualitySettings) -> GopherQuality {
        let stop_words = Arc::new(StopWords::new(&settings.stop_words));
        let names = [
            "short_doc",
            "long_doc",
            "below_avg_threshold",
            "above_avg_threshold",
            "too_many_hashes",
            "too_many_ellipsis",
            "too_many_bullets",
            "too_many_end_ellipsis",
            "below_alpha_threshold",
            "enough_stop_words",
        ];
        let reasons = Reason::register_for_stage(NAME, names);
        GopherQuality { settings: Arc::new(settings), stop_words, reasons }
    }

    fn first_failing_rule(
        &self,
        text: &mut Text,
        signals: &mut Signals,
        first_failure: &mut FirstFailure,
        seen: &mut Vec<bool>,
    ) {
        let settings = &*self.settings;
        let [short, long, below, above, hashes, ellipses, bullets, ends, letters, stop_words] =
            self.reasons;

        let words = text.words();
        let mut plain = 0;
        let mut plain_chars = 0;
        for word in words.spans {
            plain += usize::from(!word.is_symbol);
            plain_chars += if word.is_symbol { 0 } else { word.chars as usize };
        }
        signals.record("gopher_quality.words", plain as f64);
        if first_failure.note_rule(plain < settings.min_words, short)
            || first_failure.note_rule(settings.max_words > 0 && plain > settings.max_words, long)
        {
            return;
        }

        let mean = share(plain_chars, plain);
        let (least, most) = (settings.min_mean_word_length, settings.max_mean_word_length);
        signals.record("gopher_quality.mean_word_length", mean);
        // Without words there is no mean, and datatrove's comparison with it is false.
        if first_failure.note_rule(plain > 0 && mean < least, below)
            || first_failure.note_rule(plain > 0 && most > 0. && mean > most, above)
        {
            return;
        }

        let content = words.text;
        let most = settings.max_symbols_per_word;
        let per_word = share(memchr_iter(b'#', content.as_bytes()).count(), words.len());
        signals.record("gopher_quality.hashes_per_word", per_word);
        if first_failure.note_rule(most > 0. && per_word > most, hashes) {
            return;
        }
        let dots = memmem::find_iter(content.as_bytes(), "...").count();
        let signs = memmem::find_iter(content.as_bytes(), "…").count();
        let per_word = share(dots + signs, words.len());
        signals.record("gopher_quality.ellipses_per_word", per_word);
        if first_failure.note_rule(most > 0. && per_word > most, ellipses) {
            return;
        }

        let (mut all_lines, mut with_bullet, mut with_ellipsis) = (0, 0, 0);
        for line in lines::split(content) {
            all_lines += 1;
            with_bullet += usize::from(line.trim_start_matches(is_space).starts_with(['•', '-']));
            let line = line.trim_end_matches(is_space);
            with_ellipsis += usize::from(line.ends_with("...") || line.ends_with('…'));
        }
        let (with_bullet, with_ellipsis) =
            (share(with_bullet, all_lines), share(with_ellipsis, all_lines));
        signals.record("gopher_quality.bullet_lines", with_bullet);
        signals.record("gopher_quality.ellipsis_lines", with_ellipsis);
        let most = settings.max_bullet_lines;
        if first_failure.note_rule(most > 0. && with_bullet > most, bullets) {
            return;
        }
        let most = settings.max_ellipsis_lines;
        if first_failure.note_rule(most > 0. && with_ellipsis > most, ends) {
            return;
        }

        let (all_words, alphabetic) = words.count_joined();
        let alphabetic = share(alphabetic, all_words);
        signals.record("gopher_quality.alphabetic_words", alphabetic);
        if first_failure
            .note_rule(!words.is_empty() && alphabetic < settings.min_alphabetic_words, letters)
        {
            return;
        }

        let enough = if signals.is_on() { usize::MAX } else { settings.min_stop_words };
        let different = self.stop_words.count_different(words.iter(), enough, seen);
        signals.record("gopher_quality.stop_words", different as f64);
        let _ = first_failure.note_rule(different < settings.min_stop_words, stop_words);
    }
}

const NAME: &str = "gopher-quality";

impl Stage for GopherQuality {
    fn name(&self) -> &'static str {
        NAME
    }

    fn fingerprint(&self) -> serde_json::Value {
        super::fingerprint(2, &*self.settings)
    }

    fn reasons(&self) -> &[Reason] {
        &self.reasons
    }

    fn phase(&self) -> StagePhase {
        StagePhase::Text
    }

    fn worker(&self) -> Box<dyn RowStage> {
        Box::new(Worker { stage: self.clone(), seen: Vec::new() })
    }
}

/// The stage in one worker thread.
struct Worker {
    stage: GopherQuality,
    /// Whether each stop word was seen in the row.
    seen: Vec<bool>,
}

impl RowStage for Worker {
    fn apply(&mut self, row_in_progress: &mut RowInProgress<'_>) -> Decision {
        let mut first_failure = FirstFailure::new(row_in_progress.signals.is_on());
        self.stage.first_failing_rule(
            row_in_progress.text,
            row_in_progress.signals,
            &mut first_failure,
            &mut self.seen,
        );
        first_failure.decision()
    }
}

/// The stop words, prepared for a fast search.
#[derive(Debug)]
struct StopWords {
    /// The words, sorted by their bytes.
    words: Vec<String>,
    /// Whether some word has this [key](StopWords::key).
    has_key: [bool; 256],
}

impl StopWords {
    fn new(words: &[String]) -> StopWords {
        let mut words: Vec<String> =
            words.iter().filter(|word| !word.is_empty()).cloned().collect();
        words.sort();
        words.dedup();
        let mut has_key = [false; 256];
        for word in &words {
            has_key[StopWords::word_key(word.as_bytes())] = true;
        }
        StopWords { words, has_key }
    }

    /// Returns a key of length and first byte, which rules out most words that are not on the list.
    #[inline]
    fn word_key(word: &[u8]) -> usize {
        (usize::from(word[0]) + word.len() * 32) & 0xFF
    }

    /// Counts the stop words that occur among these words, up to `enough`.
    fn count_different<'a>(
        &self,
        words: impl Iterator<Item = &'a str>,
        enough: usize,
        seen: &mut Vec<bool>,
    ) -> usize {
        seen.clear();
        seen.resize(self.words.len(), false);
        let mut different = 0;
        for word in words {
            if different >= enough {
                break;
            }
            if self.has_key[StopWords::word_key(word.as_bytes())]
                && let Ok(index) = self.words.binary_search_by(|known| known.as_str().cmp(word))
            {
                different += usize::from(!std::mem::replace(&mut seen[index], true));
            }
        }
        different
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(settings: GopherQualitySettings, content: &str) -> (Option<&'static str>, Signals) {
        let stage = GopherQuality::new(settings);
        let (mut text, mut signals) = (Text::default(), Signals::enabled());
        text.begin().push_str(content);
        let decision = stage.worker().apply(&mut RowInProgress::from_text(&mut text, &mut signals));
        let reason = match decision {
            Decision::Keep => None,
            Decision::Drop(reason) => reason.name().strip_prefix("gopher-quality:"),
        };
        (reason, signals)
    }

    #[test]
    fn each_rule_drops_for_its_reason() {
        let good = "The man and the dog went to the sea with joy. ".repeat(10);
        for (text, expected) in [
            (good.clone(), None),
            (String::new(), Some("short_doc")),
            ("word ".repeat(49), Some("short_doc")),
            ("a ".repeat(60), Some("below_avg_threshold")),
            ("incomprehensibilities ".repeat(60), Some("above_avg_threshold")),
            (good.replace(' ', " # "), Some("too_many_hashes")),
            (good.replace(' ', "... "), Some("too_many_ellipsis")),
            (good.replace(". ", "\n - "), Some("too_many_bullets")),
            (good.replace(". ", "…\n"), Some("too_many_end_ellipsis")),
            (good.replace(' ', " 1234 "), Some("below_alpha_threshold")),
            ("Ein Mann ging an die See. ".repeat(12), Some("enough_stop_words")),
        ] {
            assert_eq!(decide(GopherQualitySettings::default(), &text).0, expected, "{text}");
        }
    }

    #[test]
    fn bounds_of_zero_are_off_and_a_text_without_words_is_no_error() {
        let off = r#"{"min_words": 0, "min_mean_word_length": 0, "min_alphabetic_words": 0, "min_stop_words": 0}"#;
        let settings: GopherQualitySettings = serde_json::from_str(off).unwrap();
        for text in ["", "\n", "1"] {
            assert_eq!(decide(settings.clone(), text).0, None, "{text:?}");
        }
        assert!(serde_json::from_str::<GopherQualitySettings>(r#"{"min_word": 1}"#).is_err());
    }

    #[test]
    fn all_figures_are_recorded_also_of_a_dropped_row() {
        let (reason, signals) = decide(GopherQualitySettings::default(), "the # to...\n- and");
        assert_eq!(reason, Some("short_doc"));
        assert_eq!(signals.get("gopher_quality.words"), Some(3.));
        assert_eq!(signals.get("gopher_quality.mean_word_length"), Some(8. / 3.));
        assert_eq!(signals.get("gopher_quality.hashes_per_word"), Some(1. / 6.));
        assert_eq!(signals.get("gopher_quality.bullet_lines"), Some(0.5));
        assert_eq!(signals.get("gopher_quality.stop_words"), Some(3.));
        assert_eq!(signals.figures().len(), 8);
    }
}
