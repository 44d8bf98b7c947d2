//! Identifies the language of a text, and drops texts in unwanted languages.
//!
//! [`crate::language`] describes how a language is found. This stage sets the fields `language`,
//! `language_script` and `language_score` of every row, also if it drops no rows.

use crate::documented::documented;
use crate::first_failure::FirstFailure;
use crate::invalid::InvalidSettings;
use crate::language::{IdentifiedLanguage, Identifier, LabelledModel, Scratch, Tag};
use crate::reason::Reason;
use crate::row_in_progress::{Language as Found, RowInProgress};
use crate::stage::{Decision, RowStage, Stage, StagePhase};
use huller_models::ModelFile;
use huller_models::fasttext::{self, Line, Model};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
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
        /// A file to use in place of the built-in tables: other tables, or a fastText model whose
        /// labels name languages (`GlotLID`, `lid.176`). Default: the built-in tables.
        pub model: Option<PathBuf>,
    }
}

/// Identifies the language of a text, and drops texts in other languages or with low scores.
#[derive(Clone, Debug)]
pub struct Language(Arc<SharedStage>);

#[derive(Debug)]
struct SharedStage {
    settings: LanguageSettings,
    /// The user's own tables or model.
    own: Option<UserModel>,
    reasons: [Reason; 3],
}

/// Tables or a model of the user.
#[derive(Debug)]
enum UserModel {
    /// Tables, and a digest of them.
    Tables(Identifier, String),
    /// A model of fastText.
    FastText(LabelledModel),
}

impl UserModel {
    /// Opens a file of either kind.
    fn open(path: &Path) -> Result<UserModel, String> {
        let file = ModelFile::open(path).map_err(|error| error.to_string())?;
        if !Model::is_in(&file) {
            let tables = Identifier::read(file.bytes()).map_err(|error| error.to_string())?;
            return Ok(UserModel::Tables(tables, hexadecimal(file.digest())));
        }
        let model = Model::read(Arc::new(file)).map_err(|error| error.to_string())?;
        LabelledModel::new(model).map(UserModel::FastText).ok_or_else(|| {
            "the labels of this model name no languages, as `__label__eng_Latn` and `__label__en` \
             do"
            .to_owned()
        })
    }

    fn languages(&self) -> Vec<Tag<3>> {
        match self {
            UserModel::Tables(tables, _) => tables.languages(),
            UserModel::FastText(model) => model.languages(),
        }
    }

    fn digest(&self) -> String {
        match self {
            UserModel::Tables(_, digest) => digest.clone(),
            UserModel::FastText(model) => hexadecimal(model.digest()),
        }
    }
}

/// Returns the digits of a digest.
fn hexadecimal(digest: &str) -> String {
    digest.trim_start_matches("sha256:").to_owned()
}

impl Language {
    /// Creates the stage with these settings, and reads the tables.
    ///
    /// # Errors
    ///
    /// If the tables do not have a code, or the file of tables cannot be read.
    pub fn new(settings: LanguageSettings) -> Result<Language, InvalidSettings> {
        let own_model = settings.model.as_ref().map(|path| {
            let invalid = |problem: String| {
                InvalidSettings::new("model", format!("'{}': {problem}", path.display()))
            };
            UserModel::open(path).map_err(invalid)
        });
        let own_model = own_model.transpose()?;
        let known = own_model
            .as_ref()
            .map_or_else(|| Identifier::built_in().languages(), UserModel::languages);
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
        Ok(Language(Arc::new(SharedStage { settings, own: own_model, reasons })))
    }
}

impl SharedStage {
    fn identify(&self, text: &str, scratch: &mut LanguageScratch) -> Option<IdentifiedLanguage> {
        match &self.own {
            None => Identifier::built_in().identify(text, &mut scratch.tables),
            Some(UserModel::Tables(tables, _)) => tables.identify(text, &mut scratch.tables),
            Some(UserModel::FastText(model)) => model.identify(text, &mut scratch.model),
        }
    }

    fn rule(&self, identified: Option<&IdentifiedLanguage>, is_thorough: bool) -> Decision {
        let SharedStage { settings, reasons: [unknown, other, low_score], .. } = self;
        let mut first_failure = FirstFailure::new(is_thorough);
        let Some(identified) = identified else {
            let keeps = settings.keep_unknown.unwrap_or(settings.keep.is_empty());
            let _ = first_failure.note_rule(!keeps, *unknown);
            return first_failure.decision();
        };
        let is_in = |codes: &[String]| codes.iter().any(|code| code == identified.code.as_str());
        let is_wanted = settings.keep.is_empty() || is_in(&settings.keep);
        let min_score =
            settings.min_scores.get(identified.code.as_str()).unwrap_or(&settings.min_score);
        let _ = first_failure.note_rule(!is_wanted || is_in(&settings.exclude), *other)
            || first_failure.note_rule(f64::from(identified.score) < *min_score, *low_score);
        first_failure.decision()
    }
}

impl Stage for Language {
    fn name(&self) -> &'static str {
        "language"
    }

    fn fingerprint(&self) -> serde_json::Value {
        let SharedStage { settings, own, .. } = &*self.0;
        let mut settings = serde_json::json!(settings);
        // The fingerprint depends on the contents of the file, not on its name.
        settings["model"] =
            own.as_ref().map_or_else(|| "built in".to_owned(), UserModel::digest).into();
        super::fingerprint(1, &settings)
    }

    fn reasons(&self) -> &[Reason] {
        &self.0.reasons
    }

    fn phase(&self) -> StagePhase {
        StagePhase::Text
    }

    fn worker(&self) -> Box<dyn RowStage> {
        Box::new(Worker { stage: self.clone(), scratch: LanguageScratch::default() })
    }
}

struct Worker {
    stage: Language,
    scratch: LanguageScratch,
}

/// The buffers of one thread.
#[derive(Default)]
struct LanguageScratch {
    tables: Scratch,
    model: (Line, fasttext::Scratch),
}

impl RowStage for Worker {
    fn apply(&mut self, row_in_progress: &mut RowInProgress<'_>) -> Decision {
        let Worker { stage: Language(stage), scratch } = self;
        let identified = stage.identify(row_in_progress.text.as_str(), scratch);
        row_in_progress.language = identified.map(|identified| Found {
            code: identified.code.letters(),
            script: identified.script.letters(),
            score: f64::from(identified.score),
        });
        row_in_progress.signals.record(
            "language.score",
            identified.map_or(0., |identified| f64::from(identified.score)),
        );
        stage.rule(identified.as_ref(), row_in_progress.signals.is_on())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::Signals;
    use crate::text::Text;
    use huller_testkit::fasttext::FastTextModel;

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

    /// Settings with a fastText model of two labels, and the folder of the model.
    fn with_model(labels: &[&str]) -> (tempfile::TempDir, LanguageSettings) {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("model.ftz");
        let labels = labels.iter().map(|label| ((*label).to_owned(), 1)).collect();
        let bytes = FastTextModel { labels, ..FastTextModel::default() }.bytes();
        std::fs::write(&model, bytes).unwrap();
        (folder, LanguageSettings { model: Some(model), ..LanguageSettings::default() })
    }

    #[test]
    fn a_fasttext_model_may_identify_the_language() {
        let (_folder, settings) = with_model(&["__label__en", "__label__gsw_Latn"]);
        let keep = LanguageSettings { keep: codes(&["gsw"]), ..settings.clone() };
        let (decision, found) = applied(keep, "offer cookies offer, the cookies!");
        let found = found.unwrap();
        assert_eq!((decision, found.code(), found.script()), (Decision::Keep, "gsw", "Latn"));
        // The score of PyPI's fastText for the same file.
        assert!((found.score - f64::from(0.988_844_1_f32)).abs() < 1e-12);
        let strict = LanguageSettings { min_score: 0.99, ..settings.clone() };
        let (decision, _) = applied(strict, "offer cookies offer, the cookies!");
        assert!(
            matches!(decision, Decision::Drop(reason) if reason.name() == "language:low_score")
        );
        let fingerprint = |settings| Language::new(settings).unwrap().fingerprint();
        let before = fingerprint(settings.clone());
        assert_ne!(before, fingerprint(LanguageSettings::default()));
        assert_eq!(before, fingerprint(settings));
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
        let (_folder, settings) = with_model(&["__label__hq", "__label__cc"]);
        assert!(error(settings).contains("name no languages"));
        let (_folder, settings) = with_model(&["__label__en", "__label__gsw_Latn"]);
        let keep = codes(&["deu"]);
        assert!(error(LanguageSettings { keep, ..settings }).contains("not a supported language"));
    }
}
