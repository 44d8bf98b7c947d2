//! Errors of a configuration.

use super::choices::CompressChoice;
use super::presets::PRESETS;
use crate::work::page_row::STAGE_FIELDS;
use huller_extract::EXTRACTORS;
use huller_refine::{STAGES, StageError};
use huller_row::{FIELDS, SCHEMAS};
use std::fmt;
use std::ops::RangeInclusive;

/// The reason why a configuration gives no settings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConfigError {
    /// No extractor has this name.
    UnknownExtractor {
        /// The name as given.
        name: String,
    },
    /// The list of extractors is empty.
    NoExtractor,
    /// An extractor is named twice.
    RepeatedExtractor {
        /// Its name.
        name: String,
    },
    /// A row is to get one of several texts, but there is one extractor.
    NoChoice {
        /// The rule as given.
        rule: &'static str,
    },
    /// No stage has this name.
    UnknownStage {
        /// The name as given.
        name: String,
    },
    /// A stage is named twice.
    RepeatedStage {
        /// Its name.
        name: String,
    },
    /// A setting belongs to a stage that this run does not use.
    UnusedSetting {
        /// The entry as given.
        entry: String,
    },
    /// An entry is not of the form `STAGE.SETTING=VALUE`.
    NoSetting {
        /// The entry as given.
        entry: String,
    },
    /// A stage looks at a field that pages do not have while they are extracted.
    FieldOfStage {
        /// The stage.
        stage: &'static str,
        /// The field as given.
        field: String,
    },
    /// A stage refuses its settings.
    Stage(StageError),
    /// No preset has this name.
    UnknownPreset {
        /// The name as given.
        name: String,
    },
    /// The text of a file is not a valid configuration.
    File {
        /// The problem and its place.
        problem: String,
    },
    /// A level is given, but the output is not compressed.
    LevelOfNothing,
    /// No schema has this name.
    UnknownSchema {
        /// The name as given.
        name: String,
    },
    /// No field has this name.
    UnknownField {
        /// The name as given.
        name: String,
    },
    /// A field needs an option that this run does not have.
    FieldNotAsked {
        /// Its name.
        name: String,
    },
    /// The list of fields is empty.
    NoField,
    /// Fields are chosen, but the schema of another tool fixes them.
    FieldsOfSchema,
    /// An index is named, but the schema has no actions to name it in.
    IndexOfNothing,
    /// The separator is more than one line.
    LongSeparator,
    /// A format is named twice.
    FormatTwice {
        /// The format.
        format: &'static str,
    },
    /// Several files per input are asked for, and several formats too.
    FilesOfFormats,
    /// Several files per input are asked for, and a side table too.
    FilesOfSideTable {
        /// The option of the table.
        table: &'static str,
    },
    /// An option for a side table is given, but no folder for it.
    NoSideTable {
        /// The option.
        option: &'static str,
        /// The option of the table.
        table: &'static str,
    },
    /// Pages are to be escalated, but no score is given.
    NoLimitOfScore,
    /// The format holds no fields, so a side table cannot have it.
    SideTableOfFormat {
        /// The option of the table.
        table: &'static str,
        /// The format.
        format: &'static str,
    },
    /// Only JSON Lines have schemas, but passages have another format.
    SchemaOfPassages {
        /// The format.
        format: &'static str,
    },
    /// The schema fixes the members of rows.
    PassagesOfSchema,
    /// A setting of passages is unknown or has a wrong value.
    PassageSetting {
        /// The setting and the problem.
        problem: String,
    },
    /// The option belongs to other formats.
    NotOfFormat {
        /// The option.
        option: &'static str,
        /// The format.
        format: &'static str,
    },
    /// The format has the records of pages, and existing rows have none.
    RecordsOfRows {
        /// The format.
        format: &'static str,
    },
    /// Signatures give the places of rows, and rows of the format have none.
    SignaturesOfFormat {
        /// The format.
        format: &'static str,
    },
    /// Signatures give places in the one file of an input, but several files were asked for.
    SignaturesOfFiles,
    /// Readers of the format do not know the compression.
    Compression {
        /// The format.
        format: &'static str,
        /// The compressions that they know.
        known: Vec<CompressChoice>,
    },
    /// The compression has no such level.
    Level {
        /// The compression.
        compress: CompressChoice,
        /// Its levels.
        range: RangeInclusive<i32>,
    },
    /// A number is too small or too large.
    OutOfRange {
        /// The option.
        option: &'static str,
        /// The range of accepted numbers.
        range: RangeInclusive<u64>,
    },
}

impl ConfigError {
    /// Returns the error in words. `name` turns the name of a field of [`Config`](super::Config)
    /// into the name that the user knows.
    pub fn describe(&self, name: impl Fn(&str) -> String) -> String {
        match self {
            ConfigError::UnknownExtractor { .. }
            | ConfigError::NoExtractor
            | ConfigError::RepeatedExtractor { .. }
            | ConfigError::NoChoice { .. } => self.describe_extractors(name),
            ConfigError::UnknownStage { .. }
            | ConfigError::RepeatedStage { .. }
            | ConfigError::UnusedSetting { .. }
            | ConfigError::NoSetting { .. }
            | ConfigError::FieldOfStage { .. }
            | ConfigError::Stage(_) => self.describe_stages(name),
            ConfigError::UnknownPreset { name: preset } => {
                let known: Vec<_> = PRESETS.iter().map(|preset| preset.name).collect();
                format!("unknown preset '{preset}'; the presets are {}", known.join(", "))
            }
            ConfigError::File { problem } => problem.clone(),
            ConfigError::UnknownSchema { name } => {
                let known: Vec<_> = SCHEMAS.iter().map(|schema| schema.name).collect();
                format!("unknown schema '{name}'; the schemas are {}", known.join(", "))
            }
            ConfigError::UnknownField { name } => {
                let known: Vec<_> = FIELDS.iter().map(|field| field.name).collect();
                format!("unknown field '{name}'; the fields are {}", known.join(", "))
            }
            ConfigError::FieldNotAsked { name: field } => {
                format!("{} names '{field}', which this run does not produce", name("fields"))
            }
            ConfigError::NoField => "give at least one field".to_owned(),
            ConfigError::FieldsOfSchema => {
                format!("{} cannot be used with {}", name("fields"), name("schema"))
            }
            ConfigError::IndexOfNothing => {
                format!("{} needs {} es-bulk or vespa", name("es_index"), name("schema"))
            }
            ConfigError::FilesOfSideTable { .. }
            | ConfigError::NoSideTable { .. }
            | ConfigError::NoLimitOfScore
            | ConfigError::SideTableOfFormat { .. }
            | ConfigError::SchemaOfPassages { .. }
            | ConfigError::PassagesOfSchema
            | ConfigError::PassageSetting { .. } => self.describe_side_tables(name),
            ConfigError::LongSeparator => format!("{} is one line", name("separator")),
            ConfigError::FormatTwice { format } => {
                format!("{} names '{format}' twice", name("format"))
            }
            ConfigError::FilesOfFormats => {
                let (rows, bytes) = (name("rows_per_file"), name("bytes_per_file"));
                format!(
                    "{rows} and {bytes} work with only one {}: files of several formats would end \
                     at different rows",
                    name("format")
                )
            }
            ConfigError::NotOfFormat { option, format } => {
                format!("{} cannot be used with {} {format}", name(option), name("format"))
            }
            ConfigError::RecordsOfRows { format } => format!(
                "{} {format} needs the records of pages, which rows do not have: use `huller \
                 extract` with the same stages, or `huller dedup --archives DIR`",
                name("format")
            ),
            ConfigError::SignaturesOfFormat { format } => {
                let option = name("format");
                format!(
                    "the stage signature needs {option} jsonl or parquet, first if there are \
                     several formats: signatures refer to positions of rows, which {format} does \
                     not have"
                )
            }
            ConfigError::SignaturesOfFiles => {
                let (rows, bytes) = (name("rows_per_file"), name("bytes_per_file"));
                format!(
                    "the stage signature needs one file for each input: leave out {rows} and \
                     {bytes}, or the stage; `huller dedup` computes missing signatures"
                )
            }
            ConfigError::Compression { format, known } => {
                let known: Vec<_> = known.iter().map(|kind| kind.word()).collect();
                let (known, format_name) = (known.join(" or "), name("format"));
                format!("{format_name} {format} needs {} {known}", name("compress"))
            }
            ConfigError::LevelOfNothing => {
                format!("{} needs {} zstd or gzip", name("level"), name("compress"))
            }
            ConfigError::Level { compress, range } => {
                let how = match compress {
                    CompressChoice::Gzip => "gzip",
                    CompressChoice::Zstd | CompressChoice::None => "zstd",
                };
                let (first, last) = (range.start(), range.end());
                format!("{} for {how} must be from {first} to {last}", name("level"))
            }
            ConfigError::OutOfRange { option, range } if *range.end() == u64::MAX => {
                format!("{} must be at least {}", name(option), range.start())
            }
            ConfigError::OutOfRange { option, range } => {
                format!("{} must be from {} to {}", name(option), range.start(), range.end())
            }
        }
    }

    /// Describes an error of the options for extractors.
    fn describe_extractors(&self, name: impl Fn(&str) -> String) -> String {
        match self {
            ConfigError::UnknownExtractor { name } => {
                let known: Vec<_> = EXTRACTORS.iter().map(|extractor| extractor.name()).collect();
                format!("unknown extractor '{name}'; the extractors are {}", known.join(", "))
            }
            ConfigError::NoExtractor => "give at least one extractor".to_owned(),
            ConfigError::RepeatedExtractor { name: extractor } => {
                format!("{} names '{extractor}' twice", name("extractor"))
            }
            ConfigError::NoChoice { rule } => format!(
                "{} {rule} needs several extractors: give {} hull,readability,dvps",
                name("choose"),
                name("extractor")
            ),
            _ => unreachable!("`describe` describes the other errors"),
        }
    }

    /// Describes an error of the options for stages.
    fn describe_stages(&self, name: impl Fn(&str) -> String) -> String {
        match self {
            ConfigError::UnknownStage { name } => {
                let known: Vec<_> = STAGES.iter().map(|stage| stage.name).collect();
                format!("unknown stage '{name}'; the stages are {}", known.join(", "))
            }
            ConfigError::RepeatedStage { name: stage } => {
                format!("{} names '{stage}' twice", name("stages"))
            }
            ConfigError::UnusedSetting { entry } => {
                let stage = entry.split('.').next().unwrap_or_default();
                format!(
                    "'{entry}' is a setting of a stage that does not run: add {stage} to {}",
                    name("stages")
                )
            }
            ConfigError::NoSetting { entry } => {
                format!("{} takes STAGE.SETTING=VALUE, not '{entry}'", name("set"))
            }
            ConfigError::FieldOfStage { stage, field } => format!(
                "the stage {stage} looks at the field '{field}', which pages do not have: give \
                 text, url, {}, or refine the rows later",
                STAGE_FIELDS.join(", ")
            ),
            ConfigError::Stage(error) => error.to_string(),
            _ => unreachable!("`describe` describes the other errors"),
        }
    }

    /// Describes an error of the options for side tables.
    fn describe_side_tables(&self, name: impl Fn(&str) -> String) -> String {
        match self {
            ConfigError::FilesOfSideTable { table } => format!(
                "{} works with one file of rows for each input: leave out {} and {}, several \
                 files per input",
                name(table),
                name("rows_per_file"),
                name("bytes_per_file")
            ),
            ConfigError::NoSideTable { option, table } => {
                format!("{} needs a folder: {} DIR", name(option), name(table))
            }
            ConfigError::NoLimitOfScore => {
                format!("{} needs {} SCORE, such as 0.6", name("escalate"), name("below"))
            }
            ConfigError::SideTableOfFormat { table, format } => format!(
                "{format} has no fields, which {table} need: use {} jsonl, parquet, arrow, csv \
                 or tsv",
                name(&format!("{table}_format"))
            ),
            ConfigError::SchemaOfPassages { format } => format!(
                "{} needs {} jsonl, not {format}",
                name("passages_schema"),
                name("passages_format")
            ),
            ConfigError::PassagesOfSchema => format!(
                "{} takes es-bulk, quickwit, vespa or qdrant; the other schemas are for whole pages",
                name("passages_schema")
            ),
            ConfigError::PassageSetting { problem } => {
                format!("{}: {problem}", name("passages_set"))
            }
            _ => unreachable!("`describe` describes the other errors"),
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe(str::to_owned))
    }
}

impl std::error::Error for ConfigError {}
