//! Checks the options for side tables, which must fit together and to the rows.

use super::choices::{CompressChoice, FormatChoice};
use super::error::ConfigError;
use super::outputs::{Outputs, RawOutputOptions};
use crate::side_output::{PassageContent, SideContent, SideForm, SideOutput};
use huller_passages::PassageSettings;
use huller_row::{Extras, JSONL, Schema, find_schema};
use huller_run::run_files::side_tables::{SideTable, SideTables};
use huller_select::MarkdownOptions;
use serde_json::{Map, Value};
use std::path::PathBuf;

/// The options for side tables, as given, and those options for rows that side tables share.
pub(super) struct RawSideOptions {
    pub(super) passages: Option<PathBuf>,
    pub(super) passages_format: Option<FormatChoice>,
    pub(super) passages_schema: Option<String>,
    pub(super) passages_set: Option<Vec<String>>,
    pub(super) links: Option<PathBuf>,
    pub(super) links_format: Option<FormatChoice>,
    pub(super) escalate: Option<PathBuf>,
    pub(super) below: Option<f64>,
    pub(super) index: Option<String>,
    pub(super) compress: Option<CompressChoice>,
    pub(super) level: Option<i32>,
    pub(super) markdown: MarkdownOptions,
}

impl RawSideOptions {
    /// Returns the side tables of a run whose rows have these formats.
    pub(super) fn outputs(
        mut self,
        rows: Option<&[FormatChoice]>,
    ) -> Result<SideTables<SideOutput>, ConfigError> {
        self.check_folders()?;
        SideTables::try_from_fn(|table| {
            let folder = match table {
                SideTable::Passages => self.passages.take(),
                SideTable::Links => self.links.take(),
                SideTable::Escalated => self.escalate.take(),
            };
            let Some(folder) = folder else { return Ok(None) };
            let form = self.form(table, rows)?;
            let content = match table {
                SideTable::Passages => SideContent::Passages(Box::new(self.passage_content()?)),
                SideTable::Links => SideContent::Links,
                SideTable::Escalated => SideContent::Escalated { below: self.limit()? },
            };
            Ok(Some(SideOutput::new(folder, form, content)))
        })
    }

    /// Refuses options for a table that has no folder.
    fn check_folders(&self) -> Result<(), ConfigError> {
        for (option, is_given, table, folder) in [
            ("passages_format", self.passages_format.is_some(), "passages", &self.passages),
            ("passages_schema", self.passages_schema.is_some(), "passages", &self.passages),
            ("passages_set", self.passages_set.is_some(), "passages", &self.passages),
            ("links_format", self.links_format.is_some(), "links", &self.links),
            ("below", self.below.is_some(), "escalate", &self.escalate),
        ] {
            if is_given && folder.is_none() {
                return Err(ConfigError::NoSideTable { option, table });
            }
        }
        Ok(())
    }

    /// Returns the form of the files of a table.
    fn form(
        &self,
        table: SideTable,
        rows: Option<&[FormatChoice]>,
    ) -> Result<SideForm, ConfigError> {
        let of_rows =
            || rows.unwrap_or_default().iter().copied().find(|format| has_fields(*format));
        let (format, schema) = match table {
            SideTable::Passages => {
                (self.passages_format.or_else(of_rows), self.passages_schema.clone())
            }
            SideTable::Links => (self.links_format.or_else(of_rows), None),
            // Programs that judge pages read lists of objects.
            SideTable::Escalated => (Some(FormatChoice::Jsonl), None),
        };
        let names_index = names_index(schema.as_deref());
        let raw_options = RawOutputOptions {
            format: format.map(|format| vec![format]),
            schema,
            fields: None,
            index: self.index.clone().filter(|_| names_index),
            separator: None,
            compress: self.compress,
            level: self.level,
        };
        let outputs = raw_options.outputs(Extras::default()).map_err(|error| match error {
            ConfigError::NotOfFormat { option: "schema", format } => {
                ConfigError::SchemaOfPassages { format }
            }
            error => error,
        });
        let Outputs { format, schema, index, compression, .. } = outputs?;
        if !format.has_fields() {
            let table = table.option();
            return Err(ConfigError::SideTableOfFormat { table, format: format.name() });
        }
        if schema.is_some_and(Schema::has_members) {
            return Err(ConfigError::PassagesOfSchema);
        }
        Ok(SideForm { format, schema, index, compression })
    }

    /// Returns how rows are cut into passages.
    fn passage_content(&mut self) -> Result<PassageContent, ConfigError> {
        let settings = settings(self.passages_set.take().unwrap_or_default())?;
        PassageContent::new(self.markdown, settings)
            .map_err(|error| ConfigError::PassageSetting { problem: error.to_string() })
    }

    /// Returns the score below which pages are escalated.
    fn limit(&self) -> Result<f64, ConfigError> {
        self.below.filter(|below| below.is_finite()).ok_or(ConfigError::NoLimitOfScore)
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
    use huller_run::run_files::side_tables::SideTable;

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
            settings.side_tables.get(SideTable::Passages).unwrap().form().format.name()
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
        assert!(none.side_tables.is_empty());
    }

    #[test]
    fn settings_are_checked_and_named() {
        let settings = config(&["max_tokens=200", "prefix=title"]).settings().unwrap();
        let passages = settings.passages().unwrap();
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
            (Config { below: Some(0.5), ..Config::default() }, "below needs a folder"),
            (
                Config { links_format: Some(FormatChoice::Csv), ..Config::default() },
                "links_format needs a folder",
            ),
            (
                Config {
                    links: Some("l".into()),
                    links_format: Some(FormatChoice::Wet),
                    ..Config::default()
                },
                "wet has no fields",
            ),
            (Config { escalate: Some("e".into()), ..Config::default() }, "needs below"),
        ] {
            let said = error(config);
            assert!(said.contains(expected), "{said}");
        }
        for name in ["es-bulk", "quickwit", "vespa", "qdrant"] {
            let config = Config { passages_schema: schema(name), ..config(&[]) };
            let tables = config.settings().unwrap().side_tables;
            assert!(tables.get(SideTable::Passages).unwrap().form().schema.is_some());
        }
    }
}
