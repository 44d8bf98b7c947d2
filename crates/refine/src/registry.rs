//! The stages that a configuration can name.

use crate::documented::Documented;
use crate::invalid::InvalidSettings;
use crate::signature::SignatureSettings;
use crate::stage::Stage;
use crate::stages::{
    C4, C4Settings, Decontaminate, DecontaminateSettings, FastText, FastTextSettings, FineWeb,
    FineWebSettings, GopherQuality, GopherQualitySettings, GopherRepetition,
    GopherRepetitionSettings, Language, LanguageSettings, Length, LengthSettings, Lines,
    LinesSettings, Mask, MaskSettings, Match, MatchSettings, Normalise, NormaliseSettings, Page,
    PageSettings, PerplexitySettings, PerplexityStage, Rights, RightsSettings, Signature,
    SiteLines, SiteLinesSettings, Tokens, TokensSettings, Url, UrlSettings,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fmt;

/// A stage that a configuration can name.
#[derive(Clone, Copy, Debug)]
pub struct StageEntry {
    /// Its name in settings and statistics.
    pub name: &'static str,
    /// Its effect on rows, in one line.
    pub summary: &'static str,
    /// Name and description of each setting, in the order in which the help lists them.
    pub docs: &'static [(&'static str, &'static str)],
    make: fn(Value) -> Result<Box<dyn Stage>, String>,
    defaults: fn() -> Value,
}

/// Makes an entry of the table from a name, a summary, the type of the settings, and a function
/// that makes the stage.
macro_rules! stage {
    ($name:literal, $summary:literal, $Settings:ty, $make:expr) => {
        StageEntry {
            name: $name,
            summary: $summary,
            docs: <$Settings>::DOCS,
            make: |settings| make::<$Settings, _>(settings, $make),
            defaults: defaults::<$Settings>,
        }
    };
}

/// All stages, in the order in which they usually run.
pub static STAGES: &[StageEntry] = &[
    stage!(
        "url",
        "drops URLs by patterns and block lists, before the page is parsed",
        UrlSettings,
        Url::new
    ),
    stage!(
        "page",
        "drops pages by type, by expected score, and those without main content",
        PageSettings,
        |settings| Ok(Page::new(settings))
    ),
    stage!(
        "rights",
        "drops pages whose owners refuse a use, by headers, `meta`, robots.txt and licences",
        RightsSettings,
        Rights::new
    ),
    stage!(
        "normalise",
        "repairs mojibake, removes control characters, composes letters (NFC)",
        NormaliseSettings,
        |settings| Ok(Normalise::new(settings))
    ),
    stage!(
        "language",
        "identifies the language; drops texts in other languages or with a low score",
        LanguageSettings,
        Language::new
    ),
    stage!("length", "drops texts that are too short or too long", LengthSettings, |settings| Ok(
        Length::new(settings)
    )),
    stage!(
        "gopher-repetition",
        "drops texts whose lines, paragraphs or word sequences are repeated too often",
        GopherRepetitionSettings,
        GopherRepetition::new
    ),
    stage!(
        "gopher-quality",
        "drops texts by words, symbols, bullets, ellipses and stop words",
        GopherQualitySettings,
        |settings| Ok(GopherQuality::new(settings))
    ),
    stage!("c4", "removes lines and drops texts by the rules of C4", C4Settings, |settings| Ok(
        C4::new(settings)
    )),
    stage!(
        "fineweb",
        "drops texts by line endings, short lines, repeated lines and line feeds",
        FineWebSettings,
        |settings| Ok(FineWeb::new(settings))
    ),
    stage!(
        "lines",
        "removes short lines about cookies, policies and sign-ups",
        LinesSettings,
        |settings| Ok(Lines::new(settings))
    ),
    stage!(
        "site-lines",
        "removes lines that recur on the pages of a host, by a list of `huller site-lines`",
        SiteLinesSettings,
        SiteLines::new
    ),
    stage!(
        "mask",
        "replaces e-mail addresses, public IP addresses and phone numbers with placeholders",
        MaskSettings,
        Mask::new
    ),
    stage!(
        "fasttext",
        "classifies texts by fastText models of your own; keeps or drops them by their scores",
        FastTextSettings,
        FastText::new
    ),
    stage!(
        "match",
        "keeps, drops or annotates rows by words and regular expressions of your own",
        MatchSettings,
        Match::new
    ),
    stage!(
        "perplexity",
        "measures the perplexity of texts with KenLM models of your own; keeps buckets of it",
        PerplexitySettings,
        PerplexityStage::new
    ),
    stage!(
        "decontaminate",
        "drops texts that share n-grams of words with benchmarks, or cuts the n-grams out",
        DecontaminateSettings,
        Decontaminate::new
    ),
    stage!(
        "tokens",
        "counts tokens with the tokenizer of a language model; drops nothing",
        TokensSettings,
        Tokens::new
    ),
    stage!(
        "signature",
        "computes signatures of texts and URLs, with which `huller dedup` finds duplicates; drops \
         nothing",
        SignatureSettings,
        Signature::new
    ),
];

impl StageEntry {
    /// Returns the stage of this name.
    pub fn find(name: &str) -> Option<&'static StageEntry> {
        STAGES.iter().find(|stage| stage.name == name)
    }

    /// Makes the stage. A setting that is absent has its default.
    ///
    /// # Errors
    ///
    /// A setting is unknown, or its value is invalid.
    pub fn make(&self, settings: Map<String, Value>) -> Result<Box<dyn Stage>, StageError> {
        let stage = (self.make)(Value::Object(settings));
        stage.map_err(|problem| StageError { stage: self.name, problem })
    }

    /// Returns all settings with their defaults, by name.
    pub fn defaults(&self) -> Map<String, Value> {
        match (self.defaults)() {
            Value::Object(settings) => settings,
            _ => Map::new(),
        }
    }
}

fn make<S: DeserializeOwned, T: Stage + 'static>(
    settings: Value,
    make: impl Fn(S) -> Result<T, InvalidSettings>,
) -> Result<Box<dyn Stage>, String> {
    let settings = serde_json::from_value(settings).map_err(|error| error.to_string())?;
    match make(settings) {
        Ok(stage) => Ok(Box::new(stage)),
        Err(error) => Err(error.to_string()),
    }
}

fn defaults<S: Default + Serialize>() -> Value {
    serde_json::to_value(S::default()).expect("settings are plain data")
}

/// The reason why a stage cannot be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageError {
    /// The name of the stage.
    pub stage: &'static str,
    /// The problem with its settings: a lower-case fragment.
    pub problem: String,
}

impl fmt::Display for StageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stage {}: {}", self.stage, self.problem)
    }
}

impl std::error::Error for StageError {}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn stages_are_made_by_name_and_say_what_is_wrong() {
        for registered in STAGES {
            let Ok(stage) = registered.make(Map::new()) else {
                // Lists, models and rules are the user's own.
                let own = ["site-lines", "fasttext", "match", "perplexity", "decontaminate"];
                assert!(own.contains(&registered.name));
                continue;
            };
            assert_eq!(stage.name(), registered.name);
            let names = registered.docs.iter().map(|(name, _)| name.to_string());
            let mut names: Vec<_> = names.collect();
            names.sort();
            assert_eq!(
                names,
                registered.defaults().into_iter().map(|(name, _)| name).collect::<Vec<_>>()
            );
            assert_eq!(
                stage.fingerprint(),
                registered.make(registered.defaults()).unwrap().fingerprint()
            );
        }
        let length = StageEntry::find("length").unwrap();
        let of = |settings: Value| length.make(settings.as_object().unwrap().clone());
        assert_ne!(
            of(json!({"min_chars": 9})).unwrap().fingerprint(),
            of(json!({})).unwrap().fingerprint()
        );
        let error = of(json!({"min_char": 9})).err().unwrap().to_string();
        assert!(
            error.starts_with("stage length: unknown field `min_char`, expected one of"),
            "{error}"
        );
        assert!(of(json!({"min_chars": "x"})).is_err());
        assert!(StageEntry::find("nothing").is_none());
    }
}
