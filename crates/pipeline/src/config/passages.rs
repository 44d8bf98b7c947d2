//! Checks the options for passages, which must fit together and to the rows.

use super::choices::{CompressChoice, FormatChoice};
use super::error::ConfigError;
use super::outputs::{Outputs, RawOutputOptions};
use crate::passage_outputs::{PassageForm, PassageOutputs};
use huller_passages::PassageSettings;
use huller_row::{Extras, JSONL, Schema, find_schema};
use huller_select::MarkdownOptions;
use serde_json::{Map, Value};
use std::path::PathBuf;

/// The options for passages, as given, and those options for rows that passages share.
pub(super) struct RawPassageOptions {
    pub(super) folder: Option<PathBuf>,
    pub(super) format: Option<FormatChoice>,
    pub(super) schema: Option<String>,
    pub(super) set: Option<Vec<String>>,
    pub(super) index: Option<String>,
    pub(super) compress: Option<CompressChoice>,
    pub(super) level: Option<i32>,
    pub(super) markdown: MarkdownOptions,
}

impl RawPassageOptions {
    /// Returns the passages of a run whose rows have these formats, if it writes any.
    pub(super) fn outputs(
        self,
        rows: Option<&[FormatChoice]>,
    ) -> Result<Option<PassageOutputs>, ConfigError> {
        let Some(folder) = self.folder else {
            let given = [
                ("passages_format", self.format.is_some()),
                ("passages_schema", self.schema.is_some()),
                ("passages_set", self.set.is_some()),
            ];
            let given = given.into_iter().find(|(_, is_given)| *is_given);
            return given.map_or(Ok(None), |(option, _)| Err(ConfigError::NoPassages { option }));
        };
        let of_rows =
            || rows.unwrap_or_default().iter().copied().find(|format| has_fields(*format));
        let format = self.format.or_else(of_rows);
        let names_index = names_index(self.schema.as_deref());
        let said = RawOutputOptions {
            format: format.map(|format| vec![format]),
            schema: self.schema,
            fields: None,
            index: self.index.filter(|_| names_index),
            separator: None,
            compress: self.compress,
            level: self.level,
        };
        let outputs = said.outputs(Extras::default()).map_err(|error| match error {
            ConfigError::NotOfFormat { option: "schema", format } => {
                ConfigError::SchemaOfPassages { format }
            }
            error => error,
        });
        let Outputs { format, schema, index, compression, .. } = outputs?;
        if !format.has_fields() {
            return Err(ConfigError::PassagesOfFormat { format: format.name() });
        }
        if schema.is_some_and(Schema::has_members) {
            return Err(ConfigError::PassagesOfSchema);
        }
        let form = PassageForm { format, schema, index, compression, markdown: self.markdown };
        let settings = settings(self.set.unwrap_or_default())?;
        let passages = PassageOutputs::new(folder, form, settings);
        let invalid = |error: huller_refine::InvalidSettings| ConfigError::PassageSetting {
            problem: error.to_string(),
        };
        passages.map(Some).map_err(invalid)
    }
}

/// Returns whether lines of the schema of this name name an index.
pub(super) fn names_index(schema: Option<&str>) -> bool {
    schema.and_then(find_schema).is_some_and(Schema::names_index)
}

/// Returns whether rows in a format have fields, so that passages can have it too.
fn has_fields(format: FormatChoice) -> bool {
    huller_row::formats::find(format.word()).unwrap_or(JSONL).has_fields()
}

/// Returns the settings of the splitter from entries such as `max_tokens=200`.
fn settings(entries: Vec<String>) -> Result<PassageSettings, ConfigError> {
    let mut given = Map::new();
    for entry in entries {
        let Some((name, value)) = entry.split_once('=') else {
            let problem = format!("'{entry}' has no value: write it as max_tokens=200");
            return Err(ConfigError::PassageSetting { problem });
        };
        let number = value.parse::<u64>().ok().map(Value::from);
        given.insert(name.trim().to_owned(), number.unwrap_or_else(|| value.into()));
    }
    serde_json::from_value(Value::Object(given))
        .map_err(|error| ConfigError::PassageSetting { problem: error.to_string() })
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, FormatChoice};

    fn config(set: &[&str]) -> Config {
        let set = set.iter().map(|entry| (*entry).to_owned()).collect();
        let tokenizer = "tokenizer=characters".to_owned();
        let set: Vec<_> = [vec![tokenizer], set].concat();
        Config { passages: Some("p".into()), passages_set: Some(set), ..Config::default() }
    }

    fn error(config: Config) -> String {
        config.settings().unwrap_err().to_string()
    }

    #[test]
    fn passages_have_the_format_of_the_rows_unless_another_is_asked() {
        let format = |config: Config| {
            let settings = config.settings().unwrap();
            settings.passages.unwrap().form().format.name()
        };
        let rows = |formats: &[FormatChoice]| Some(formats.to_vec());
        assert_eq!(format(config(&[])), "jsonl");
        let parquet = rows(&[FormatChoice::Warc, FormatChoice::Parquet]);
        assert_eq!(format(Config { format: parquet, ..config(&[]) }), "parquet");
        let warc = rows(&[FormatChoice::Warc]);
        assert_eq!(format(Config { format: warc, ..config(&[]) }), "jsonl");
        let csv = Some(FormatChoice::Csv);
        assert_eq!(format(Config { passages_format: csv, ..config(&[]) }), "csv");
        let none = Config::default().settings().unwrap();
        assert!(none.passages.is_none());
    }

    #[test]
    fn settings_are_checked_and_named() {
        let settings = config(&["max_tokens=200", "prefix=title"]).settings().unwrap();
        let passages = settings.passages.unwrap();
        assert_eq!((passages.settings().max_tokens, passages.settings().min_tokens), (200, 75));
        assert_eq!(passages.settings().prefix, "title");
        for (set, expected) in [
            ("max_tokens", "'max_tokens' has no value"),
            ("max_tokens=5", "must be 16 to"),
            ("max_token=5", "unknown field `max_token`"),
            ("max_tokens=many", "invalid type: string"),
        ] {
            let said = error(config(&[set]));
            assert!(said.contains(expected), "{set}: {said}");
        }
    }

    #[test]
    fn options_that_do_not_fit_are_refused_with_the_remedy() {
        let schema = |name: &str| Some(name.to_owned());
        for (config, expected) in [
            (
                Config { passages_schema: schema("vespa"), ..Config::default() },
                "passages_schema needs a folder",
            ),
            (
                Config { passages_format: Some(FormatChoice::Text), ..config(&[]) },
                "text has no fields",
            ),
            (Config { passages_schema: schema("dolma"), ..config(&[]) }, "for whole pages"),
            (
                Config {
                    passages_schema: schema("vespa"),
                    passages_format: Some(FormatChoice::Csv),
                    ..config(&[])
                },
                "passages_schema needs passages_format jsonl, not csv",
            ),
            (Config { rows_per_file: Some(5), ..config(&[]) }, "several files per input"),
        ] {
            let said = error(config);
            assert!(said.contains(expected), "{said}");
        }
        for name in ["es-bulk", "quickwit", "vespa", "qdrant"] {
            let config = Config { passages_schema: schema(name), ..config(&[]) };
            assert!(config.settings().unwrap().passages.unwrap().form().schema.is_some());
        }
    }
}
