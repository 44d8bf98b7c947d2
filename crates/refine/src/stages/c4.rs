//! Leaves out lines that are not prose, and drops texts with too few sentences left.
//!
//! The rules come from Raffel et al., "Exploring the Limits of Transfer Learning with a Unified
//! Text-to-Text Transformer" (2020), section 2.2, as datatrove 0.10.1 applies them
//! (`c4_filters.py`). Order and reasons are the same. The defaults are FineWeb's, without the rule
//! that lines must end with a mark. A kept line loses the white space at its ends and citations
//! such as `[12]`. White space separates the words of a line.
//!
//! Sentences are counted by `sentences.rs`, where datatrove uses spaCy; [`C4::with_sentences`] sets
//! another counter. Counting stops when there are enough.

use crate::documented::documented;
use crate::first_failure::FirstFailure;
use crate::kept_lines::KeptLines;
use crate::lines;
use crate::reason::Reason;
use crate::row_in_progress::RowInProgress;
use crate::scalars::{is_digit, is_space};
use crate::sentences;
use crate::signals::Signals;
use crate::stage::{Decision, RowStage, Stage, StagePhase};
use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use memchr::{memchr, memmem};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

documented! {
    /// Settings of [`C4`]. Defaults are those of datatrove, except the first, which is FineWeb's.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct C4Settings {
        /// Leave out lines that do not end with `.`, `?`, `!`, `"` or `'`, or that end with `...`.
        /// Default false (Raffel et al. and datatrove: true; FineWeb: false).
        pub require_terminal_mark: bool,
        /// Leave out `[12]`, `[]`, `[edit]` and `[citation needed]`. Default true.
        pub remove_citations: bool,
        /// Drop texts whose remaining lines have fewer sentences. Default 5; 0 is off.
        pub min_sentences: usize,
        /// Leave out lines with fewer words. Default 3; 0 is off.
        pub min_words_per_line: usize,
        /// Leave out lines with a word of more characters than this. Default 1000; 0 is off.
        pub max_word_chars: usize,
        /// Drop texts that contain `lorem ipsum`. Default true.
        pub drop_lorem_ipsum: bool,
        /// Leave out lines that contain `javascript`. Default true.
        pub remove_javascript: bool,
        /// Drop texts that contain `{`. Default true.
        pub drop_curly_brackets: bool,
        /// Leave out lines with one of these phrases; ASCII case is ignored. Default: terms of use,
        /// privacy policy, cookie policy, uses cookies, use of cookies, use cookies.
        pub policy_phrases: Vec<String>,
    }
}

impl Default for C4Settings {
    fn default() -> C4Settings {
        let policy_phrases = [
            "terms of use",
            "privacy policy",
            "cookie policy",
            "uses cookies",
            "use of cookies",
            "use cookies",
        ];
        C4Settings {
            require_terminal_mark: false,
            remove_citations: true,
            min_sentences: 5,
            min_words_per_line: 3,
            max_word_chars: 1000,
            drop_lorem_ipsum: true,
            remove_javascript: true,
            drop_curly_brackets: true,
            policy_phrases: policy_phrases.map(str::to_owned).to_vec(),
        }
    }
}

/// Counts the sentences of a line.
type CountSentences = Arc<dyn Fn(&str) -> usize + Send + Sync>;

/// Leaves out lines that are not prose, and drops texts with too few sentences left.
#[derive(Clone)]
pub struct C4 {
    settings: Arc<C4Settings>,
    /// `lorem ipsum`, `javascript`, then the policy phrases; ASCII case is ignored.
    phrases: Option<AhoCorasick>,
    /// The same phrases in lower case only, for a SIMD search.
    small: Option<AhoCorasick>,
    count_sentences: CountSentences,
    reasons: [Reason; 3],
}

const NAME: &str = "c4";

impl std::fmt::Debug for C4 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("C4").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Default for C4 {
    fn default() -> C4 {
        C4::new(C4Settings::default())
    }
}

/// Indexes of the first phrases.
const LOREM_IPSUM: usize = 0;
const JAVASCRIPT: usize = 1;

impl C4 {
    /// Creates the stage with these settings.
    pub fn new(settings: C4Settings) -> C4 {
        let policies = settings.policy_phrases.iter().map(|phrase| phrase.to_lowercase());
        let phrases = ["lorem ipsum".to_owned(), "javascript".to_owned()];
        let phrases: Vec<String> = phrases.into_iter().chain(policies).collect();
        let small = AhoCorasick::builder().match_kind(MatchKind::LeftmostFirst).build(&phrases);
        let phrases = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::DFA))
            .build(&phrases);
        C4 {
            settings: Arc::new(settings),
            // Both fail only for gigabytes of phrases. Lines are then not searched.
            phrases: phrases.ok(),
            small: small.ok(),
            count_sentences: Arc::new(sentences::count),
            reasons: Reason::register_for_stage(
                NAME,
                ["lorem_ipsum", "curly_bracket", "too_few_sentences"],
            ),
        }
    }

    /// Counts the sentences of lines by this function. The fingerprint does not include it.
    #[must_use]
    pub fn with_sentences(self, count: impl Fn(&str) -> usize + Send + Sync + 'static) -> C4 {
        C4 { count_sentences: Arc::new(count), ..self }
    }

    /// Returns whether a text may contain any of the phrases. `small` is a scratch buffer.
    fn has_phrases(&self, text: &str, small: &mut Vec<u8>) -> bool {
        const MAX_KEPT_BYTES: usize = 1 << 18;
        small.clear();
        small.shrink_to(MAX_KEPT_BYTES);
        small.extend(text.bytes().map(|byte| byte.to_ascii_lowercase()));
        self.small.as_ref().is_some_and(|phrases| phrases.is_match(&*small))
    }

    /// Returns the kinds of phrases in a line: lorem ipsum, javascript, policies.
    fn find_phrases(&self, line: &str) -> [bool; 3] {
        let mut has_phrase = [false; 3];
        for phrase in self.phrases.iter().flat_map(|phrases| phrases.find_overlapping_iter(line)) {
            has_phrase[phrase.pattern().as_usize().min(2)] = true;
        }
        has_phrase
    }
}

/// The stage in one worker thread.
struct Worker {
    stage: C4,
    /// A text in lower case.
    small: Vec<u8>,
    /// A line without its citations.
    line: String,
}

/// Counts of the lines of a text, by outcome.
#[derive(Debug, Default)]
struct Tally {
    /// Number of lines.
    lines: usize,
    /// Number of kept lines.
    kept: usize,
    /// Number of sentences in kept lines.
    sentences: usize,
}

impl Worker {
    /// Writes the lines that are kept.
    fn keep_lines(
        &mut self,
        text: &str,
        out: &mut String,
        all_kept: &mut KeptLines,
        first_failure: &mut FirstFailure,
    ) -> Tally {
        let Worker { stage, small, line: cited } = self;
        let settings = &*stage.settings;
        let [lorem_ipsum, curly_bracket, _] = stage.reasons;
        let mut tally = Tally::default();
        // The only scalars beyond ASCII whose lower case begins with an ASCII letter: the Kelvin
        // sign and the dotted capital I.
        let folds = ["\u{212A}", "\u{130}"]
            .iter()
            .any(|c| memmem::find(text.as_bytes(), c.as_bytes()).is_some());
        // Most texts contain none of the phrases. Then only lines that lost citations are searched.
        let has_phrases = folds || stage.has_phrases(text, small);
        for line in lines::split(text) {
            tally.lines += 1;
            let line = lines::trim(line);
            let words = count_words(line, settings);
            let Some(words) = words else { continue };
            cited.clear();
            let is_cited = settings.remove_citations && remove_citations(line, cited);
            let line = if is_cited { cited.as_str() } else { line };
            if settings.require_terminal_mark
                && (!line.ends_with(['.', '?', '!', '"', '\'']) || line.ends_with("..."))
            {
                continue;
            }
            if words < settings.min_words_per_line {
                continue;
            }
            let phrases = match (folds, has_phrases || is_cited) {
                (true, _) => stage.find_phrases(&line.to_lowercase()),
                (false, true) => stage.find_phrases(line),
                (false, false) => [false; 3],
            };
            if settings.drop_lorem_ipsum
                && phrases[LOREM_IPSUM]
                && first_failure.note_rule(true, lorem_ipsum)
            {
                return tally;
            }
            if settings.remove_javascript && phrases[JAVASCRIPT] {
                continue;
            }
            if settings.drop_curly_brackets
                && memchr(b'{', line.as_bytes()).is_some()
                && first_failure.note_rule(true, curly_bracket)
            {
                return tally;
            }
            if phrases[2] {
                continue;
            }
            if first_failure.is_thorough() || tally.sentences < settings.min_sentences {
                tally.sentences += (stage.count_sentences)(line);
            }
            if tally.kept > 0 {
                out.push('\n');
            }
            tally.kept += 1;
            if is_cited {
                all_kept.mark_unaligned();
            } else {
                let start = line.as_ptr().addr() - text.as_ptr().addr();
                all_kept.push(start..start + line.len(), out.len());
            }
            out.push_str(line);
        }
        tally
    }
}

/// Counts the words of a line, no further than the settings need. `None` if a word is too long.
fn count_words(line: &str, settings: &C4Settings) -> Option<usize> {
    let max_chars = settings.max_word_chars;
    if max_chars > 0 && line.len() > max_chars {
        let mut words = 0;
        for word in line.split(is_space).filter(|word| !word.is_empty()) {
            if word.len() > max_chars && word.chars().count() > max_chars {
                return None;
            }
            words += 1;
        }
        return Some(words);
    }
    let words = line.split(is_space).filter(|word| !word.is_empty());
    Some(words.take(settings.min_words_per_line).count())
}

/// Writes a line without its citations. Returns whether it had any.
fn remove_citations(line: &str, out: &mut String) -> bool {
    let mut copied_to = 0;
    let mut search_start = 0;
    while let Some(bracket) =
        memchr(b'[', &line.as_bytes()[search_start..]).map(|bracket| search_start + bracket)
    {
        let inner = &line[bracket + 1..];
        let digits = inner.trim_start_matches(is_digit);
        let length = if digits.starts_with(']') {
            inner.len() - digits.len() + 1
        } else {
            let phrase =
                ["edit]", "citation needed]"].into_iter().find(|phrase| inner.starts_with(phrase));
            let Some(phrase) = phrase else {
                // The digits are not followed by a closing bracket.
                search_start = line.len() - digits.len();
                continue;
            };
            phrase.len()
        };
        out.push_str(&line[copied_to..bracket]);
        copied_to = bracket + 1 + length;
        search_start = copied_to;
    }
    if copied_to > 0 {
        out.push_str(&line[copied_to..]);
    }
    copied_to > 0
}

impl Stage for C4 {
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
        Box::new(Worker { stage: self.clone(), small: Vec::new(), line: String::new() })
    }
}

impl RowStage for Worker {
    fn apply(&mut self, row_in_progress: &mut RowInProgress<'_>) -> Decision {
        let mut first_failure = FirstFailure::new(row_in_progress.signals.is_on());
        let mut tally = Tally::default();
        row_in_progress.text.keep_lines(|old, new, all_kept| {
            tally = self.keep_lines(old, new, all_kept, &mut first_failure);
            let too_few = tally.sentences < self.stage.settings.min_sentences;
            let [.., few] = self.stage.reasons;
            let _ = first_failure.note_rule(too_few, few);
            let kept = lines::trim(new);
            if first_failure.decision() != Decision::Keep || kept == old {
                return false;
            }
            let (start, end) = (kept.as_ptr().addr() - new.as_ptr().addr(), kept.len());
            if start > 0 {
                all_kept.mark_unaligned();
            }
            new.drain(..start);
            new.truncate(end);
            true
        });
        record_signals(row_in_progress.signals, &tally);
        first_failure.decision()
    }
}

fn record_signals(signals: &mut Signals, tally: &Tally) {
    signals.record("c4.lines", tally.lines as f64);
    signals.record("c4.kept_lines", tally.kept as f64);
    signals.record("c4.sentences", tally.sentences as f64);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;

    fn decide(settings: C4Settings, content: &str) -> Result<String, &'static str> {
        let stage = C4::new(settings);
        let (mut text, mut signals) = (Text::default(), Signals::disabled());
        text.begin().push_str(content);
        match stage.worker().apply(&mut RowInProgress::from_text(&mut text, &mut signals)) {
            Decision::Keep => Ok(text.as_str().to_owned()),
            Decision::Drop(reason) => {
                assert_eq!(text.as_str(), content, "a dropped row keeps its text");
                Err(reason.name().strip_prefix("c4:").unwrap())
            }
        }
    }

    #[test]
    fn lines_are_left_out_and_texts_dropped_by_the_rules() {
        let good = "One is here. Two is. Three is. Four is. Five is.";
        let long = format!("a b {}", "x".repeat(1001));
        for (line, expected) in [
            ("", Ok(good.to_owned())),
            (
                " A kept line without a mark\u{A0}",
                Ok(format!("A kept line without a mark\n{good}")),
            ),
            ("two words", Ok(good.to_owned())),
            (&long, Ok(good.to_owned())),
            ("please enable JavaScript {now}", Ok(good.to_owned())),
            ("our coo\u{212A}ie policy changes", Ok(good.to_owned())),
            ("this site USES Cookies today", Ok(good.to_owned())),
            ("some { code } here", Err("curly_bracket")),
            ("say Lorem Ipsum today", Err("lorem_ipsum")),
            (
                "rain[12] fell[edit][] here[citation needed] [a]",
                Ok(format!("rain fell here [a]\n{good}")),
            ),
            ("enable java[1]script for this", Ok(good.to_owned())),
        ] {
            assert_eq!(decide(C4Settings::default(), &format!("{line}\n{good}")), expected);
        }
        assert_eq!(
            decide(C4Settings::default(), "One. Two. Three. Four."),
            Err("too_few_sentences")
        );
        assert_eq!(decide(C4Settings::default(), ""), Err("too_few_sentences"));
        let strict = C4Settings { require_terminal_mark: true, ..C4Settings::default() };
        assert_eq!(
            decide(strict, &format!("no mark here\nand so on...\n{good}")),
            Ok(good.to_owned())
        );
    }
}
