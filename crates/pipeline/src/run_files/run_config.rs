//! `_huller/run.config`: what decided the bytes of a run's outputs.
//!
//! JSON in one canonical form (members sorted, one a line), so that equal settings give equal bytes, and `diff` of two files names
//! what differs. It holds the value of every setting, whether it was said or not; digests of the models; and the versions of our
//! formats. Paths, times, numbers of threads and the version of the program are not in it: they decide no byte.
//!
//! The journal and the checkpoints bind what is finished to it by its hash. `sha256sum` of the file begins with that hash. The file of
//! a run that took a share has one more section, `list`, which the hash leaves out: it decides which inputs are done, not how.

use crate::error::RunError;
use crate::plan::Selected;
use crate::run_files::input_list::Shares;
use crate::run_files::{checkpoint, journal};
use crate::settings::{ROW_VERSION, Settings};
use crate::work::include::Include;
use crate::write::durable::replace;
use data_encoding::HEXLOWER;
use huller_archive::{JsonlKeys, Limits};
use huller_row::{Compression, FIELDS, Field, Format, JSONL, Layout, find_schema, formats};
use huller_select::{MarkdownOptions, Method, TextForm};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Name of the file among the run files. It is no `.json`, since readers of a corpus take every file that is called so.
pub(crate) const NAME: &str = "run.config";

/// Its name while it is written anew.
pub(crate) const NEW: &str = "run.config.new";

/// Hexadecimal digits of the hash.
const HASH_DIGITS: usize = 16;

/// Hexadecimal digits of a digest that a message shows.
const SHOWN_DIGITS: usize = 12;

/// The section that the hash leaves out.
const LIST: &str = "list";

/// A section of the file: names and values.
type Section = BTreeMap<String, Value>;

/// What decided the bytes of a run's outputs, by section: `formats`, `models`, `settings`, `stages`; and `list`, of which it took a share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct RunConfig(BTreeMap<String, Section>);

impl RunConfig {
    /// The configuration of a run with these settings, which takes a share of the inputs where `shares` says how, and only
    /// the records that were `selected`.
    pub(crate) fn of(
        settings: &Settings,
        shares: Option<&Shares>,
        selected: Option<&Selected>,
    ) -> RunConfig {
        let sections =
            [("formats", versions()), ("models", models(settings)), ("settings", said(settings))];
        let of_stages = Some(of_stages(settings)).filter(|of_stages| !of_stages.is_empty());
        let of_stages = of_stages.map(|of_stages| ("stages", of_stages));
        let list = shares.map(|shares| (LIST, list(shares)));
        let index = selected.map(|Selected { records, digest }| {
            ("index", section([("records", json!(records)), ("digest", json!(digest))]))
        });
        let sections = sections.into_iter().chain(of_stages).chain(list).chain(index);
        RunConfig(sections.map(|(name, section)| (name.to_owned(), section)).collect())
    }

    /// Reads what a run left. `None` if it left none.
    pub(crate) fn read(path: &Path) -> Result<Option<RunConfig>, RunError> {
        let json = match fs::read(path) {
            Ok(json) => json,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(RunError::output("read", path)(error)),
        };
        let damaged = |reason: String| RunError::DamagedRun { path: path.to_owned(), reason };
        let config: RunConfig =
            serde_json::from_slice(&json).map_err(|error| damaged(error.to_string()))?;
        if config.to_json() != json {
            return Err(damaged("it is not in the form that a run writes it in".to_owned()));
        }
        Ok(Some(config))
    }

    /// Writes it and makes it durable.
    pub(crate) fn write(&self, path: &Path) -> Result<(), RunError> {
        replace(path, &path.with_file_name(NEW), &self.to_json())
    }

    /// What decided the bytes of an output, in one line: the file without the list.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(&self.without_list()).expect("text, numbers and lists of them")
    }

    fn without_list(&self) -> RunConfig {
        let mut without_list = self.clone();
        without_list.0.remove(LIST);
        without_list
    }

    /// The bytes of the file.
    fn to_json(&self) -> Vec<u8> {
        let mut json = serde_json::to_vec_pretty(self).expect("text, numbers and lists of them");
        json.push(b'\n');
        json
    }

    /// What journal and checkpoints know it by: the first digits of the SHA-256 of the file, without the list.
    pub(crate) fn hash(&self) -> String {
        let mut hash = HEXLOWER.encode(&Sha256::digest(self.without_list().to_json()));
        hash.truncate(HASH_DIGITS);
        hash
    }

    /// Whether a run took shares of this list too, in the same way.
    pub(crate) fn has_list_of(&self, other: &RunConfig) -> bool {
        self.0.get(LIST) == other.0.get(LIST)
    }

    /// Whether the run read only the records that indexes named.
    pub(crate) fn has_index(&self) -> bool {
        self.0.contains_key("index")
    }

    /// The longest page that is used, in bytes.
    pub(crate) fn max_page_bytes(&self) -> Option<usize> {
        self.0.get("settings")?.get("max_page_bytes")?.as_u64()?.try_into().ok()
    }

    /// How inputs are shared out: `position`, `name`, or `None` where the run takes them all.
    pub(crate) fn shared_by(&self) -> Option<&str> {
        self.0.get(LIST)?.get("shared_by")?.as_str()
    }

    /// What the rows look like, as far as a reader has to know it.
    pub(crate) fn layout(&self) -> Layout {
        let setting = |name: &str| self.0.get("settings")?.get(name);
        let text = |name: &str| setting(name)?.as_str();
        let chosen = setting("fields").and_then(Value::as_array).map(|names| {
            let is_chosen = |field: &&Field| names.iter().any(|name| name == field.name);
            FIELDS.iter().filter(is_chosen).map(|field| field.name).collect()
        });
        Layout {
            chosen,
            schema: text("schema").and_then(find_schema),
            separator: text("separator").unwrap_or_default().to_owned(),
            ..Layout::default()
        }
    }

    /// The format of the outputs. Runs of earlier versions wrote JSON Lines.
    pub(crate) fn format(&self) -> &'static dyn Format {
        let name = self.0.get("settings").and_then(|settings| settings.get("format")?.as_str());
        name.and_then(formats::find).unwrap_or(JSONL)
    }

    /// How many rows were asked for.
    pub(crate) fn limit(&self) -> Option<u64> {
        self.0.get("settings")?.get("limit")?.as_u64()
    }

    /// The digest of the list that the run took a share of.
    pub(crate) fn list_digest(&self) -> Option<&str> {
        self.0.get(LIST)?.get("digest")?.as_str()
    }

    /// What differs from the configuration of an earlier run, such as `min_chars is 200, was 0`. Lists are not
    /// compared here.
    pub(crate) fn differences(&self, earlier: &RunConfig) -> Vec<String> {
        let names: BTreeSet<_> = [self, earlier]
            .into_iter()
            .flat_map(|config| &config.0)
            .filter(|(section, _)| *section != LIST)
            .flat_map(|(section, values)| values.keys().map(move |name| (section, name)))
            .collect();
        let methods = |config: &RunConfig| config.0.get("settings")?.get("extractor").cloned();
        let other_methods = methods(self) != methods(earlier);
        let stages = |config: &RunConfig| config.0.get("settings")?.get("stages").cloned();
        let other_stages = stages(self) != stages(earlier);
        let mut differences = Vec::new();
        for (section, name) in names {
            let [now, then] = [self, earlier].map(|config| config.0.get(section)?.get(name));
            // Another list of methods has other models, and one of stages other settings; the list is named already.
            let follows = (now.is_none() || then.is_none())
                && (section == "models" && other_methods || section == "stages" && other_stages);
            if now != then && !follows {
                let what = match section.as_str() {
                    "settings" | "stages" => name.clone(),
                    "models" => format!("the model of {name}"),
                    "formats" => format!("the version of the {name} format"),
                    _ => format!("{section}.{name}"),
                };
                differences.push(format!("{what} is {}, was {}", shown(now), shown(then)));
            }
        }
        differences
    }
}

/// A value in a message.
fn shown(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => "not set".to_owned(),
        Some(Value::String(text)) => match text.split_once(':') {
            Some((kind @ "sha256", digest)) => {
                format!("{kind}:{}", digest.chars().take(SHOWN_DIGITS).collect::<String>())
            }
            _ => text.clone(),
        },
        Some(Value::Array(values)) if values.is_empty() => "empty".to_owned(),
        Some(Value::Array(values)) => {
            values.iter().map(|value| shown(Some(value))).collect::<Vec<_>>().join(",")
        }
        Some(value) => value.to_string(),
    }
}

fn section<const N: usize>(values: [(&str, Value); N]) -> Section {
    values.map(|(name, value)| (name.to_owned(), value)).into()
}

/// Versions of the formats that a resumed run must go on with.
fn versions() -> Section {
    section([
        ("checkpoint", json!(checkpoint::VERSION)),
        ("journal", json!(journal::VERSION)),
        ("row", json!(ROW_VERSION)),
    ])
}

/// What the run took a share of.
fn list(shares: &Shares) -> Section {
    match shares {
        Shares::Position(list) => section([
            ("digest", json!(list.digest())),
            ("inputs", json!(list.len())),
            ("shared_by", json!("position")),
        ]),
        Shares::Name => section([("shared_by", json!("name"))]),
    }
}

/// The settings of each stage, and its version.
fn of_stages(settings: &Settings) -> Section {
    let mut section = Section::new();
    for stage in settings.stages.iter() {
        let fingerprint = stage.fingerprint();
        let name = stage.name();
        section.insert(format!("{name}.version"), fingerprint["version"].clone());
        for (setting, value) in fingerprint["settings"].as_object().into_iter().flatten() {
            section.insert(format!("{name}.{setting}"), value.clone());
        }
    }
    section
}

/// Digests of the models of those methods that have one, and of the user's thesaurus.
fn models(settings: &Settings) -> Section {
    let digest = |method: &&'static dyn Method| {
        let trained = settings.trained.iter().find(|trained| trained.method == method.name());
        let digest = match trained {
            Some(trained) => trained.digest().to_owned(),
            None => HEXLOWER.encode(&Sha256::digest(method.model()?)),
        };
        Some((method.name().to_owned(), json!(format!("sha256:{digest}"))))
    };
    let thesaurus = settings
        .thesaurus
        .as_ref()
        .map(|own| ("thesaurus".to_owned(), json!(format!("sha256:{}", own.digest()))));
    settings.methods.iter().filter_map(digest).chain(thesaurus).collect()
}

/// Every setting by the name that a user says it by, and those that cannot be said.
fn said(settings: &Settings) -> Section {
    // Every field stands here, and the compiler sees to it.
    let Settings {
        methods,
        profile,
        trained: _,
        thesaurus: _,
        include: Include { title, byline, comments, captions },
        format,
        schema,
        fields,
        index,
        separator,
        split,
        compression,
        also,
        refines,
        any_status,
        judge,
        min_chars,
        stages,
        signals,
        limit,
        text_form: TextForm { lists, empty_lines, scripts },
        markdown,
        html,
        source_html,
        blocks,
        // Runs have none.
        terms: _,
        digest,
        max_page_bytes,
        limits:
            Limits {
                header_bytes,
                header_line_bytes,
                record_bytes,
                body_bytes,
                decode_ratio,
                content_encodings,
                zstd_window_log,
                batch_bytes,
            },
        keys: JsonlKeys { html: html_keys, url: url_keys, id: id_keys, date: date_keys, kept },
    } = settings;
    let names: Vec<_> = methods.iter().map(|method| method.name()).collect();
    let parts =
        [(title, "title"), (byline, "byline"), (comments, "comments"), (captions, "captions")];
    let parts: Vec<_> = parts.into_iter().filter(|(is_in, _)| **is_in).map(|part| part.1).collect();
    let bare = [(lists, "lists"), (empty_lines, "empty-lines"), (scripts, "scripts")];
    let bare: Vec<_> = bare.into_iter().filter(|(is_in, _)| !**is_in).map(|part| part.1).collect();
    let without = markdown.map_or(Vec::new(), |MarkdownOptions { links, images }| {
        let parts = [(links, "links"), (images, "images")];
        parts.into_iter().filter(|(is_in, _)| !is_in).map(|part| part.1).collect()
    });
    let (compress, level) = words(*compression);
    let mut section = section([
        ("batch_bytes", json!(batch_bytes)),
        ("blocks", json!(blocks)),
        ("bytes_per_file", json!(split.bytes)),
        ("compress", json!(compress)),
        ("date_key", json!(date_keys)),
        ("digest", json!(digest)),
        ("extractor", json!(names)),
        ("fields", json!(fields)),
        ("format", json!(format.name())),
        ("html", json!(html)),
        ("html_key", json!(html_keys)),
        ("id_key", json!(id_keys)),
        ("include", json!(parts)),
        ("es_index", json!(index)),
        ("judge", json!(judge)),
        ("keep_keys", json!(kept)),
        ("level", json!(level)),
        ("limit", json!(limit)),
        ("markdown", json!(markdown.is_some())),
        ("markdown_without", json!(without)),
        ("max_body_bytes", json!(body_bytes)),
        ("max_decode_ratio", json!(decode_ratio)),
        ("max_encodings", json!(content_encodings)),
        ("max_header_bytes", json!(header_bytes)),
        ("max_header_line_bytes", json!(header_line_bytes)),
        ("max_page_bytes", json!(max_page_bytes)),
        ("max_record_bytes", json!(record_bytes)),
        ("max_zstd_window", json!(zstd_window_log)),
        ("min_chars", json!(min_chars)),
        ("profile", json!(profile.name())),
        ("refines", json!(refines.as_ref().map(|keys| [&keys.text, &keys.url]))),
        ("rows_per_file", json!(split.rows)),
        ("schema", json!(schema.map(|schema| schema.name))),
        ("separator", json!(separator)),
        ("signals", json!(signals)),
        ("source_html", json!(source_html)),
        ("stages", json!(stages.names())),
        ("status", json!(if *any_status { "any" } else { "ok" })),
        ("text_without", json!(bare)),
        ("url_key", json!(url_keys)),
    ]);
    if !also.is_empty() {
        // Of the formats after the first. Runs with one format have no such line, as before there were several.
        let also: Vec<_> = also.iter().map(|compression| json!(words(*compression))).collect();
        section.insert("compress_also".to_owned(), json!(also));
    }
    section
}

/// A kind of compression, and its level.
fn words(compression: Compression) -> (&'static str, Option<i32>) {
    match compression {
        Compression::Zstd { level } => ("zstd", Some(level)),
        Compression::Gzip { level } => ("gzip", Some(level)),
        Compression::None => ("none", None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::config::tests::everything;

    fn of(config: Config) -> RunConfig {
        RunConfig::of(&config.settings().unwrap(), None, None)
    }

    #[test]
    fn the_file_has_one_form() {
        let pvalue = Config { extractor: Some(vec!["pvalue".to_owned()]), ..Config::default() };
        let expected = r#"{
  "formats": {
    "checkpoint": 2,
    "journal": 2,
    "row": 16
  },
  "models": {},
  "settings": {
    "batch_bytes": 1048576,
    "blocks": false,
    "bytes_per_file": null,
    "compress": "zstd",
"#;
        let json = String::from_utf8(of(pvalue).to_json()).unwrap();
        assert!(json.starts_with(expected), "{json}");
        assert!(json.ends_with("\n  }\n}\n"), "{json}");
        assert!(!json.contains(env!("CARGO_PKG_VERSION")), "the version decides no byte");
    }

    #[test]
    fn every_option_is_named_when_it_differs() {
        let all = serde_json::to_value(everything()).unwrap();
        let defaults = of(Config::default());
        // Files are not read here; the digest of a model is looked at below.
        let said = all.as_object().unwrap().iter().filter(|(_, value)| !value.is_null());
        for name in said
            .map(|(name, _)| name)
            .filter(|name| !["model", "thesaurus"].contains(&name.as_str()))
        {
            let mut alone = everything();
            // What Markdown is without counts where there is Markdown, and a setting where there is its stage.
            let is_asked = |option: &str| {
                name == "markdown_without" && option == "markdown"
                    || name == "set" && option == "stages"
            };
            alone.retain(|option| option == name || is_asked(option));
            let differences = of(alone).differences(&defaults);
            let named = if ["lang", "preset", "set"].contains(&&**name) { "stages" } else { name };
            assert!(
                differences
                    .iter()
                    .any(|difference| difference.starts_with(&format!("{named} is "))),
                "{name}: {differences:?}"
            );
        }
    }

    #[test]
    fn differences_are_said_in_words() {
        let now = of(Config { limit: Some(3), ..everything() });
        let then = of(Config { limit: None, include: Some(Vec::new()), ..everything() });
        assert_eq!(
            now.differences(&then),
            ["include is byline,captions, was empty", "limit is 3, was not set"]
        );
        assert!(now.differences(&now).is_empty());
        let stricter = Config { set: Some(vec!["length.min_chars=9".to_owned()]), ..everything() };
        assert_eq!(of(stricter).differences(&of(everything())), ["length.min_chars is 9, was 5"]);
        let mut other = now.clone();
        other.0.get_mut("formats").unwrap().insert("row".to_owned(), json!(8));
        let difference = format!("the version of the row format is {ROW_VERSION}, was 8");
        assert_eq!(now.differences(&other), [difference]);
        other.0.remove("formats");
        assert_eq!(now.differences(&other).len(), 3, "what is missing differs");
        assert_eq!(other.differences(&now).len(), 3);
    }

    #[test]
    fn a_model_is_known_by_its_digest() {
        let shipped = of(Config::default());
        let model = shipped.0["models"]["hull"].as_str().unwrap();
        assert!(model.starts_with("sha256:") && model.len() == 71, "{model}");
        let mut other = shipped.clone();
        other
            .0
            .get_mut("models")
            .unwrap()
            .insert("hull".to_owned(), json!("sha256:0123456789abcdef"));
        let difference = &other.differences(&shipped)[0];
        assert!(difference.starts_with("the model of hull is sha256:0123456789ab, was sha256:"));
    }

    #[test]
    fn what_was_changed_by_hand_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let config = of(Config::default());
        assert_eq!(RunConfig::read(&path).unwrap(), None);
        config.write(&path).unwrap();
        assert_eq!(RunConfig::read(&path).unwrap(), Some(config.clone()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let json = String::from_utf8(config.to_json()).unwrap();
        for other in [&json.replace("  ", " "), &json[1..], "", "[]"] {
            fs::write(&path, other).unwrap();
            let error = RunConfig::read(&path).unwrap_err();
            assert!(error.to_string().contains("run.config' is damaged: "), "{error}");
        }
    }
}
