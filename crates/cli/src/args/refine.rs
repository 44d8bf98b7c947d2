//! Flags of `huller refine`.

use super::config::{ConfigArgs, for_stdout, memory_beside, settings_of_rows};
use super::run::RunArgs;
use crate::models;
use anyhow::Result;
use clap::Args;
use huller_pipeline::{
    CompressChoice, Config, FormatChoice, OutputTo, RowKeys, Settings, parse_bytes,
};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct RefineArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,

    #[command(flatten)]
    flags: RefineFlags,
}

#[derive(Args, Clone, Debug)]
struct RefineFlags {
    /// Stages that rows pass, in this order; see `huller stages`
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Stages")]
    stages: Option<Vec<String>>,
    /// Named set of stages and settings; options given besides override it; see
    /// `huller stages --presets`
    #[arg(long, value_name = "NAME", help_heading = "Stages")]
    preset: Option<String>,
    /// Keep texts in these languages, by ISO 639-3 codes such as zho,eng. Adds the stage `language`
    /// if it is not among the stages
    #[arg(long, value_name = "CODES", value_delimiter = ',', help_heading = "Stages")]
    lang: Option<Vec<String>>,
    /// Setting of a stage, such as `gopher-quality.min_words=30`; may be given several times
    #[arg(long, value_name = "STAGE.SETTING=VALUE", help_heading = "Stages")]
    set: Option<Vec<String>>,
    /// Add to each row the figures behind the decisions of the stages
    #[arg(long, help_heading = "Stages")]
    signals: bool,
    /// Leave out the pages that were withdrawn from other corpora: folders from which
    /// `huller withdraw` removed pages, or their files of tombstones [default: none]
    #[arg(long, value_name = "PATHS", value_delimiter = ',')]
    withdrawn: Option<Vec<PathBuf>>,
    /// Key of the text in the rows [default: text, `raw_content`, contents, content]
    #[arg(long, value_name = "KEY")]
    text_key: Option<String>,
    /// Key of the URL; a dot leads into an object [default: url, metadata.url, u, `warc_url`,
    /// `source_url`]
    #[arg(long, value_name = "KEY")]
    url_key: Option<String>,
    /// End after N rows [default: no limit]
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Format of the outputs. With several, split by commas, each input has one file per format.
    /// JSON lines keep the members of each row. Other formats have the fields of `docs/rows.md`,
    /// and `source` has all other members [default: jsonl]
    #[arg(long, value_enum, value_name = "NAMES", value_delimiter = ',', help_heading = "Outputs")]
    format: Option<Vec<FormatChoice>>,
    /// Write the JSON objects that another tool reads: dolma, datatrove, fineweb, ccnet, anserini,
    /// `es-bulk`, quickwit, vespa or qdrant
    #[arg(long, value_name = "NAME", help_heading = "Outputs")]
    schema: Option<String>,
    /// Write only these fields, in this order, also as JSON lines [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Outputs")]
    fields: Option<Vec<String>>,
    /// Index name in `es-bulk` lines [default: from the request URL]; document type in `vespa`
    /// lines [default: page]
    #[arg(long, value_name = "NAME", help_heading = "Outputs")]
    es_index: Option<String>,
    /// Write the passages of the rows too, for search indexes and embeddings: one file in DIR for
    /// each file of rows; see `docs/passages.md` [default: none]
    #[arg(long, value_name = "DIR", help_heading = "Passages")]
    passages: Option<PathBuf>,
    /// Format of the passages [default: the first format of the rows that has fields]
    #[arg(long, value_enum, value_name = "NAME", help_heading = "Passages")]
    passages_format: Option<FormatChoice>,
    /// Write passages as the loader of an engine reads them: `es-bulk`, quickwit, vespa or qdrant
    #[arg(long, value_name = "NAME", help_heading = "Passages")]
    passages_schema: Option<String>,
    /// Setting of the splitter, such as `max_tokens=200`; may be given several times
    #[arg(long, value_name = "SETTING=VALUE", help_heading = "Passages")]
    passages_set: Option<Vec<String>>,
    /// Line after each page of `--format text` [default: an empty line]
    #[arg(long, value_name = "LINE", help_heading = "Outputs")]
    separator: Option<String>,
    /// Add Bloom filters of `id` and `url` to Parquet, so that readers can skip row groups
    #[arg(long, help_heading = "Outputs")]
    bloom_filters: bool,
    /// Write several files per input, each of at most N rows; see `docs/formats.md` [default: one
    /// file]
    #[arg(long, value_name = "N", help_heading = "Outputs")]
    rows_per_file: Option<u64>,
    /// Write several files per input, each of at most SIZE bytes [default: one file]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, help_heading = "Outputs")]
    bytes_per_file: Option<usize>,
    /// Compression of the output [default: zstd, gzip for wet, none for `-o -`]
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Outputs")]
    compress: Option<CompressChoice>,
    /// Compression level [default: 1 for zstd, 6 for gzip]
    #[arg(long, value_name = "N", allow_negative_numbers = true, help_heading = "Outputs")]
    level: Option<i32>,
}

impl RefineArgs {
    /// Returns the configuration: typed options over those of the file.
    pub(crate) fn configuration(&self) -> Result<Config> {
        let RefineFlags {
            stages,
            preset,
            lang,
            set,
            limit,
            format,
            schema,
            fields,
            es_index,
            separator,
            rows_per_file,
            bytes_per_file,
            compress,
            level,
            passages,
            passages_format,
            passages_schema,
            passages_set,
            withdrawn,
            ..
        } = self.flags.clone();
        let signals = self.flags.signals.then_some(true);
        let bloom_filters = self.flags.bloom_filters.then_some(true);
        let typed = Config {
            stages,
            preset,
            lang,
            set,
            signals,
            limit,
            format,
            schema,
            fields,
            es_index,
            separator,
            bloom_filters,
            rows_per_file,
            bytes_per_file,
            compress,
            level,
            passages,
            passages_format,
            passages_schema,
            passages_set,
            withdrawn,
            ..Config::default()
        };
        Ok(typed.merge_over(self.config.read()?.config))
    }

    /// Returns the settings that decide the bytes of the output.
    pub(crate) fn settings(&self) -> Result<Settings> {
        let config = self.configuration()?;
        let is_stdout = self.run.output_to() == OutputTo::Stdout;
        let config = if is_stdout { for_stdout(config) } else { config };
        let only = |key: &Option<String>, known| key.clone().map_or(known, |key| vec![key]);
        let known = RowKeys::default();
        let keys = RowKeys {
            text: only(&self.flags.text_key, known.text),
            url: only(&self.flags.url_key, known.url),
        };
        let withdrawn = config.withdrawn.clone().unwrap_or_default();
        let mut settings = settings_of_rows(config, keys)?;
        settings.withdrawn = models::read_withdrawn(&withdrawn)?;
        memory_beside(self.run.memory, &settings)?;
        Ok(settings)
    }
}
