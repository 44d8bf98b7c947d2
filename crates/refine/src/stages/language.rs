//! Identifies the language of a text, and drops texts in unwanted languages.
//!
//! [`crate::language`] describes how a language is found. This stage sets the fields `language`,
//! `language_script` and `language_score` of every row, also if it drops no rows.

use crate::documented::documented;
use crate::first_failure::FirstFailure;
use crate::invalid::InvalidSettings;
use crate::language::{IdentifiedLanguage, Identifier, Scratch};
use crate::reason::Reason;
use crate::row_in_progress::{Language as Found, RowInProgress};
use crate::stage::{Decision, RowStage, Stage, StagePhase};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

documented! {
    /// Settings of [`Language`]. By default no text is dropped.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct LanguageSettings {
        /// Keep texts in these languages only, as ISO 639-3 codes such as `eng`. Default: empty,
        /// which means all.
        pub keep: Vec<String>,
        /// Drop texts in these languages. Default: none.
        pub exclude: Vec<String>,
        /// Least score, 0 to 1. Default 0 (FineWeb and DCLM: 0.65).
        pub min_score: f64,
        /// Least scores for single languages, in place of `min_score`. Default: none.
        pub min_scores: BTreeMap<String, f64>,
        /// Keep texts without a language: numbers, code, a word or two. By default they are kept if
        /// `keep` is empty.
        pub keep_unknown: Option<bool>,
        /// A file of tables to use in place of the built-in ones. Default: the built-in ones.
        pub model: Option<PathBuf>,
    }
}

/// Identifies the language of a text, and drops texts in other languages or with low scores.
#[derive(Clone, Debug)]
pub struct Language(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    settings: LanguageSettings,
    /// The user's own tables, and a digest of them.
    own: Option<(Identifier, String)>,
    reasons: [Reason; 3],
}

impl Language {
    /// Creates the stage with these settings, and reads the tables.
    ///
    /// # Errors
    ///
    /// If the tables do not have a code, or the file of tables cannot be read.
    pub fn new(settings: LanguageSettings) -> Result<Language, InvalidSettings> {
        let own = settings.model.as_ref().map(|path| {
            let invalid = |problem: String| {
                InvalidSettings::new("model", format!("'{}': {problem}", path.display()))
            };
            let bytes = std::fs::read(path).map_err(|error| invalid(error.to_string()))?;
            let identifier =
                Identifier::read(&bytes).map_err(|error| invalid(error.to_string()))?;
            Ok((identifier, data_encoding::HEXLOWER.encode(&Sha256::digest(&bytes))))
        });
        let own = own.transpose()?;
        let known = own.as_ref().map_or(Identifier::built_in(), |own| &own.0).languages();
        let is_known = |code: &str| known.iter().any(|language| language.as_str() == code);
        for (setting, codes) in [
            ("keep", settings.keep.iter().collect::<Vec<_>>()),
            ("exclude", settings.exclude.iter().collect()),
            ("min_scores", settings.min_scores.keys().collect()),
        ] {
            if let Some(code) = codes.into_iter().find(|code| !is_known(code)) {
                let problem = format!(
                    "'{code}' is not a supported language; use ISO 639-3 codes such as eng, deu, \
                     zho"
                );
                return Err(InvalidSettings::new(setting, problem));
            }
        }
        let reasons = Reason::register_for_stage("language", ["unknown", "other", "low_score"]);
        Ok(Language(Arc::new(Inner { settings, own, reasons })))
    }
}

impl Inner {
    fn identifier(&self) -> &Identifier {
        self.own.as_ref().map_or(Identifier::built_in(), |own| &own.0)
    }

    fn rule(&self, found: Option<&IdentifiedLanguage>, is_thorough: bool) -> Decision {
        let Inner { settings, reasons: [unknown, other, low_score], .. } = self;
        let mut first_failure = FirstFailure::new(is_thorough);
        let Some(found) = found else {
            let keeps = settings.keep_unknown.unwrap_or(settings.keep.is_empty());
            let _ = first_failure.note_rule(!keeps, *unknown);
            return first_failure.decision();
        };
        let is_in = |codes: &[String]| codes.iter().any(|code| code == found.code.as_str());
        let is_wanted = settings.keep.is_empty() || is_in(&settings.keep);
        let least = settings.min_scores.get(found.code.as_str()).unwrap_or(&settings.min_score);
        let _ = first_failure.note_rule(!is_wanted || is_in(&settings.exclude), *other)
            || first_failure.note_rule(f64::from(found.score) < *least, *low_score);
        first_failure.decision()
    }
}

impl Stage for Language {
    fn name(&self) -> &'static str {
        "language"
    }

    fn fingerprint(&self) -> serde_json::Value {
        let Inner { settings, own, .. } = &*self.0;
        let mut settings = serde_json::json!(settings);
        // The fingerprint depends on the contents of the file, not on its name.
        settings["model"] = own.as_ref().map_or("built in", |own| &own.1).into();
        super::fingerprint(1, &settings)
    }

    fn reasons(&self) -> &[Reason] {
        &self.0.reasons
    }

    fn needs(&self) -> StagePhase {
        StagePhase::Text
    }

    fn worker(&self) -> Box<dyn RowStage> {
        Box::new(Worker { stage: self.clone(), memory: Scratch::default() })
    }
}

struct Worker {
    stage: Language,
    memory: Scratch,
}

impl RowStage for Worker {
    fn apply(&mut self, row_in_progress: &mut RowInProgress<'_>) -> Decision {
        let Worker { stage: Language(stage), memory } = self;
        let found = stage.identifier().identify(row_in_progress.text.as_str(), memory);
        row_in_progress.language = found.map(|found| Found {
            code: found.code.letters(),
            script: found.script.letters(),
            score: f64::from(found.score),
        });
        row_in_progress
            .signals
            .record("language.score", found.map_or(0., |found| f64::from(found.score)));
        stage.rule(found.as_ref(), row_in_progress.signals.is_on())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::Signals;
    use crate::text::Text;

    const GERMAN: &str = "Der Regen fiel den ganzen Tag, und am Abend waren die Straßen im Dorf nicht mehr zu sehen.";

    fn applied(settings: LanguageSettings, content: &str) -> (Decision, Option<Found>) {
        let (mut text, mut signals) = (Text::default(), Signals::disabled());
        text.begin().push_str(content);
        let mut row_in_progress = RowInProgress::from_text(&mut text, &mut signals);
        let decision = Language::new(settings).unwrap().worker().apply(&mut row_in_progress);
        (decision, row_in_progress.language)
    }

    fn codes(codes: &[&str]) -> Vec<String> {
        codes.iter().map(|&code| code.to_owned()).collect()
    }

    #[test]
    fn languages_are_told_and_only_those_that_are_wanted_are_kept() {
        let (decision, found) = applied(LanguageSettings::default(), GERMAN);
        let found = found.unwrap();
        assert_eq!((decision, found.code(), found.script()), (Decision::Keep, "deu", "Latn"));
        let reason = |settings, content| match applied(settings, content).0 {
            Decision::Keep => "",
            Decision::Drop(reason) => reason.name(),
        };
        let keep = |list: &[&str]| LanguageSettings { keep: codes(list), ..Default::default() };
        assert_eq!(reason(keep(&["deu", "eng"]), GERMAN), "");
        assert_eq!(reason(keep(&["eng"]), GERMAN), "language:other");
        assert_eq!(reason(keep(&["eng"]), "123 456"), "language:unknown");
        assert_eq!(reason(LanguageSettings::default(), "123 456"), "");
        let exclude = LanguageSettings { exclude: codes(&["deu"]), ..Default::default() };
        assert_eq!(reason(exclude, GERMAN), "language:other");
        let strict = LanguageSettings { min_score: 1.1, ..Default::default() };
        assert_eq!(reason(strict.clone(), GERMAN), "language:low_score");
        let min_scores = BTreeMap::from([("deu".to_owned(), 0.1)]);
        assert_eq!(reason(LanguageSettings { min_scores, ..strict }, GERMAN), "");
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let error = |settings| Language::new(settings).unwrap_err().to_string();
        let keep = LanguageSettings { keep: codes(&["de"]), ..Default::default() };
        assert!(error(keep).contains("'de' is not a supported language"));
        let model = Some("/nowhere/tables".into());
        assert!(
            error(LanguageSettings { model, ..Default::default() }).contains("'/nowhere/tables'")
        );
    }
}
