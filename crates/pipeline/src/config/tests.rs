//! Checks that every option has an effect, a name in files and a place in the run's configuration.

use super::{
    CompressChoice, Config, ConfigError, FormatChoice, IncludeChoice, MarkdownChoice,
    ProfileChoice, RuleChoice, StatusChoice, TextChoice,
};
use crate::settings::Settings;
use huller_extract::EXTRACTORS;
use huller_row::Compression;
use serde_json::Value;

/// Returns a configuration with every option, none at its default.
pub(crate) fn everything() -> Config {
    Config {
        extractor: Some(vec!["pvalue".to_owned(), "body".to_owned()]),
        choose: Some(RuleChoice::Surviving),
        profile: Some(ProfileChoice::Paper),
        model: Some("model.bin".into()),
        thesaurus: Some("thesaurus.txt".into()),
        withdrawn: Some(vec!["old".into()]),
        include: Some(vec![IncludeChoice::Byline, IncludeChoice::Captions]),
        judge: Some(true),
        min_chars: Some(200),
        stages: Some(vec!["length".to_owned(), "mask".to_owned()]),
        preset: Some("search".to_owned()),
        lang: Some(vec!["eng".to_owned()]),
        set: Some(vec!["length.min_chars=5".to_owned()]),
        signals: Some(true),
        rights: Some(true),
        status: Some(StatusChoice::Any),
        limit: Some(10),
        text_without: Some(vec![TextChoice::Lists]),
        markdown: Some(true),
        markdown_without: Some(vec![MarkdownChoice::Images]),
        html: Some(true),
        source_html: Some(true),
        blocks: Some(true),
        digest: Some(true),
        format: Some(vec![FormatChoice::Csv]),
        // These belong to other formats. `outputs_are_refused_what_is_not_theirs` tests them.
        schema: None,
        es_index: None,
        separator: None,
        bloom_filters: None,
        conversions: None,
        fields: Some(vec!["url".to_owned(), "id".to_owned()]),
        rows_per_file: Some(100),
        bytes_per_file: Some(1 << 20),
        compress: Some(CompressChoice::Gzip),
        level: Some(9),
        passages: Some("passages".into()),
        passages_format: Some(FormatChoice::Jsonl),
        passages_schema: Some("es-bulk".to_owned()),
        passages_set: Some(vec!["max_tokens=200".to_owned()]),
        links: Some("links".into()),
        links_format: Some(FormatChoice::Parquet),
        escalate: Some("hard".into()),
        below: Some(0.5),
        html_key: Some("page".to_owned()),
        url_key: Some("address".to_owned()),
        id_key: Some("number".to_owned()),
        keep_keys: Some(vec!["topic".to_owned(), "quality".to_owned()]),
        max_page_bytes: Some(1000),
        max_record_bytes: Some(2000),
        max_header_bytes: Some(3000),
        max_body_bytes: Some(4000),
        max_decode_ratio: Some(50),
        max_encodings: Some(2),
        max_zstd_window: Some(20),
    }
}

/// Returns [`everything`] that a run can have at once: side tables need one file for each input.
pub(crate) fn everything_at_once() -> Config {
    let mut config = everything();
    let is_of_side_table = |option: &str| {
        ["passages", "links"].iter().any(|table| option.starts_with(table))
            || ["escalate", "below"].contains(&option)
    };
    config.retain(|option| !is_of_side_table(option));
    config
}

/// Returns the configuration as an object with a member for every option.
fn object(config: &Config) -> serde_json::Map<String, Value> {
    serde_json::to_value(config).unwrap().as_object().unwrap().clone()
}

#[test]
fn every_option_hides_that_of_the_lower_configuration() {
    let all = object(&everything());
    let unsaid: Vec<_> =
        all.iter().filter(|(_, value)| value.is_null()).map(|(name, _)| name).collect();
    assert_eq!(unsaid, ["bloom_filters", "conversions", "es_index", "schema", "separator"]);
    assert_eq!(everything().or(Config::default()), everything());
    assert_eq!(Config::default().or(everything()), everything());
    for name in all.keys().filter(|name| !unsaid.contains(name)) {
        let mut alone = everything();
        alone.retain(|option| option == name);
        let said: Vec<_> =
            object(&alone).into_iter().filter(|(_, value)| !value.is_null()).collect();
        assert_eq!(said, [(name.clone(), all[name].clone())], "`retain` keeps {name} alone");
        let mut lower = everything();
        lower.retain(|option| option != name);
        assert_eq!(alone.or(lower), everything(), "{name}");
    }
}

#[test]
fn every_option_changes_the_settings() {
    let settings = |config: Config| format!("{:?}", config.settings().unwrap());
    let defaults = settings(Config::default());
    assert_eq!(defaults, format!("{:?}", Settings::new(vec![EXTRACTORS[0]])));
    let said = object(&everything());
    let said = said.iter().filter(|(_, value)| !value.is_null()).map(|(name, _)| name);
    for name in said.filter(|name| !["model", "thesaurus", "withdrawn"].contains(&name.as_str())) {
        // `markdown_without` counts only with `markdown`, `set` only with its stage, and the other
        // options for passages only with `passages`.
        let is_asked = |option: &str| {
            name == "markdown_without" && option == "markdown"
                || name == "set" && option == "stages"
                || name == "choose" && option == "extractor"
                || name.starts_with("passages_") && option == "passages"
                || name == "links_format" && option == "links"
                || name == "escalate" && option == "below"
                || name == "below" && option == "escalate"
        };
        let (mut alone, mut before) = (everything(), everything());
        alone.retain(|option| option == name || is_asked(option));
        // Neither of the two stands alone.
        let is_of_pair = ["escalate", "below"].contains(&name.as_str());
        before.retain(|option| is_asked(option) && !is_of_pair);
        assert_ne!(settings(alone), settings(before), "{name}");
    }
}

#[test]
fn auto_is_the_default_extractor_wherever_an_extractor_is_named() {
    let named = |names: &[&str]| {
        let extractor = Some(names.iter().map(|&name| name.to_owned()).collect());
        let settings = Config { extractor, ..Config::default() }.settings();
        settings
            .map(|settings| settings.extractors.iter().map(|extractor| extractor.name()).collect())
    };
    assert_eq!(named(&["auto"]), Ok(vec![EXTRACTORS[0].name()]));
    assert_eq!(named(&["body", "auto"]), Ok(vec!["body", EXTRACTORS[0].name()]));
    let name = "auto".to_owned();
    assert_eq!(named(&["hull", "auto"]), Err(ConfigError::RepeatedExtractor { name }));
}

#[test]
fn all_are_the_extractors_that_are_not_named_besides() {
    let named = |names: &[&str]| {
        let extractor = Some(names.iter().map(|&name| name.to_owned()).collect());
        let settings = Config { extractor, ..Config::default() }.settings().unwrap();
        settings.extractors.iter().map(|extractor| extractor.name()).collect::<Vec<_>>()
    };
    let all: Vec<_> = EXTRACTORS.iter().map(|extractor| extractor.name()).collect();
    assert_eq!(named(&["all"]), all);
    let body_first = named(&["body", "all"]);
    assert_eq!((body_first[0], body_first.len()), ("body", all.len()));
}

#[test]
fn a_configuration_reads_what_it_writes_and_refuses_what_it_does_not_know() {
    let text = serde_json::to_string(&everything()).unwrap();
    assert_eq!(serde_json::from_str::<Config>(&text).unwrap(), everything());
    assert_eq!(serde_json::from_str::<Config>("{}").unwrap(), Config::default());
    let one: Config = serde_json::from_str(r#"{"extractor":"body"}"#).unwrap();
    assert_eq!(one.extractor, Some(vec!["body".to_owned()]));
    for wrong in [r#"{"min_char":2}"#, r#"{"profile":"best"}"#, r#"{"extractor":3}"#] {
        assert!(serde_json::from_str::<Config>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn outputs_are_refused_what_is_not_theirs() {
    let text = |text: &str| Some(text.to_owned());
    let jsonl = Config { schema: text("es-bulk"), es_index: text("pages"), ..Config::default() };
    let settings = jsonl.clone().settings().unwrap();
    assert_eq!((settings.schema.unwrap().name, settings.index), ("es-bulk", "pages".to_owned()));
    let plain = Config {
        format: Some(vec![FormatChoice::Text]),
        separator: text("%"),
        ..Config::default()
    };
    assert_eq!(plain.clone().settings().unwrap().separator, "%");
    let wet = Config { format: Some(vec![FormatChoice::Wet]), ..Config::default() };
    assert_eq!(wet.clone().settings().unwrap().compression, Compression::DEFAULT_GZIP);
    let zstd = Some(CompressChoice::Zstd);
    let parquet = Config { format: Some(vec![FormatChoice::Parquet]), ..Config::default() };
    let fields = |name: &str| Some(vec![name.to_owned()]);
    for (config, expected) in [
        (Config { es_index: text("x"), ..Config::default() }, "es_index needs schema es-bulk"),
        (
            Config { schema: text("dolma"), ..plain.clone() },
            "schema cannot be used with format text",
        ),
        (
            Config { schema: text("x"), ..Config::default() },
            "unknown schema 'x'; the schemas are dolma,",
        ),
        (
            Config { separator: text("%"), ..Config::default() },
            "separator cannot be used with format jsonl",
        ),
        (
            Config { bloom_filters: Some(true), ..Config::default() },
            "bloom_filters cannot be used with format jsonl",
        ),
        (
            Config { conversions: Some(true), ..Config::default() },
            "conversions cannot be used with format jsonl",
        ),
        (Config { separator: text("a\nb"), ..plain.clone() }, "separator is one line"),
        (Config { compress: zstd, ..wet }, "format wet needs compress gzip or none"),
        (
            Config { fields: fields("text"), ..plain.clone() },
            "fields cannot be used with format \
            text",
        ),
        (Config { fields: fields("text"), ..jsonl }, "fields cannot be used with schema"),
        (Config { fields: fields("texts"), ..Config::default() }, "fields names 'texts', which"),
        (
            Config { fields: fields("x"), ..Config::default() },
            "unknown field 'x'; the fields are id,",
        ),
        (Config { fields: Some(Vec::new()), ..Config::default() }, "give at least one field"),
        (
            Config { stages: Some(vec!["signature".to_owned()]), ..plain },
            "the stage signature needs format jsonl or parquet",
        ),
        (
            Config { max_page_bytes: Some(1 << 28), ..parquet },
            "max_page_bytes must be from 1 to 134217728",
        ),
    ] {
        let error = config.settings().unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn what_makes_no_settings_is_said_in_the_users_words() {
    let names = |names: &[&str]| Some(names.iter().map(|&name| name.to_owned()).collect());
    let flag = |name: &str| format!("--{}", name.replace('_', "-"));
    let cases = [
        (
            Config { extractor: names(&["body", "body"]), ..Config::default() },
            "--extractor names 'body' twice",
        ),
        (Config { extractor: names(&[]), ..Config::default() }, "give at least one extractor"),
        (Config { level: Some(23), ..Config::default() }, "--level for zstd must be from -7 to 22"),
        (
            Config { compress: Some(CompressChoice::Gzip), level: Some(0), ..Config::default() },
            "--level for gzip must be from 1 to 12",
        ),
        (
            Config { compress: Some(CompressChoice::None), level: Some(1), ..Config::default() },
            "--level needs --compress zstd or gzip",
        ),
        (
            Config { max_page_bytes: Some(0), ..Config::default() },
            "--max-page-bytes must be at least 1",
        ),
        (
            Config { max_decode_ratio: Some(0), ..Config::default() },
            "--max-decode-ratio must be at least 1",
        ),
        (
            Config { max_page_bytes: Some(5 << 30), ..Config::default() },
            "--max-page-bytes must be from 1 to 1073741824",
        ),
        (
            Config { max_zstd_window: Some(40), ..Config::default() },
            "--max-zstd-window must be from 10 to 31",
        ),
    ];
    for (config, expected) in cases {
        assert_eq!(config.settings().unwrap_err().describe(flag), expected);
    }
    let unknown = Config { extractor: names(&["none"]), ..Config::default() };
    let error = unknown.settings().unwrap_err();
    assert_eq!(error, ConfigError::UnknownExtractor { name: "none".to_owned() });
    assert!(error.to_string().starts_with("unknown extractor 'none'; the extractors are hull, "));
}
