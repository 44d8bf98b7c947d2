//! `_huller/run.config`: the settings that decide the bytes of a run's outputs.
//!
//! The file is JSON in one canonical form (members sorted, one per line). So equal settings give
//! equal bytes, and `diff` of two files shows the differences. It holds the value of every setting,
//! including defaults; digests of the models; and the versions of our formats. Paths, times,
//! numbers of threads and the version of the program decide no byte, so they are left out.
//!
//! A command makes the sections of its settings; this module knows their form.
//!
//! Journal and checkpoints refer to the file by its hash. `sha256sum` of the file begins with that
//! hash. The file of a run over a shard has one more section, `list`. The hash leaves it out,
//! because it decides which inputs are read, and not how.

use crate::durable::replace;
use crate::error::RunError;
use crate::plan::{RecordSelection, path_of};
use crate::run_files::input_list::ShardRule;
use crate::run_files::side_tables::{SideTable, SideTables};
use data_encoding::HEXLOWER;
use huller_row::{Compression, Format, JSONL, Layout, find_field, find_schema, formats};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Name of the file among the run files. It does not end in `.json`, since readers of a corpus take
/// every file with that suffix.
pub const NAME: &str = "run.config";

/// Number of hexadecimal digits of the hash.
const HASH_DIGITS: usize = 16;

/// Number of hexadecimal digits of a digest in a message.
const SHOWN_DIGITS: usize = 12;

/// Name of the section that the hash leaves out.
const LIST: &str = "list";

/// A section of the file: names and values.
pub type Section = BTreeMap<String, Value>;

/// The settings that decide the bytes of a run's outputs, by section: `formats`, `models`,
/// `settings`, `stages`. A run over a shard also has the section `list`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunConfig(BTreeMap<String, Section>);

impl RunConfig {
    /// Makes a configuration of the sections of a command's settings. A run over a shard also gets
    /// the section `list`. A run that reads only records named by indexes also gets the section
    /// `index`.
    pub fn from_sections(
        sections: impl IntoIterator<Item = (&'static str, Section)>,
        shard_rule: Option<&ShardRule>,
        selected: Option<&RecordSelection>,
    ) -> RunConfig {
        let list = shard_rule.map(|shard_rule| (LIST, list(shard_rule)));
        let index = selected.map(|RecordSelection { records, digest }| {
            ("index", section([("records", json!(records)), ("digest", json!(digest))]))
        });
        let sections =
            sections.into_iter().filter(|(name, section)| !section.is_empty() || *name != "stages");
        let sections = sections.chain(list).chain(index);
        RunConfig(sections.map(|(name, section)| (name.to_owned(), section)).collect())
    }

    /// Reads the configuration of an earlier run. `None` if the file is missing.
    ///
    /// # Errors
    ///
    /// * [`RunError::Output`]: the file cannot be read.
    /// * [`RunError::DamagedRun`]: the file is not JSON, or not in the canonical form.
    pub fn read(path: &Path) -> Result<Option<RunConfig>, RunError> {
        let json = match fs::read(path) {
            Ok(json) => json,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(RunError::output("read", path)(error)),
        };
        let damaged = |reason: String| RunError::DamagedRun { path: path.to_owned(), reason };
        let config: RunConfig =
            serde_json::from_slice(&json).map_err(|error| damaged(error.to_string()))?;
        if config.to_json() != json {
            return Err(damaged("it is not as a run writes it".to_owned()));
        }
        Ok(Some(config))
    }

    /// Writes the file and makes it durable.
    ///
    /// # Errors
    ///
    /// [`RunError::Output`]: the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), RunError> {
        replace(path, &self.to_json())
    }

    /// Returns the file without the list as one line.
    ///
    /// # Panics
    ///
    /// A value cannot become JSON, which would be a bug.
    pub fn text(&self) -> String {
        serde_json::to_string(&self.without_list()).expect("text, numbers and lists of them")
    }

    /// Returns a value of a section.
    pub fn get(&self, section: &str, name: &str) -> Option<&Value> {
        self.0.get(section)?.get(name)
    }

    /// Returns the names of the values of a section.
    pub fn names(&self, section: &str) -> impl Iterator<Item = &str> {
        self.0.get(section).into_iter().flat_map(Section::keys).map(String::as_str)
    }

    fn without_list(&self) -> RunConfig {
        let mut without_list = self.clone();
        without_list.0.remove(LIST);
        without_list
    }

    /// Returns the bytes of the file.
    ///
    /// # Panics
    ///
    /// A value cannot become JSON, which would be a bug.
    pub fn to_json(&self) -> Vec<u8> {
        let mut json = serde_json::to_vec_pretty(self).expect("text, numbers and lists of them");
        json.push(b'\n');
        json
    }

    /// Returns the hash that journal and checkpoints hold: the first digits of the SHA-256 of the
    /// file without the list.
    pub fn hash(&self) -> String {
        let mut hash = HEXLOWER.encode(&Sha256::digest(self.without_list().to_json()));
        hash.truncate(HASH_DIGITS);
        hash
    }

    /// Whether two runs divide the same list into shards in the same way.
    pub fn has_same_shards(&self, other: &RunConfig) -> bool {
        self.0.get(LIST) == other.0.get(LIST)
    }

    /// Whether the run read only the records that indexes named.
    pub fn has_index(&self) -> bool {
        self.0.contains_key("index")
    }

    /// Returns the length limit of pages in bytes.
    pub fn max_page_bytes(&self) -> Option<usize> {
        self.get("settings", "max_page_bytes")?.as_u64()?.try_into().ok()
    }

    /// Returns how inputs are divided into shards: by `position`, by `name`, or `None` for a run
    /// over all inputs.
    pub fn shard_rule(&self) -> Option<&str> {
        self.get(LIST, "shared_by")?.as_str()
    }

    /// Returns the layout of the rows, as far as a reader needs it.
    pub fn layout(&self) -> Layout {
        let setting = |name: &str| self.get("settings", name);
        let text = |name: &str| setting(name)?.as_str();
        let chosen = setting("fields").and_then(Value::as_array).map(|names| {
            let known = names.iter().filter_map(|name| find_field(name.as_str()?));
            known.map(|field| field.name).collect()
        });
        Layout {
            chosen,
            refines: setting("refines").is_some_and(|keys| !keys.is_null()),
            schema: text("schema").and_then(find_schema),
            separator: text("separator").unwrap_or_default().to_owned(),
            conversions: setting("conversions").and_then(Value::as_bool).unwrap_or_default(),
            ..Layout::default()
        }
    }

    /// Returns the compression of the outputs of a format of the run.
    pub fn compression(&self, format: &str) -> Option<Compression> {
        let all = self.format();
        let place = all.formats().iter().position(|one| one.name() == format);
        let place = place.or_else(|| (all.name() == format).then_some(0))?;
        let setting = |name: &str| self.get("settings", name);
        let Some(further) = place.checked_sub(1) else {
            return compression(setting("compress")?, setting("level"));
        };
        compression_in(setting("compress_also")?.get(further)?)
    }

    /// Returns the compression of the files of a side table.
    pub fn side_compression(&self, table: SideTable) -> Option<Compression> {
        compression_in(self.get("settings", &format!("{}_compress", table.option()))?)
    }

    /// Returns the folders of the side tables that the run writes, relative to the folder of the
    /// rows.
    pub fn side_tables(&self) -> SideTables<PathBuf> {
        SideTables::from_fn(|table| {
            let folder = self.get("settings", table.option())?.as_str()?;
            Some(path_of(folder))
        })
    }

    /// Returns the layout of a side table, as far as a reader needs it.
    pub fn side_layout(&self, table: SideTable) -> Layout {
        let schema = self.get("settings", &format!("{}_schema", table.option()));
        let schema = schema.and_then(Value::as_str).and_then(find_schema);
        Layout { table: table.fields(), schema, ..Layout::default() }
    }

    /// Returns the format of the outputs. Runs of earlier versions wrote JSON Lines.
    pub fn format(&self) -> &'static dyn Format {
        let name = self.get("settings", "format").and_then(Value::as_str);
        name.and_then(formats::find).unwrap_or(JSONL)
    }

    /// Whether the run wrote rows, rather than a list of rows to drop.
    pub fn writes_rows(&self) -> bool {
        self.get("settings", "outputs").is_none_or(|outputs| outputs != "list")
    }

    /// Returns the requested number of rows.
    pub fn limit(&self) -> Option<u64> {
        self.get("settings", "limit")?.as_u64()
    }

    /// Returns the digest of the list of which the run read a shard.
    pub fn list_digest(&self) -> Option<&str> {
        self.get(LIST, "digest")?.as_str()
    }

    /// Returns the differences from the configuration of an earlier run, such as `min_chars is 200,
    /// was 0`. Lists are not compared here.
    pub fn differences(&self, earlier: &RunConfig) -> Vec<String> {
        let names: BTreeSet<_> = [self, earlier]
            .into_iter()
            .flat_map(|config| &config.0)
            .filter(|(section, _)| *section != LIST)
            .flat_map(|(section, values)| values.keys().map(move |name| (section, name)))
            .collect();
        let extractors = |config: &RunConfig| config.0.get("settings")?.get("extractor").cloned();
        let other_extractors = extractors(self) != extractors(earlier);
        let stages = |config: &RunConfig| config.0.get("settings")?.get("stages").cloned();
        let other_stages = stages(self) != stages(earlier);
        let mut differences = Vec::new();
        for (section, name) in names {
            let [now, then] = [self, earlier].map(|config| config.0.get(section)?.get(name));
            // If the list of extractors differs, its models differ too, and a list of stages
            // implies settings. Only the list is reported.
            let follows = (now.is_none() || then.is_none())
                && (section == "models" && other_extractors || section == "stages" && other_stages);
            if now != then && !follows {
                let option = match section.as_str() {
                    "settings" | "stages" => name.clone(),
                    "models" => format!("the model of {name}"),
                    "formats" => format!("the version of the {name} format"),
                    _ => format!("{section}.{name}"),
                };
                push_differences(&option, now, then, &mut differences);
            }
        }
        differences
    }
}

/// Adds the differences of a value. For objects, adds the members that differ.
fn push_differences(
    option: &str,
    now: Option<&Value>,
    then: Option<&Value>,
    differences: &mut Vec<String>,
) {
    if let (Some(Value::Object(now)), Some(Value::Object(then))) = (now, then) {
        let names: BTreeSet<_> = now.keys().chain(then.keys()).collect();
        for name in names {
            let (now, then) = (now.get(name), then.get(name));
            if now != then {
                push_differences(&format!("{option}.{name}"), now, then, differences);
            }
        }
        return;
    }
    differences.push(format!("{option} is {}, was {}", display_value(now), display_value(then)));
}

/// Returns a value as a message shows it.
fn display_value(value: Option<&Value>) -> String {
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
            values.iter().map(|value| display_value(Some(value))).collect::<Vec<_>>().join(",")
        }
        Some(value) => value.to_string(),
    }
}

/// Returns the compression in a list of name and level.
fn compression_in(setting: &Value) -> Option<Compression> {
    compression(setting.get(0)?, setting.get(1))
}

fn compression(name: &Value, level: Option<&Value>) -> Option<Compression> {
    let level = level.and_then(Value::as_i64).and_then(|level| level.try_into().ok());
    Compression::of_setting(name.as_str()?, level)
}

/// Returns a section with these names and values.
pub fn section<const N: usize>(values: [(&str, Value); N]) -> Section {
    values.map(|(name, value)| (name.to_owned(), value)).into()
}

/// Returns the section `list`.
fn list(shard_rule: &ShardRule) -> Section {
    match shard_rule {
        ShardRule::Position(list) => section([
            ("digest", json!(list.digest())),
            ("inputs", json!(list.len())),
            ("shared_by", json!("position")),
        ]),
        ShardRule::Name => section([("shared_by", json!("name"))]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> RunConfig {
        let formats = section([("checkpoint", json!(2)), ("row", json!(9))]);
        let models = section([("hull", json!("sha256:0123456789abcdef"))]);
        let settings = section([
            ("extractor", json!(["hull"])),
            ("include", json!([])),
            ("limit", json!(null)),
        ]);
        RunConfig::from_sections(
            [("formats", formats), ("models", models), ("settings", settings)],
            None,
            None,
        )
    }

    #[test]
    fn rows_of_refine_need_no_field() {
        let mut config = config();
        let mut keeps = |keys, fields| {
            let settings = config.0.get_mut("settings").unwrap();
            settings.insert("refines".to_owned(), keys);
            settings.insert("fields".to_owned(), fields);
            config.layout().keeps_members()
        };
        let keys = json!([["text"], ["url"]]);
        assert!(!keeps(json!(null), json!(null)));
        assert!(keeps(keys.clone(), json!(null)));
        assert!(!keeps(keys, json!(["text", "id"])));
        assert_eq!(config.layout().chosen, Some(vec!["text", "id"]));
    }

    #[test]
    fn the_compression_of_each_output_is_known() {
        let settings = section([
            ("format", json!("jsonl,parquet,csv")),
            ("compress", json!("zstd")),
            ("level", json!(19)),
            ("compress_also", json!([["none", null], ["gzip", 9]])),
            ("links_compress", json!(["gzip", 6])),
        ]);
        let config = RunConfig::from_sections([("settings", settings)], None, None);
        let compressions = ["jsonl", "parquet", "csv", "arrow"].map(|it| config.compression(it));
        assert_eq!(
            compressions,
            [
                Some(Compression::Zstd { level: 19 }),
                Some(Compression::None),
                Some(Compression::Gzip { level: 9 }),
                None
            ]
        );
        assert_eq!(config.side_compression(SideTable::Links), Some(Compression::Gzip { level: 6 }));
        assert_eq!(config.side_compression(SideTable::Passages), None);
        let one = section([("format", json!("parquet")), ("compress", json!("none"))]);
        let one = RunConfig::from_sections([("settings", one)], None, None);
        assert_eq!(one.compression("parquet"), Some(Compression::None));
    }

    #[test]
    fn differences_are_reported_in_words() {
        let now = config();
        assert!(now.differences(&now).is_empty());
        let mut then = now.clone();
        let settings = then.0.get_mut("settings").unwrap();
        settings.insert("limit".to_owned(), json!(3));
        settings.insert("include".to_owned(), json!(["byline", "captions"]));
        assert_eq!(
            now.differences(&then),
            ["include is empty, was byline,captions", "limit is not set, was 3"]
        );
        let [mut now_nested, mut then_nested] = [&now, &now].map(Clone::clone);
        for (config, bands) in [(&mut now_nested, 20), (&mut then_nested, 14)] {
            let signatures = json!({ "bands": bands, "rows": 8 });
            config.0.get_mut("settings").unwrap().insert("signatures".to_owned(), signatures);
        }
        assert_eq!(now_nested.differences(&then_nested), ["signatures.bands is 20, was 14"]);
        let mut other = now.clone();
        other.0.get_mut("formats").unwrap().insert("row".to_owned(), json!(8));
        assert_eq!(now.differences(&other), ["the version of the row format is 9, was 8"]);
        other.0.remove("formats");
        assert_eq!(now.differences(&other).len(), 2, "what is missing differs");
        let mut other = now.clone();
        other
            .0
            .get_mut("models")
            .unwrap()
            .insert("hull".to_owned(), json!("sha256:fedcba9876543210"));
        assert_eq!(
            now.differences(&other),
            ["the model of hull is sha256:0123456789ab, was sha256:fedcba987654"]
        );
    }

    #[test]
    fn a_file_that_was_changed_by_hand_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let config = config();
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
