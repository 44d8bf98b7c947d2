//! Reads the file of a run: its inputs, options and output.
//!
//! ```toml
//! inputs = ["crawl/"]          # as on the command line
//! output = "corpus"
//! preset = "fineweb"           # any option of `huller extract`, with `_` for `-`
//! markdown = true
//! stages = ["language", "gopher-quality", "mask"]
//!
//! [stage.gopher-quality]       # settings of a stage
//! min_words = 30
//!
//! [passages]                   # passages of the rows, and settings of the splitter
//! folder = "passages"
//! max_tokens = 200
//! ```

use super::error::ConfigError;
use super::fields::Config;
use huller_refine::StageEntry;
use std::path::PathBuf;
use toml::{Table, Value};

/// Options of `huller extract` that a file cannot have, since they may differ from run to run over
/// the same data.
const ON_THE_COMMAND_LINE: &[&str] = &[
    "base",
    "dropped",
    "dropped_rows",
    "dry_run",
    "index",
    "limit_inputs",
    "manifest",
    "memory",
    "no_empty_inputs",
    "overwrite",
    "quiet",
    "read_ahead",
    "resume",
    "shard",
    "shard_by",
    "staging",
    "staging_size",
    "strict",
    "threads",
];

/// The contents of a configuration file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfigFile {
    /// The options. Settings of stages are in [`Config::set`].
    pub config: Config,
    /// Files, folders and lists. Relative paths are relative to the program's working folder, as on
    /// the command line.
    pub inputs: Vec<PathBuf>,
    /// The folder for the output.
    pub output: Option<PathBuf>,
    /// The file for the list of pages that are not in the output.
    pub rejects: Option<PathBuf>,
}

impl ConfigFile {
    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// The text is not TOML, an option is unknown, or a value has the wrong type.
    pub fn parse(text: &str) -> Result<ConfigFile, ConfigError> {
        let invalid = |error: &dyn std::fmt::Display| ConfigError::File {
            problem: error.to_string().trim_end().replace('\n', " "),
        };
        let mut table: Table = text.parse().map_err(|error| toml_error(text, &error))?;
        let inputs = table.remove("inputs").map_or(Ok(Vec::new()), Value::try_into);
        let output = table.remove("output").map(Value::try_into).transpose();
        let rejects = table.remove("rejects").map(Value::try_into).transpose();
        take_passages(&mut table)?;
        let stages = table.remove("stage").map_or(Ok(Table::new()), Value::try_into);
        table.keys().try_for_each(|key| is_at_its_place(key))?;
        let mut config: Config = Value::Table(table).try_into().map_err(|error| invalid(&error))?;
        let set = settings_of_stages(stages.map_err(|error| invalid(&error))?)?;
        if !set.is_empty() {
            config.set.get_or_insert_default().extend(set);
        }
        Ok(ConfigFile {
            config,
            inputs: inputs.map_err(|error| invalid(&error))?,
            output: output.map_err(|error| invalid(&error))?,
            rejects: rejects.map_err(|error| invalid(&error))?,
        })
    }
}

/// Makes the error of a file that is not TOML, on one line. The parser's own message draws the
/// place below the line.
fn toml_error(text: &str, error: &toml::de::Error) -> ConfigError {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    let message = error.message().replace('\n', ": ");
    ConfigError::File {
        problem: format!("line {line}, column {column} is not valid TOML: {message}"),
    }
}

/// Refuses a key that belongs elsewhere or is spelled differently, and says where or how.
fn is_at_its_place(key: &str) -> Result<(), ConfigError> {
    let problem = if StageEntry::find(key).is_some() {
        format!(
            "[{key}] is a stage: write its settings in [stage.{key}], and add it to `stages` to \
             run it"
        )
    } else if ON_THE_COMMAND_LINE.contains(&key) {
        format!("`{key}` can be given only on the command line")
    } else if key.contains('-') {
        format!("unknown field `{key}`: write options with `_`, as in `{}`", key.replace('-', "_"))
    } else {
        return Ok(());
    };
    Err(ConfigError::File { problem })
}

/// Turns the table of passages into options. `folder`, `format` and `schema` have options of their
/// own, and the other entries are settings of the splitter.
fn take_passages(table: &mut Table) -> Result<(), ConfigError> {
    let Some(Value::Table(passages)) = table.get("passages").cloned() else { return Ok(()) };
    table.remove("passages");
    let mut set = Vec::new();
    for (name, value) in passages {
        let option = match name.as_str() {
            "folder" => "passages",
            "format" => "passages_format",
            "schema" => "passages_schema",
            _ => {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                set.push(Value::String(format!("{name}={value}")));
                continue;
            }
        };
        if table.insert(option.to_owned(), value).is_some() {
            let problem = format!("[passages] {name} and `{option}` are the same option");
            return Err(ConfigError::File { problem });
        }
    }
    if !set.is_empty() {
        table.insert("passages_set".to_owned(), Value::Array(set));
    }
    Ok(())
}

/// Returns the tables of stages as entries of [`Config::set`].
fn settings_of_stages(stages: Table) -> Result<Vec<String>, ConfigError> {
    let mut set = Vec::new();
    for (stage, settings) in stages {
        let Value::Table(settings) = settings else {
            let problem = format!("stage.{stage} is not a table of settings");
            return Err(ConfigError::File { problem });
        };
        for (name, value) in &settings {
            push_setting(&mut set, &format!("{stage}.{name}"), value);
        }
    }
    Ok(set)
}

/// Adds a setting. The members of a table of tables are settings by themselves, so that a file can
/// change one member of a preset's table and leave the others.
fn push_setting(set: &mut Vec<String>, name: &str, value: &Value) {
    let is_plain = |key: &String| !key.is_empty() && !key.contains(['.', '=']);
    let is_of_tables = |tables: &Table| {
        !tables.is_empty() && tables.iter().all(|(key, value)| is_plain(key) && value.is_table())
    };
    match value {
        Value::Table(tables) if is_of_tables(tables) => {
            for (key, members) in
                tables.iter().filter_map(|(key, table)| Some((key, table.as_table()?)))
            {
                set.extend(
                    members.iter().map(|(member, value)| format!("{name}.{key}.{member}={value}")),
                );
            }
        }
        value => set.push(format!("{name}={value}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::PRESETS;
    use huller_testkit::fasttext::FastTextModel;
    use huller_testkit::perplexity::{PLAIN_PIECES, WORDS};

    #[test]
    fn a_file_says_what_flags_say_and_settings_of_stages() {
        let text = "inputs = ['a', 'b']\noutput = 'c'\nmin_chars = 9\nextractor = 'hull'\nstages = ['length', 'mask']\n\
            [stage.length]\nmin_words = 3\n[stage.mask]\nip_replacements = ['x\"y']";
        let file = ConfigFile::parse(text).unwrap();
        assert_eq!(file.inputs, [PathBuf::from("a"), PathBuf::from("b")]);
        assert_eq!(file.output, Some("c".into()));
        let expected = Config {
            min_chars: Some(9),
            extractor: Some(vec!["hull".to_owned()]),
            stages: Some(vec!["length".to_owned(), "mask".to_owned()]),
            set: Some(vec![
                "length.min_words=3".to_owned(),
                "mask.ip_replacements=['x\"y']".to_owned(),
            ]),
            ..Config::default()
        };
        assert_eq!(file.config, expected);
        assert_eq!(file.config.settings().unwrap().stages.names(), ["length", "mask"]);
    }

    #[test]
    fn the_table_of_passages_has_their_folder_and_settings() {
        let text = "[passages]\nfolder = 'p'\nformat = 'csv'\nmax_tokens = 99\nprefix = 'title'";
        let expected = Config {
            passages: Some("p".into()),
            passages_format: Some(crate::config::FormatChoice::Csv),
            passages_set: Some(vec!["max_tokens=99".to_owned(), "prefix=title".to_owned()]),
            ..Config::default()
        };
        assert_eq!(ConfigFile::parse(text).unwrap().config, expected);
        let plain = ConfigFile::parse("passages = 'p'").unwrap().config;
        assert_eq!(plain.passages, Some("p".into()));
        let twice = "passages_schema = 'vespa'\n[passages]\nschema = 'qdrant'";
        assert!(ConfigFile::parse(twice).unwrap_err().to_string().contains("the same option"));
    }

    #[test]
    fn members_of_tables_of_tables_are_settings_by_themselves() {
        let text = "stages = ['fasttext']\n[stage.fasttext.models.a]\npath = 'x.bin'\n\
            keep = { 'h q' = 0.5 }\n[stage.fasttext.models.b]\nlines = 'glued'";
        let set = ConfigFile::parse(text).unwrap().config.set.unwrap();
        let expected = [
            "fasttext.models.a.keep={ \"h q\" = 0.5 }",
            "fasttext.models.a.path=\"x.bin\"",
            "fasttext.models.b.lines=\"glued\"",
        ];
        assert_eq!(set, expected);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let problem = |text: &str| ConfigFile::parse(text).unwrap_err().to_string();
        assert!(problem("min_char = 3").contains("unknown field `min_char`"));
        assert!(problem("min_chars = 'x'").contains("min_chars"));
        assert!(problem("[stage]\nlength = 3").contains("stage.length is not a table"));
        let said = problem("min_chars = 3\nmodel = …");
        assert!(said.starts_with("line 2, column 9 is not valid TOML: "), "{said}");
        assert!(!problem("min_chars = -1").contains('\n') && !said.contains('\n'));
        assert!(problem("[gopher-quality]\nmin_words = 3").contains("[stage.gopher-quality]"));
        assert!(problem("min-chars = 3").contains("as in `min_chars`"));
        assert!(problem("threads = 3").contains("on the command line"));
    }

    #[test]
    fn every_preset_makes_a_chain() {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("quality.bin");
        let labels = ["__label__hq", "__label__cc"].map(|label| (label.to_owned(), 1));
        let labels = labels.to_vec();
        std::fs::write(&model, FastTextModel { labels, ..FastTextModel::default() }.bytes())
            .unwrap();
        for (name, bytes) in [("en.sp.model", PLAIN_PIECES), ("en.arpa.bin", WORDS)] {
            std::fs::write(folder.path().join(name), bytes).unwrap();
        }
        for preset in PRESETS {
            let file = ConfigFile::parse(preset.text).unwrap();
            assert!(file.inputs.is_empty() && file.output.is_none());
            let config = Config { preset: Some(preset.name.to_owned()), ..Config::default() };
            let config = match preset.name {
                "dclm" => {
                    let problem = config.clone().settings().unwrap_err().to_string();
                    let remedy = "--set fasttext.models.quality.path=FILE";
                    assert!(problem.contains(remedy), "{problem}");
                    let path = format!("fasttext.models.quality.path={}", model.display());
                    Config { set: Some(vec![path]), ..config }
                }
                "ccnet" => {
                    let problem = config.clone().settings().unwrap_err().to_string();
                    assert!(problem.contains("--set perplexity.models=FOLDER"), "{problem}");
                    let models = format!("perplexity.models={}", folder.path().display());
                    Config { set: Some(vec![models]), ..config }
                }
                _ => config,
            };
            let settings = config.settings().unwrap();
            assert_eq!(settings.stages.names(), file.config.stages.unwrap(), "{}", preset.name);
        }
    }
}
