//! Drops texts that repeat themselves.
//!
//! The rules are those of Rae et al., "Scaling Language Models: Methods, Analysis & Insights from
//! Training Gopher" (2021), table A1, as datatrove 0.10.1 applies them
//! (`gopher_repetition_filter.py`): same order, same reasons. Shares of characters refer to all
//! characters of the text, with white space.
//!
//! One or more line feeds separate lines; two or more separate paragraphs. `grams` and
//! `repeated_grams` describe how repeated n-grams are found in time linear in the text.

mod duplicate_candidates;
mod grams;
mod repeated_grams;

use crate::documented::documented;
use crate::duplicates::Duplicates;
use crate::first_failure::{FirstFailure, share};
use crate::invalid::InvalidSettings;
use crate::lines::{split_at_runs, trim};
use crate::reason::Reason;
use crate::row_in_progress::RowInProgress;
use crate::signals::Signals;
use crate::stage::{Decision, RowStage, Stage, StagePhase};
use crate::text::Text;
use grams::Grams;
use repeated_grams::RepeatedGrams;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

documented! {
    /// Settings of [`GopherRepetition`]. Defaults are those of Rae et al. (2021) and of datatrove.
    /// A share of 0 for lines or paragraphs is off, and so is an empty list.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct GopherRepetitionSettings {
        /// Largest share of lines that occurred earlier. Default 0.3.
        pub max_duplicate_lines: f64,
        /// Largest share of paragraphs that occurred earlier. Default 0.3.
        pub max_duplicate_paragraphs: f64,
        /// Largest share of characters in lines that occurred earlier. Default 0.2.
        pub max_duplicate_line_chars: f64,
        /// Largest share of characters in paragraphs that occurred earlier. Default 0.2.
        pub max_duplicate_paragraph_chars: f64,
        /// For each n (1 to 64), the largest share of characters in the most frequent sequence of n
        /// words. Default 2: 0.2, 3: 0.18, 4: 0.16.
        pub top_grams: Vec<(usize, f64)>,
        /// For each n (1 to 64), the largest share of characters in sequences of n words that
        /// occurred earlier. Default 5: 0.15, 6: 0.14, 7: 0.13, 8: 0.12, 9: 0.11, 10: 0.1.
        pub duplicate_grams: Vec<(usize, f64)>,
    }
}

impl Default for GopherRepetitionSettings {
    fn default() -> GopherRepetitionSettings {
        GopherRepetitionSettings {
            max_duplicate_lines: 0.3,
            max_duplicate_paragraphs: 0.3,
            max_duplicate_line_chars: 0.2,
            max_duplicate_paragraph_chars: 0.2,
            top_grams: vec![(2, 0.2), (3, 0.18), (4, 0.16)],
            duplicate_grams: vec![(5, 0.15), (6, 0.14), (7, 0.13), (8, 0.12), (9, 0.11), (10, 0.1)],
        }
    }
}

/// Drops texts whose lines, paragraphs or word sequences are repeated too often.
#[derive(Clone, Debug)]
pub struct GopherRepetition(Arc<SharedStage>);

#[derive(Debug)]
struct SharedStage {
    settings: GopherRepetitionSettings,
    /// `empty`, four reasons of lines and paragraphs, then one for every n.
    reasons: Vec<Reason>,
    /// Names of the figures, for every n.
    names: Vec<&'static str>,
}

const NAME: &str = "gopher-repetition";

impl Default for GopherRepetition {
    fn default() -> GopherRepetition {
        GopherRepetition::new(GopherRepetitionSettings::default()).expect("the defaults are valid")
    }
}

impl GopherRepetition {
    /// Creates the stage with these settings.
    ///
    /// # Errors
    ///
    /// If an n is less than 1 or more than 64.
    pub fn new(settings: GopherRepetitionSettings) -> Result<GopherRepetition, InvalidSettings> {
        let lists =
            [("top_grams", &settings.top_grams), ("duplicate_grams", &settings.duplicate_grams)];
        for (setting, list) in lists {
            if let Some((n, _)) = list.iter().find(|(n, _)| !(1..=64).contains(n)) {
                let problem = format!("sequences of {n} words: must be 1 to 64");
                return Err(InvalidSettings::new(setting, problem));
            }
        }
        let fixed_reasons =
            ["empty", "dup_para_frac", "dup_para_char_frac", "dup_line_frac", "dup_line_char_frac"];
        let mut reasons = Reason::register_for_stage(NAME, fixed_reasons).to_vec();
        let top = settings.top_grams.iter().map(|(n, _)| format!("top_{n}_gram"));
        let duplicate =
            settings.duplicate_grams.iter().map(|(n, _)| format!("duplicated_{n}_n_grams"));
        let of_grams: Vec<String> = top.chain(duplicate).collect();
        for name in &of_grams {
            reasons.extend(Reason::register_for_stage(NAME, [name.as_str()]));
        }
        // The leak is bounded by the number of settings, once a run.
        let names =
            of_grams.iter().map(|name| &*format!("gopher_repetition.{name}").leak()).collect();
        Ok(GopherRepetition(Arc::new(SharedStage { settings, reasons, names })))
    }
}

impl Stage for GopherRepetition {
    fn name(&self) -> &'static str {
        NAME
    }

    fn fingerprint(&self) -> serde_json::Value {
        super::fingerprint(1, &self.0.settings)
    }

    fn reasons(&self) -> &[Reason] {
        &self.0.reasons
    }

    fn phase(&self) -> StagePhase {
        StagePhase::Text
    }

    fn worker(&self) -> Box<dyn RowStage> {
        let stage = Arc::clone(&self.0);
        Box::new(Worker {
            stage,
            duplicates: Duplicates::default(),
            grams: Grams::default(),
            repeated_grams: RepeatedGrams::default(),
        })
    }
}

/// The stage in one worker thread.
struct Worker {
    stage: Arc<SharedStage>,
    duplicates: Duplicates,
    grams: Grams,
    repeated_grams: RepeatedGrams,
}

impl Worker {
    fn apply_rules(
        &mut self,
        text: &mut Text,
        signals: &mut Signals,
        first_failure: &mut FirstFailure,
    ) {
        let SharedStage { settings, reasons, names } = &*self.stage;
        let chars = text.chars();
        if first_failure.note_rule(chars == 0, reasons[0]) || chars == 0 {
            return;
        }
        let content = text.as_str();
        // Repeated paragraphs, then repeated lines.
        let lists = [
            (
                self.duplicates.count_repeats(content, split_at_runs(trim(content), 2)),
                (settings.max_duplicate_paragraphs, settings.max_duplicate_paragraph_chars),
                ("gopher_repetition.dup_para_frac", "gopher_repetition.dup_para_char_frac"),
            ),
            (
                self.duplicates.count_repeats(content, split_at_runs(content, 1)),
                (settings.max_duplicate_lines, settings.max_duplicate_line_chars),
                ("gopher_repetition.dup_line_frac", "gopher_repetition.dup_line_char_frac"),
            ),
        ];
        for ((found, (max_elements, max_chars), names), reasons) in
            lists.into_iter().zip(reasons[1..].chunks(2))
        {
            let (elements_name, chars_name) = names;
            let (elements, of_chars) =
                (share(found.repeated, found.all), share(found.chars, chars));
            signals.record(elements_name, elements);
            signals.record(chars_name, of_chars);
            if first_failure.note_rule(max_elements > 0. && elements > max_elements, reasons[0])
                || first_failure.note_rule(max_chars > 0. && of_chars > max_chars, reasons[1])
            {
                return;
            }
        }

        // The most frequent sequence of n words, for each n.
        let mut rules = reasons[5..].iter().zip(names);
        if !settings.top_grams.is_empty() {
            self.grams.begin(text.numbered_words());
        }
        for ((n, most), (reason, name)) in settings.top_grams.iter().zip(rules.by_ref()) {
            let words = text.numbered_words();
            let Some(top) = self.grams.top(words, *n) else { continue };
            let of_chars = share(top, chars);
            signals.record(name, of_chars);
            if first_failure.note_rule(of_chars > *most, *reason) {
                return;
            }
        }
        // All sequences of n words that occurred earlier, for each n.
        if let Some(least) = settings.duplicate_grams.iter().map(|(n, _)| *n).min() {
            self.repeated_grams.begin(text.words(), least);
        }
        for ((n, most), (reason, name)) in settings.duplicate_grams.iter().zip(rules) {
            let of_chars = share(self.repeated_grams.repeated_chars(*n), chars);
            signals.record(name, of_chars);
            if first_failure.note_rule(of_chars > *most, *reason) {
                return;
            }
        }
    }
}

impl RowStage for Worker {
    fn apply(&mut self, row_in_progress: &mut RowInProgress<'_>) -> Decision {
        let mut first_failure = FirstFailure::new(row_in_progress.signals.is_on());
        self.apply_rules(row_in_progress.text, row_in_progress.signals, &mut first_failure);
        first_failure.decision()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decide(
        settings: GopherRepetitionSettings,
        content: &str,
    ) -> (Option<&'static str>, Signals) {
        let stage = GopherRepetition::new(settings).unwrap();
        let (mut text, mut signals) = (Text::default(), Signals::enabled());
        text.begin().push_str(content);
        let decision = stage.worker().apply(&mut RowInProgress::from_text(&mut text, &mut signals));
        let reason = match decision {
            Decision::Keep => None,
            Decision::Drop(reason) => reason.name().strip_prefix("gopher-repetition:"),
        };
        (reason, signals)
    }

    #[test]
    fn each_rule_drops_for_its_reason() {
        let many = |count: usize, end: &str| {
            (0..count).map(|n| format!("w{n}x v{}y{end}", n * n)).collect::<Vec<_>>().concat()
        };
        for (text, expected) in [
            (String::new(), Some("empty")),
            ("  ".to_owned(), None),
            (many(40, " "), None),
            (format!("{}{}", many(9, "\n\n"), "a\n\n".repeat(9)), Some("dup_para_frac")),
            (
                format!("{}{}", many(9, "\n\n"), "some longer line\n\n".repeat(4)),
                Some("dup_para_char_frac"),
            ),
            (format!("{}{}", many(9, "\n"), "a\n".repeat(9)), Some("dup_line_frac")),
            (
                format!("{}{}", many(9, "\n"), "some longer line\n".repeat(4)),
                Some("dup_line_char_frac"),
            ),
            (many(9, " and so "), Some("top_2_gram")),
            (
                format!(
                    "{}{}",
                    many(80, " "),
                    "one two three four five six seven eight nine ten. ".repeat(6)
                ),
                Some("duplicated_5_n_grams"),
            ),
            ("a b".to_owned(), Some("top_2_gram")),
        ] {
            assert_eq!(decide(GopherRepetitionSettings::default(), &text).0, expected, "{text}");
        }
    }

    #[test]
    fn figures_have_the_names_of_the_reasons_and_n_is_bounded() {
        let (_, signals) = decide(GopherRepetitionSettings::default(), "a a a a a a a a a a a a");
        assert_eq!(signals.get("gopher_repetition.top_2_gram"), Some(33. / 23.));
        assert_eq!(signals.get("gopher_repetition.duplicated_5_n_grams"), Some(10. / 23.));
        assert_eq!(signals.figures().len(), 13);
        for n in [0, 65] {
            let settings =
                GopherRepetitionSettings { top_grams: vec![(n, 0.1)], ..Default::default() };
            assert_eq!(GopherRepetition::new(settings).unwrap_err().setting, "top_grams");
        }
    }
}
