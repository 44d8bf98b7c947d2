//! Classifies texts with fastText models that the user provides.
//!
//! [`huller_models`] reads the models and promises the labels and scores of fastText. This stage
//! makes a line of each text, as the programs do that people cite, and decides by the scores. It
//! sets the field `classes` of every row, also if it drops no rows.

use crate::documented::documented;
use crate::first_failure::FirstFailure;
use crate::invalid::InvalidSettings;
use crate::lines::{split, trim};
use crate::reason::Reason;
use crate::rejection_kind::RejectionKind;
use crate::row_in_progress::RowInProgress;
use crate::signals::{Signals, figure_name};
use crate::stage::{Decision, RowStage, Stage, StagePhase};
use huller_models::ModelFile;
use huller_models::fasttext::{Line, Model, Scratch};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;

documented! {
    /// Settings of [`FastText`].
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct FastTextSettings {
        /// The classifiers, by names of your own. Each has a `path` of a `.bin` or `.ftz` file.
        /// `lines` is `space` (default), `glued`, `splitlines` or `each`. `keep` keeps a text if
        /// one of its labels reaches the least score, as in `{hq = 0.5}`. `remove` drops a text if
        /// one of its labels does. Without both, the text is only classified. `complement` names a
        /// label of a model of two: the other's score is 1 minus the score of this one. No default.
        pub models: BTreeMap<String, ClassifierSettings>,
    }
}

/// Settings of one classifier.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ClassifierSettings {
    /// The model: a `.bin` or `.ftz` file of fastText.
    pub path: Option<PathBuf>,
    /// How a text becomes a line.
    pub lines: LineMode,
    /// Labels and their least scores. A text is kept if one of them reaches its score.
    pub keep: BTreeMap<String, f64>,
    /// Labels and their least scores. A text is dropped if one of them reaches its score.
    pub remove: BTreeMap<String, f64>,
    /// The label of two whose score the other's is computed from.
    pub complement: Option<String>,
}

/// How a text becomes a line for a model, which sees no line feeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineMode {
    /// Line feeds become spaces.
    #[default]
    Space,
    /// Line feeds are deleted, so the last word of a line and the first of the next are one.
    /// datatrove's filter does so by default.
    Glued,
    /// All line ends of Python's `splitlines` become spaces, as in DCLM.
    SplitLines,
    /// Each line is classified by itself. The score of a label is the mean over the lines, weighted
    /// by their characters.
    Each,
}

/// The prefix of labels in files of fastText.
const PREFIX: &str = "__label__";

/// Models with more labels note the figures of named labels only.
const MAX_NOTED_LABELS: u32 = 20;

/// Classifies texts by models of the user.
#[derive(Clone, Debug)]
pub struct FastText(Arc<SharedStage>);

#[derive(Debug)]
struct SharedStage {
    settings: FastTextSettings,
    /// Classifiers with one mode of lines follow one another, so that a line is read once.
    classifiers: Vec<Classifier>,
    reasons: Vec<Reason>,
}

/// One classifier of the stage.
#[derive(Debug)]
struct Classifier {
    /// Its name as a member of JSON: `"quality":`.
    member: String,
    model: Model,
    lines: LineMode,
    keep: Vec<(u32, f64)>,
    remove: Vec<(u32, f64)>,
    /// The label whose score is reported, if the model has a complement.
    other: Option<u32>,
    /// Labels and the names of their figures.
    figures: Vec<(u32, &'static str)>,
    reason: Reason,
}

impl FastText {
    /// Creates the stage with these settings, and reads the models.
    ///
    /// # Errors
    ///
    /// There is no model, a model cannot be read, or a label is not in its model.
    pub fn new(settings: FastTextSettings) -> Result<FastText, InvalidSettings> {
        if settings.models.is_empty() {
            let problem = "no model is given; give one with --set fasttext.models.NAME.path=FILE";
            return Err(InvalidSettings::new("models", problem));
        }
        let classifiers = settings.models.iter().map(|(name, classifier)| {
            Classifier::new(name, classifier)
                .map_err(|problem| InvalidSettings::new("models", format!("{name}: {problem}")))
        });
        let mut classifiers = classifiers.collect::<Result<Vec<_>, _>>()?;
        classifiers.sort_by_key(|classifier| classifier.lines);
        let reasons = classifiers.iter().map(|classifier| classifier.reason).collect();
        Ok(FastText(Arc::new(SharedStage { settings, classifiers, reasons })))
    }
}

impl Classifier {
    fn new(name: &str, settings: &ClassifierSettings) -> Result<Classifier, String> {
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        if !(1..=64).contains(&name.len()) || !name.bytes().all(is_name) {
            return Err("a name has 1 to 64 letters, digits, `_` or `-`".to_owned());
        }
        let remedy = format!("give the file with --set fasttext.models.{name}.path=FILE");
        let path = settings.path.as_ref().ok_or_else(|| format!("no file is given; {remedy}"))?;
        let model = ModelFile::open(path).and_then(|file| Model::read(Arc::new(file)));
        let model = model.map_err(|error| format!("'{}': {error}; {remedy}", path.display()))?;
        if !settings.keep.is_empty() && !settings.remove.is_empty() {
            return Err("`keep` and `remove` exclude each other".to_owned());
        }
        let find = |label: &String| find_label(&model, label);
        let with_scores = |labels: &BTreeMap<String, f64>| {
            let labels = labels.iter().map(|(label, min_score)| Ok((find(label)?, *min_score)));
            labels.collect::<Result<Vec<_>, String>>()
        };
        let (keep, remove) = (with_scores(&settings.keep)?, with_scores(&settings.remove)?);
        let complement = settings.complement.as_ref().map(find).transpose()?;
        if complement.is_some() && (model.labels() != 2 || settings.lines == LineMode::Each) {
            return Err("`complement` needs a model of two labels, and whole texts".to_owned());
        }
        let figures = (0..model.labels()).filter(|label| {
            let is_named = keep.iter().chain(&remove).any(|(given_label, _)| given_label == label);
            model.labels() <= MAX_NOTED_LABELS || is_named
        });
        let figure = |label| {
            figure_name(&format!("fasttext.{name}.{}", without_label_prefix(model.label(label))))
        };
        let figures = figures.map(|label| (label, figure(label))).collect();
        let reason = Reason::named(&format!("fasttext:{name}"), RejectionKind::Skipped)
            .ok_or("too many reasons")?;
        Ok(Classifier {
            member: format!("\"{name}\":"),
            lines: settings.lines,
            keep,
            remove,
            other: complement.map(|label| 1 - label),
            figures,
            reason,
            model,
        })
    }

    /// Classifies a text. The scores of all labels are in `buffers` after it.
    fn classify(
        &self,
        text: &str,
        lines: &mut Lines,
        buffers: &mut FastTextScratch,
    ) -> Option<(u32, f64)> {
        let FastTextScratch { model: scratch, scores, .. } = buffers;
        scores.clear();
        scores.resize(self.model.labels() as usize, f64::NEG_INFINITY);
        if self.lines == LineMode::Each {
            return self.classify_each(text, lines, buffers);
        }
        let line = lines.read_text(text, self.lines);
        if !self.model.read_line(line, scratch) {
            return None;
        }
        let best_label = *self.model.best(Some(1), 0., scratch).first()?;
        let best_score = f64::from(best_label.score);
        if let Some(other) = self.other {
            scores[best_label.label as usize] = best_score;
            scores[1 - best_label.label as usize] = 1. - best_score;
            return Some((other, scores[other as usize]));
        }
        if self.needs_all_scores(buffers.is_thorough) {
            for prediction in self.model.best(None, 0., scratch) {
                scores[prediction.label as usize] = prediction.score.into();
            }
        }
        Some((best_label.label, best_score))
    }

    fn needs_all_scores(&self, is_thorough: bool) -> bool {
        is_thorough || !self.keep.is_empty() || !self.remove.is_empty()
    }

    /// Classifies each line of a text, and returns the label with the highest mean.
    fn classify_each(
        &self,
        text: &str,
        lines: &mut Lines,
        buffers: &mut FastTextScratch,
    ) -> Option<(u32, f64)> {
        let FastTextScratch { model: scratch, scores, .. } = buffers;
        let mut chars = 0.;
        for line in text.split('\n').map(trim).filter(|line| !line.is_empty()) {
            let of_line = line.chars().count() as f64;
            if self.model.read_line(lines.read(line), scratch) {
                chars += of_line;
                for prediction in self.model.best(None, 0., scratch) {
                    let sum = &mut scores[prediction.label as usize];
                    *sum = sum.max(0.) + f64::from(prediction.score) * of_line;
                }
            }
        }
        if chars == 0. {
            return None;
        }
        for score in scores.iter_mut() {
            *score /= chars;
        }
        let best_label = scores
            .iter()
            .enumerate()
            .max_by(|left, right| left.1.total_cmp(right.1).then(right.0.cmp(&left.0)));
        best_label.map(|(label, score)| (label as u32, *score))
    }

    /// Returns whether a text with these scores is dropped.
    fn drops(&self, scores: &[f64]) -> bool {
        let reaches = |(label, min_score): &(u32, f64)| scores[*label as usize] >= *min_score;
        if self.keep.is_empty() {
            self.remove.iter().any(reaches)
        } else {
            !self.keep.iter().any(reaches)
        }
    }

    fn add_signals(&self, scores: &[f64], signals: &mut Signals) {
        for (label, name) in &self.figures {
            let score = scores[*label as usize];
            if score.is_finite() {
                signals.record(name, score);
            }
        }
    }
}

/// Returns a label without the prefix that fastText gives labels.
fn without_label_prefix(label: &str) -> &str {
    label.strip_prefix(PREFIX).unwrap_or(label)
}

/// Returns the number of a label, which may be given with fastText's prefix or without it.
fn find_label(model: &Model, name: &str) -> Result<u32, String> {
    /// The labels that a message lists.
    const MAX_LISTED_LABELS: u32 = 10;
    let mut labels = 0..model.labels();
    labels
        .find(|label| without_label_prefix(model.label(*label)) == without_label_prefix(name))
        .ok_or_else(|| {
            let listed = (0..model.labels().min(MAX_LISTED_LABELS))
                .map(|label| without_label_prefix(model.label(label)));
            let listed = listed.collect::<Vec<_>>().join(", ");
            let more = if model.labels() > MAX_LISTED_LABELS { " and more" } else { "" };
            format!("the model has no label '{name}'; its labels are {listed}{more}")
        })
}

impl Stage for FastText {
    fn name(&self) -> &'static str {
        "fasttext"
    }

    fn fingerprint(&self) -> serde_json::Value {
        let SharedStage { settings, classifiers, .. } = &*self.0;
        let mut settings = serde_json::json!(settings);
        // The fingerprint depends on the contents of the files, not on their names.
        for Classifier { member, model, .. } in classifiers {
            let name = member.trim_matches(['"', ':']);
            settings["models"][name]["path"] = model.digest().into();
        }
        super::fingerprint(1, &settings)
    }

    fn reasons(&self) -> &[Reason] {
        &self.0.reasons
    }

    fn phase(&self) -> StagePhase {
        StagePhase::Text
    }

    fn worker(&self) -> Box<dyn RowStage> {
        Box::new(Worker {
            stage: self.clone(),
            lines: Lines::default(),
            scratch: FastTextScratch::default(),
        })
    }
}

/// The stage in one thread.
struct Worker {
    stage: FastText,
    lines: Lines,
    scratch: FastTextScratch,
}

/// The buffers of all classifiers.
#[derive(Default)]
struct FastTextScratch {
    model: Scratch,
    /// The score of each label, or negative infinity if a label has no score.
    scores: Vec<f64>,
    /// Whether the scores of all labels are wanted.
    is_thorough: bool,
}

/// The line that was read last.
#[derive(Default)]
struct Lines {
    text: String,
    line: Line,
    /// The mode in which the text of the row was read.
    mode: Option<LineMode>,
}

impl Lines {
    fn begin(&mut self) {
        self.mode = None;
    }

    /// Reads one line.
    fn read(&mut self, line: &str) -> &Line {
        self.mode = None;
        self.line.read(line);
        &self.line
    }

    /// Reads the text of the row as one line, unless the previous classifier has read it so.
    fn read_text(&mut self, text: &str, mode: LineMode) -> &Line {
        /// Most bytes of the buffer that are kept for the next row.
        const MAX_KEPT_BYTES: usize = 1 << 20;
        if self.mode == Some(mode) {
            return &self.line;
        }
        let text = trim(text);
        self.text.clear();
        self.text.shrink_to(MAX_KEPT_BYTES);
        match mode {
            // The tokens of a line end at line feeds as at spaces.
            LineMode::Space | LineMode::Each => self.text.push_str(text),
            LineMode::Glued => text.split('\n').for_each(|line| self.text.push_str(line)),
            LineMode::SplitLines => split(text).for_each(|line| {
                self.text.push_str(line);
                self.text.push(' ');
            }),
        }
        self.line.read(&self.text);
        self.mode = Some(mode);
        &self.line
    }
}

impl RowStage for Worker {
    fn apply(&mut self, row_in_progress: &mut RowInProgress<'_>) -> Decision {
        let Worker { stage: FastText(stage), lines, scratch } = self;
        let RowInProgress { text, signals, .. } = row_in_progress;
        let mut first_failure = FirstFailure::new(signals.is_on());
        scratch.is_thorough = signals.is_on();
        lines.begin();
        text.set_classes(|classes, text| {
            for classifier in &stage.classifiers {
                classes.push(if classes.is_empty() { '{' } else { ',' });
                classes.push_str(&classifier.member);
                let best_label = classifier.classify(text, lines, scratch);
                push_class(
                    classes,
                    best_label.map(|(label, score)| (classifier.model.label(label), score)),
                );
                classifier.add_signals(&scratch.scores, signals);
                if first_failure.note_rule(classifier.drops(&scratch.scores), classifier.reason) {
                    break;
                }
            }
            classes.push('}');
        });
        first_failure.decision()
    }
}

/// Writes a label and its score as JSON.
fn push_class(out: &mut String, best_label: Option<(&str, f64)>) {
    let Some((label, score)) = best_label else {
        out.push_str("{\"label\":null,\"score\":null}");
        return;
    };
    out.push_str("{\"label\":\"");
    for c in without_label_prefix(label).chars() {
        // Writing to a string cannot fail.
        let _ = match c {
            '"' | '\\' => write!(out, "\\{c}"),
            _ if c.is_control() => write!(out, "\\u{:04x}", u32::from(c)),
            _ => write!(out, "{c}"),
        };
    }
    let _ = write!(out, "\",\"score\":{score:?}}}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Text;
    use huller_testkit::fasttext::FastTextModel;
    use serde_json::{Value, json};

    /// A stage with classifiers of the default model, with these settings.
    fn made(settings: &Value) -> Result<FastText, InvalidSettings> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.bin");
        std::fs::write(&path, FastTextModel::default().bytes()).unwrap();
        let mut settings = json!({ "models": settings });
        for (_, model) in settings["models"].as_object_mut().unwrap() {
            model["path"] = path.to_str().into();
        }
        FastText::new(serde_json::from_value(settings).unwrap())
    }

    /// The reason, the classes and the figures of a text.
    fn applied(settings: &Value, content: &str) -> (String, Value, Signals) {
        let (mut text, mut signals) = (Text::default(), Signals::enabled());
        text.begin().push_str(content);
        let mut row = RowInProgress::from_text(&mut text, &mut signals);
        let reason = match made(settings).unwrap().worker().apply(&mut row) {
            Decision::Keep => String::new(),
            Decision::Drop(reason) => reason.name().to_owned(),
        };
        let classes = serde_json::from_str(text.classes().unwrap()).unwrap();
        (reason, classes, signals)
    }

    const RAIN: &str = "the rain and the river";
    const OFFER: &str = "offer cookies offer, the cookies!";

    #[test]
    fn texts_are_classified_kept_and_removed() {
        let (reason, classes, signals) = applied(&json!({"q": {}}), RAIN);
        // Scores of PyPI's fastText for the same file.
        let score = f64::from(0.972_396_5_f32);
        assert_eq!(
            (reason.as_str(), &classes),
            ("", &json!({"q": {"label": "good", "score": score}}))
        );
        assert_eq!(signals.get("fasttext.q.good"), Some(score));
        assert_eq!(signals.get("fasttext.q.bad"), Some(f64::from(0.027_623_525_f32)));
        let reason = |settings: Value, text| applied(&json!({"q": settings}), text).0;
        assert_eq!(reason(json!({"keep": {"good": 0.9}}), RAIN), "");
        assert_eq!(reason(json!({"keep": {"__label__good": 0.98}}), RAIN), "fasttext:q");
        assert_eq!(reason(json!({"keep": {"good": 0.98, "bad": 0.02}}), RAIN), "");
        assert_eq!(reason(json!({"remove": {"bad": 0.9}}), OFFER), "fasttext:q");
        assert_eq!(reason(json!({"remove": {"bad": 0.9}}), RAIN), "");
    }

    #[test]
    fn the_complement_is_one_minus_the_best_score() {
        let settings = |least| json!({"q": {"complement": "bad", "keep": {"good": least}}});
        let (reason, classes, _) = applied(&settings(0.011), OFFER);
        let score = 1. - f64::from(0.988_844_1_f32);
        assert_eq!(
            (reason.as_str(), &classes),
            ("", &json!({"q": {"label": "good", "score": score}}))
        );
        assert_eq!(applied(&settings(0.012), OFFER).0, "fasttext:q");
        assert_eq!(applied(&settings(0.97), RAIN).0, "");
    }

    #[test]
    fn lines_are_passed_as_the_programs_pass_them() {
        let label = |mode: &str, text: &str| {
            let (_, classes, _) = applied(&json!({"q": {"lines": mode}}), text);
            classes["q"]["score"].as_f64().unwrap()
        };
        let whole = label("space", "rain river");
        assert!((whole - label("space", "\u{a0} rain\nriver\n")).abs() < 1e-9);
        assert!((whole - label("splitlines", "rain\u{2028}river\u{85}")).abs() < 1e-9);
        // Here the words are not in the dictionary.
        let none = label("space", "");
        assert!((none - label("space", "rain\u{2028}river")).abs() < 1e-9);
        assert!((none - label("glued", "rain\nriver")).abs() < 1e-9);
        let each = label("each", "rain\n\n rain \n");
        assert!((label("space", "rain") - each).abs() < 1e-9);
        let (_, classes, signals) =
            applied(&json!({"q": {"lines": "each"}}), "rain\nofferoffer\noffer");
        let mean = (label("space", "rain") * 4. + none * 10.) / 19.;
        let offers = applied(&json!({"q": {}}), "offer").2.get("fasttext.q.good").unwrap();
        let expected = mean + offers * 5. / 19.;
        assert!((signals.get("fasttext.q.good").unwrap() - expected).abs() < 1e-9, "{classes}");
    }

    #[test]
    fn classes_stay_when_the_text_changes_and_go_with_the_row() {
        let mut text = Text::default();
        text.begin().push_str(RAIN);
        let mut signals = Signals::disabled();
        let models = json!({"b": {"keep": {"good": 2.0}}, "a": {}, "c": {}});
        let stage = made(&models).unwrap();
        let mut worker = stage.worker();
        let mut apply =
            |text: &mut Text| worker.apply(&mut RowInProgress::from_text(text, &mut signals));
        assert_eq!(apply(&mut text), Decision::Drop(stage.reasons()[1]));
        // Later classifiers do not see a row that was dropped.
        let classes: Value = serde_json::from_str(text.classes().unwrap()).unwrap();
        assert_eq!(classes.as_object().unwrap().keys().collect::<Vec<_>>(), ["a", "b"]);
        text.replace_with(|_, new| {
            new.push('x');
            true
        });
        let mut content = String::new();
        text.give_back(&mut content);
        assert!(text.classes().is_some());
        text.swap(&mut content);
        assert_eq!(text.classes(), None);
    }

    #[test]
    fn what_cannot_be_is_refused_with_the_remedy() {
        let problem = |models: Value| {
            FastText::new(serde_json::from_value(json!({ "models": models })).unwrap())
                .unwrap_err()
                .to_string()
        };
        assert!(problem(json!({})).contains("--set fasttext.models.NAME.path=FILE"));
        assert!(problem(json!({"q": {}})).contains("--set fasttext.models.q.path=FILE"));
        let nowhere = problem(json!({"q": {"path": "/nowhere.bin"}}));
        assert!(
            nowhere.contains("'/nowhere.bin': No such file") && nowhere.contains("--set"),
            "{nowhere}"
        );
        assert!(problem(json!({"a.b": {}})).contains("a name has"));
        let problem = |settings: Value| made(&json!({"q": settings})).unwrap_err().to_string();
        let both = json!({"keep": {"good": 1.0}, "remove": {"bad": 1.0}});
        assert!(problem(both).contains("exclude each other"));
        assert!(
            problem(json!({"keep": {"fine": 1.0}}))
                .contains("no label 'fine'; its labels are good, bad")
        );
        assert!(problem(json!({"complement": "good", "lines": "each"})).contains("whole texts"));
    }

    #[test]
    fn the_fingerprint_follows_the_contents_of_the_files() {
        let fingerprint = |settings: Value| made(&json!({"q": settings})).unwrap().fingerprint();
        let one = fingerprint(json!({}));
        assert_eq!(one, fingerprint(json!({})));
        assert_ne!(one, fingerprint(json!({"lines": "glued"})));
        let digest = one["settings"]["models"]["q"]["path"].as_str().unwrap();
        assert!(digest.starts_with("sha256:"), "{digest}");
    }
}
