//! Measures the perplexity of texts, as `CCNet` does.
//!
//! The chain is that of `cc_net` (Wenzek et al., "CCNet", 2020; MIT). The whole text is normalised
//! (`normal_form.rs`), `SentencePiece` cuts it into pieces, and KenLM scores them as one sentence.
//! The perplexity is 10^(−score / (pieces + 1)), rounded to 0.1. A text is in the bucket `head`
//! below the cut-off of percentile 30 of its language, in `middle` below that of 60, and else in
//! `tail`.
//!
//! [`huller_models`] reads the models. This stage sets the fields `perplexity` and `bucket` of
//! every row, also if it drops no rows. The language is that of the stage `language`, or the row's.

mod cutoffs;
mod model_set;
mod normal_form;

use crate::documented::documented;
use crate::invalid::InvalidSettings;
use crate::perplexity::{Bucket, Perplexity};
use crate::reason::Reason;
use crate::row_in_progress::{Language, RowInProgress};
use crate::scalars::is_space;
use crate::stage::{Decision, RowStage, Stage, StagePhase};
use cutoffs::Cutoffs;
use huller_models::sentencepiece::Scratch;
use model_set::{ModelSet, Models};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;

documented! {
    /// Settings of [`PerplexityStage`].
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct PerplexitySettings {
        /// A folder with the models of languages: `LANG.sp.model` and `LANG.arpa.bin`, where `LANG`
        /// is a code of ISO 639-1 as in `CCNet` (`de`) or of ISO 639-3 (`deu`). No default.
        pub models: Option<PathBuf>,
        /// A `SentencePiece` model for all texts, in place of `models`. No default.
        pub pieces: Option<PathBuf>,
        /// A KenLM model for all texts, by `build_binary probing`, with `pieces`. No default.
        pub words: Option<PathBuf>,
        /// Languages whose texts are measured, by the names in `models`. Default: empty, which
        /// means all that have models.
        pub languages: Vec<String>,
        /// A CSV file of cut-offs, as `cutoff.csv` of `cc_net`: a column for each language, and a
        /// row for each percentile. Without it all texts are in the bucket `all`. No default.
        pub cutoffs: Option<PathBuf>,
        /// The percentile below which a text is in the bucket `head`. Default 30.
        pub head: u32,
        /// The percentile below which a text is in the bucket `middle`. Default 60.
        pub middle: u32,
        /// Keep texts in these buckets only: `head`, `middle`, `tail`, `all` (no models for the
        /// language, no pieces, no cut-offs). Default: empty, which drops nothing.
        pub keep: Vec<Bucket>,
    }
}

impl Default for PerplexitySettings {
    fn default() -> PerplexitySettings {
        PerplexitySettings {
            models: None,
            pieces: None,
            words: None,
            languages: Vec::new(),
            cutoffs: None,
            head: 30,
            middle: 60,
            keep: Vec::new(),
        }
    }
}

/// Measures the perplexity of texts with models of the user.
#[derive(Clone, Debug)]
pub struct PerplexityStage(Arc<SharedStage>);

#[derive(Debug)]
struct SharedStage {
    settings: PerplexitySettings,
    models: ModelSet,
    cutoffs: Option<Cutoffs>,
    /// By the number of the bucket.
    reasons: [Reason; 4],
}

impl PerplexityStage {
    /// Creates the stage with these settings, and reads the models.
    ///
    /// # Errors
    ///
    /// No models are given, a model or the file of cut-offs cannot be read, or settings exclude
    /// each other.
    pub fn new(settings: PerplexitySettings) -> Result<PerplexityStage, InvalidSettings> {
        let PerplexitySettings { models, pieces, words, languages, .. } = &settings;
        let models = match (models, pieces, words) {
            (Some(folder), None, None) => ModelSet::in_folder(folder, languages),
            (None, Some(pieces), Some(words)) => ModelSet::of_files(pieces, words, languages),
            (None, None, None) => Err("no models are given; give their folder with \
                                       --set perplexity.models=FOLDER"
                .to_owned()),
            _ => Err("give either `models`, or both `pieces` and `words`".to_owned()),
        };
        let models = models.map_err(|problem| InvalidSettings::new("models", problem))?;
        if settings.head > settings.middle {
            let problem = "it is above `middle`; set a lower percentile".to_owned();
            return Err(InvalidSettings::new("head", problem));
        }
        let cutoffs = settings.cutoffs.as_ref().map(|path| {
            Cutoffs::read(path, [settings.head, settings.middle])
                .map_err(|problem| format!("'{}': {problem}", path.display()))
        });
        let cutoffs = cutoffs.transpose();
        let cutoffs = cutoffs.map_err(|problem| InvalidSettings::new("cutoffs", problem))?;
        if cutoffs.is_none() && settings.keep.iter().any(|bucket| *bucket != Bucket::All) {
            let problem = "buckets need cut-offs; give a file with --set perplexity.cutoffs=FILE";
            return Err(InvalidSettings::new("keep", problem));
        }
        let reasons = Reason::register_for_stage("perplexity", Bucket::EVERY.map(Bucket::name));
        Ok(PerplexityStage(Arc::new(SharedStage { settings, models, cutoffs, reasons })))
    }
}

impl SharedStage {
    fn bucket(&self, value: Option<f64>, language: Option<&str>) -> Bucket {
        let cutoffs = self.cutoffs.as_ref().zip(language);
        let cutoffs = cutoffs.and_then(|(cutoffs, language)| cutoffs.for_language(language));
        match (value, cutoffs) {
            (Some(value), Some([head, _])) if value < head => Bucket::Head,
            (Some(value), Some([_, middle])) if value < middle => Bucket::Middle,
            (Some(_), Some(_)) => Bucket::Tail,
            _ => Bucket::All,
        }
    }
}

impl Stage for PerplexityStage {
    fn name(&self) -> &'static str {
        "perplexity"
    }

    fn fingerprint(&self) -> serde_json::Value {
        let SharedStage { settings, models, cutoffs, .. } = &*self.0;
        let mut settings = serde_json::json!(settings);
        // The fingerprint depends on the contents of the files, not on their names.
        settings["models"] = models.digests();
        settings["pieces"] = serde_json::Value::Null;
        settings["words"] = serde_json::Value::Null;
        settings["cutoffs"] = cutoffs.as_ref().map(Cutoffs::digest).into();
        super::fingerprint(1, &settings)
    }

    fn reasons(&self) -> &[Reason] {
        &self.0.reasons
    }

    fn phase(&self) -> StagePhase {
        StagePhase::Text
    }

    fn worker(&self) -> Box<dyn RowStage> {
        Box::new(Worker { stage: self.clone(), scratch: PerplexityScratch::default() })
    }
}

/// The stage in one thread.
struct Worker {
    stage: PerplexityStage,
    scratch: PerplexityScratch,
}

/// The buffers of one thread.
#[derive(Default)]
struct PerplexityScratch {
    normal_form: String,
    model: Scratch,
}

/// The score of a text.
struct Score {
    /// The logarithm to base 10 of its probability.
    logarithm: f64,
    /// The pieces between white space, and the end.
    length: f64,
}

impl Score {
    /// Measures a text. `None` if it has no pieces.
    fn new(text: &str, models: &Models, scratch: &mut PerplexityScratch) -> Option<Score> {
        let PerplexityScratch { normal_form, model } = scratch;
        normal_form::write(text, normal_form);
        let (mut has_pieces, mut length) = (false, 1u64);
        let pieces = models.pieces.encode(normal_form, model);
        // cc_net joins the pieces by spaces and cuts them again: KenLM at ASCII spaces, and the
        // count at all spaces of Unicode. Pieces hold spaces only with unusual models.
        let words = pieces.flat_map(|piece| {
            has_pieces = true;
            length += if piece.contains(is_space) {
                piece.split(is_space).filter(|word| !word.is_empty()).count() as u64
            } else {
                1
            };
            piece.split(|c: char| matches!(c, '\t'..='\r' | ' ')).filter(|word| !word.is_empty())
        });
        let logarithm = f64::from(models.words.score(words.map(str::as_bytes)));
        has_pieces.then_some(Score { logarithm, length: length as f64 })
    }

    /// Returns the perplexity, rounded to 0.1. `None` if it is beyond the numbers of 64 bits.
    fn perplexity(&self) -> Option<f64> {
        let exact = libm::pow(10., -self.logarithm / self.length);
        // Python rounds so: to the decimal that is nearest to the binary number.
        format!("{exact:.1}").parse().ok().filter(|value: &f64| value.is_finite())
    }
}

impl RowStage for Worker {
    fn apply(&mut self, row_in_progress: &mut RowInProgress<'_>) -> Decision {
        let Worker { stage: PerplexityStage(stage), scratch } = self;
        let RowInProgress { text, signals, language, .. } = row_in_progress;
        let language = language.as_ref().map(Language::code);
        let models = stage.models.for_language(language);
        let score = models.and_then(|models| Score::new(text.as_str(), models, scratch));
        let value = score.as_ref().and_then(Score::perplexity);
        let bucket = stage.bucket(value, language);
        if let (Some(score), Some(value)) = (score, value) {
            signals.record("perplexity.value", value);
            signals.record("perplexity.pieces", score.length - 1.);
        }
        text.set_perplexity(Perplexity { value, bucket });
        let keep = &stage.settings.keep;
        if keep.is_empty() || keep.contains(&bucket) {
            return Decision::Keep;
        }
        Decision::Drop(stage.reasons[bucket as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signals::Signals;
    use crate::text::Text;
    use huller_testkit::perplexity::{EXPECTED, PLAIN_PIECES, WORDS};
    use std::path::Path;

    /// Writes the models of a language and cut-offs, and returns the settings that name them.
    fn settings(folder: &Path, language: &str) -> PerplexitySettings {
        let write = |name: String, bytes: &[u8]| std::fs::write(folder.join(name), bytes).unwrap();
        write(format!("{language}.sp.model"), PLAIN_PIECES);
        write(format!("{language}.arpa.bin"), WORDS);
        write("cutoff.csv".to_owned(), b",en\n10,20\n30,60\n60,100\n");
        PerplexitySettings {
            models: Some(folder.to_owned()),
            cutoffs: Some(folder.join("cutoff.csv")),
            ..PerplexitySettings::default()
        }
    }

    fn apply(stage: &PerplexityStage, content: &str, code: [u8; 3]) -> (Perplexity, Decision) {
        let (mut text, mut signals) = (Text::default(), Signals::enabled());
        text.begin().push_str(content);
        let mut row = RowInProgress::from_text(&mut text, &mut signals);
        row.language = Some(Language { code, script: *b"Latn", score: 1. });
        let decision = stage.worker().apply(&mut row);
        let found = text.perplexity().unwrap();
        assert_eq!(signals.get("perplexity.value"), found.value);
        (found, decision)
    }

    #[test]
    fn perplexities_are_those_of_the_originals() {
        let folder = tempfile::tempdir().unwrap();
        let stage = PerplexityStage::new(settings(folder.path(), "en")).unwrap();
        let mut compared = 0;
        for line in EXPECTED.lines().filter(|line| line.starts_with("plain\torder-3\t")) {
            let [_, _, text, pieces, bits] =
                line.split('\t').collect::<Vec<_>>().try_into().expect("five columns");
            let mut normal_form = String::new();
            normal_form::write(text, &mut normal_form);
            if normal_form != text || text.is_empty() {
                continue;
            }
            let score = f64::from(f32::from_bits(bits.parse().unwrap()));
            let exact = 10f64.powf(-score / (pieces.split(' ').count() as f64 + 1.));
            let (found, _) = apply(&stage, text, *b"eng");
            assert!((found.value.unwrap() - exact).abs() < 0.051, "{text}: {exact}, {found:?}");
            let expected = match exact {
                ..60. => Bucket::Head,
                ..100. => Bucket::Middle,
                _ => Bucket::Tail,
            };
            assert_eq!(found.bucket, expected, "{text}: {exact}");
            compared += 1;
        }
        assert!(compared > 2, "{compared}");
    }

    #[test]
    fn buckets_are_kept_and_texts_without_perplexity_are_in_all() {
        let folder = tempfile::tempdir().unwrap();
        let keep = vec![Bucket::Head, Bucket::All];
        let settings = PerplexitySettings { keep, ..settings(folder.path(), "en") };
        let stage = PerplexityStage::new(settings.clone()).unwrap();
        let none = Perplexity { value: None, bucket: Bucket::All };
        assert_eq!(apply(&stage, " \n ", *b"eng"), (none, Decision::Keep));
        assert_eq!(apply(&stage, "der regen", *b"deu"), (none, Decision::Keep));
        let (found, decision) = apply(&stage, "qqq zzz qqq zzz qqq", *b"eng");
        assert_eq!(found.bucket, Bucket::Tail, "{found:?}");
        assert!(matches!(decision, Decision::Drop(reason) if reason.name() == "perplexity:tail"));
        let other = PerplexitySettings { head: 10, ..settings.clone() };
        let fingerprint = |settings| PerplexityStage::new(settings).unwrap().fingerprint();
        assert_ne!(fingerprint(settings.clone()), fingerprint(other));
        let elsewhere = tempfile::tempdir().unwrap();
        let keep = settings.keep.clone();
        let moved = PerplexitySettings { keep, ..self::settings(elsewhere.path(), "en") };
        assert_eq!(fingerprint(settings), fingerprint(moved));
    }

    #[test]
    fn settings_that_exclude_each_other_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let settings = settings(folder.path(), "en");
        let error = |settings| PerplexityStage::new(settings).unwrap_err().to_string();
        let both = PerplexitySettings { pieces: settings.models.clone(), ..settings.clone() };
        assert!(error(both).contains("either `models`, or both"));
        let turned = PerplexitySettings { head: 61, ..settings.clone() };
        assert!(error(turned).contains("above `middle`"));
        let missing = PerplexitySettings { middle: 61, ..settings.clone() };
        assert!(error(missing).contains("no row for percentile 61"));
        let languages = vec!["../en".to_owned()];
        let outside = PerplexitySettings { languages, ..settings };
        assert!(error(outside).contains("not the name of a language"));
    }
}
