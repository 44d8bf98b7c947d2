//! Identifies languages with a fastText model, by the languages that its labels name.

use super::codes::iso_639_3;
use super::identified_language::{IdentifiedLanguage, Tag};
use huller_models::fasttext::{Line, Model, Scratch};

/// Codes of Wikipedia that are other languages in ISO 639-3, or not in it: Alemannic and Bihari.
/// The model lid.176 uses Wikipedia's language codes as labels.
const OF_WIKIPEDIA: [(&str, &str); 2] = [("als", "gsw"), ("bh", "bho")];

/// A fastText model whose labels name languages: `__label__eng_Latn` (`GlotLID`), or
/// `__label__en` (`lid.176`).
#[derive(Debug)]
pub struct LabelledModel {
    model: Model,
    /// The language and script of each label. `None` if a label names no language.
    tags: Vec<Option<(Tag<3>, Tag<4>)>>,
}

impl LabelledModel {
    /// Reads the labels of a model. `None` if none of them names a language.
    pub fn new(model: Model) -> Option<LabelledModel> {
        let tags = (0..model.labels()).map(|label| tags_of(model.label(label)));
        let tags: Vec<_> = tags.collect();
        tags.iter().any(Option::is_some).then_some(LabelledModel { model, tags })
    }

    /// Returns the codes of all languages that can be found, sorted.
    pub fn languages(&self) -> Vec<Tag<3>> {
        let mut codes: Vec<_> = self.tags.iter().flatten().map(|(code, _)| *code).collect();
        codes.sort_unstable();
        codes.dedup();
        codes
    }

    /// Returns the digest of the file.
    pub fn digest(&self) -> &str {
        self.model.digest()
    }

    /// Returns the language of the best label of a text. Line feeds count as spaces. `None` if the
    /// text has no words, the model knows none of them, or the label names no language.
    pub fn identify(
        &self,
        text: &str,
        (line, scratch): &mut (Line, Scratch),
    ) -> Option<IdentifiedLanguage> {
        line.read(text);
        if line.is_empty() {
            return None;
        }
        let best_label = *self.model.predict(line, Some(1), 0., scratch).first()?;
        let (code, script) = self.tags[best_label.label as usize]?;
        Some(IdentifiedLanguage { code, script, score: best_label.score })
    }
}

/// Returns the language and script that a label names. The script is `Zyyy`, undetermined, if the
/// label names none.
fn tags_of(label: &str) -> Option<(Tag<3>, Tag<4>)> {
    let label = label.strip_prefix("__label__").unwrap_or(label);
    let (code, script) = match label.split_once(['_', '-']) {
        Some((code, script)) => (code, script),
        None => (iso_of_wikipedia(label), "Zyyy"),
    };
    let is_lower = |code: &&str| code.bytes().all(|byte| byte.is_ascii_lowercase());
    let code = iso_639_3(code).filter(is_lower)?;
    Some((
        Tag::new(code.as_bytes().try_into().ok()?)?,
        Tag::new(script.as_bytes().try_into().ok()?)?,
    ))
}

fn iso_of_wikipedia(code: &str) -> &str {
    OF_WIKIPEDIA.iter().find(|(wikipedia, _)| *wikipedia == code).map_or(code, |(_, iso)| iso)
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_models::ModelFile;
    use huller_testkit::fasttext::FastTextModel;
    use std::sync::Arc;

    fn model(labels: &[&str]) -> Option<LabelledModel> {
        let labels = labels.iter().map(|label| ((*label).to_owned(), 1)).collect();
        let bytes = FastTextModel { labels, ..FastTextModel::default() }.bytes();
        LabelledModel::new(Model::read(Arc::new(ModelFile::from_bytes(bytes))).unwrap())
    }

    #[test]
    fn labels_of_lid_176_and_of_glotlid_name_languages() {
        let tags = |label: &str| {
            tags_of(label).map(|(code, script)| format!("{code} {script}")).unwrap_or_default()
        };
        for (label, expected) in [
            ("__label__eng_Latn", "eng Latn"),
            ("__label__als_Latn", "als Latn"),
            ("__label__zh-Hans", "zho Hans"),
            ("__label__en", "eng Zyyy"),
            ("__label__sh", "hbs Zyyy"),
            ("__label__bh", "bho Zyyy"),
            ("__label__als", "gsw Zyyy"),
            ("__label__ceb", "ceb Zyyy"),
            ("__label__xx", ""),
            ("__label__hq", ""),
            ("__label__spam", ""),
            ("__label__eng_Latin", ""),
            ("__label__EN", ""),
            ("__label__", ""),
        ] {
            assert_eq!(tags(label), expected, "{label}");
        }
    }

    #[test]
    fn the_language_is_that_of_the_best_label() {
        let model = model(&["__label__eng_Latn", "__label__de"]).unwrap();
        assert_eq!(model.languages().iter().map(Tag::as_str).collect::<Vec<_>>(), ["deu", "eng"]);
        let mut scratch = Default::default();
        let mut identify = |text: &str| {
            let found = model.identify(text, &mut scratch)?;
            Some((found.code.as_str().to_owned(), found.script.as_str().to_owned(), found.score))
        };
        let eng = ("eng".to_owned(), "Latn".to_owned(), 0.972_396_5);
        assert_eq!(identify("the rain and\nthe river"), Some(eng));
        let deu = ("deu".to_owned(), "Zyyy".to_owned(), 0.988_844_1);
        assert_eq!(identify("offer cookies offer, the cookies!"), Some(deu));
        assert_eq!(identify(" \n\t"), None);
    }

    #[test]
    fn a_model_of_other_labels_identifies_no_language() {
        assert!(model(&["__label__hq", "__label__cc"]).is_none());
    }
}
