//! Flags of `huller refine`.

use super::config::{ConfigArgs, settings};
use super::run::RunArgs;
use crate::usage_error::UsageError;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use huller_pipeline::{CompressChoice, Config, OutputTo, RowKeys, Settings, parse_bytes};
use huller_row::JSONL;

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
    /// Rows keep their fields, and are written as JSON lines
    #[arg(long, value_name = "NAME", hide = true)]
    format: Option<String>,
    /// Write several files per input, each of at most N rows; see `docs/formats.md` [default: one
    /// file]
    #[arg(long, value_name = "N")]
    rows_per_file: Option<u64>,
    /// Write several files per input, each of at most SIZE bytes [default: one file]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    bytes_per_file: Option<usize>,
    /// Compression of the output [default: zstd, none for `-o -`]
    #[arg(long, value_name = "HOW", value_parser = compression)]
    compress: Option<CompressChoice>,
    /// Compression level [default: 1 for zstd, 6 for gzip]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    level: Option<i32>,
}

fn compression(text: &str) -> Result<CompressChoice, String> {
    CompressChoice::from_str(text, true)
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
            rows_per_file,
            bytes_per_file,
            compress,
            level,
            ..
        } = self.flags.clone();
        let signals = self.flags.signals.then_some(true);
        let typed = Config {
            stages,
            preset,
            lang,
            set,
            signals,
            limit,
            rows_per_file,
            bytes_per_file,
            compress,
            level,
            ..Config::default()
        };
        Ok(typed.merge_over(self.config.read()?.config))
    }

    /// Returns the settings that decide the bytes of the output.
    pub(crate) fn settings(&self) -> Result<Settings> {
        let is_stdout = self.run.output_to() == OutputTo::Stdout;
        let compress = is_stdout.then_some(CompressChoice::None);
        let config = self.configuration()?.or(Config { compress, ..Config::default() });
        let mut settings = settings(config)?;
        let asked = self.flags.format.as_deref().unwrap_or(settings.format.name());
        if asked != JSONL.name() || settings.schema.is_some() || settings.fields.is_some() {
            bail!(UsageError(format!(
                "refine keeps the fields of its rows and writes JSON lines: leave out --format, \
                 --schema and --fields, or filter while extracting with `huller extract --format \
                 {asked} --stages …`"
            )));
        }
        let only = |key: &Option<String>, known| key.clone().map_or(known, |key| vec![key]);
        let known = RowKeys::default();
        settings.refines = Some(RowKeys {
            text: only(&self.flags.text_key, known.text),
            url: only(&self.flags.url_key, known.url),
        });
        Ok(settings)
    }
}
