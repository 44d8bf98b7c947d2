//! Flags for configurations in files, for every command that writes rows.

use crate::usage_error::UsageError;
use anyhow::{Context, Result, bail};
use clap::Args;
use huller_pipeline::{
    CompressChoice, Config, ConfigError, ConfigFile, FormatChoice, MIN_MEMORY_BYTES, RowKeys,
    Settings,
};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct ConfigArgs {
    /// Read options that are not given here from a file, such as huller.toml
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print the configuration with every option, its default and its meaning, as a file for
    /// --config, and exit
    #[arg(long)]
    pub(crate) print_config: bool,
}

impl ConfigArgs {
    /// Reads the file. Returns an empty configuration without one.
    pub(crate) fn read(&self) -> Result<ConfigFile> {
        let Some(path) = &self.config else { return Ok(ConfigFile::default()) };
        let shown = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| UsageError(format!("cannot read '{shown}': {error}")))?;
        ConfigFile::parse(&text)
            .map_err(|error| UsageError(format!("'{shown}': {error}")))
            .context("the configuration cannot be used")
    }
}

/// Returns the settings of a run that extracts pages, or an error that names options as they are
/// typed.
pub(crate) fn settings(config: Config) -> Result<Settings> {
    Ok(config.settings().map_err(|error| usage_error(&error))?)
}

/// Returns the settings of a run over existing rows. `keys` are the names of texts and URLs.
pub(crate) fn settings_of_rows(config: Config, keys: RowKeys) -> Result<Settings> {
    Ok(config.settings_of_rows(keys).map_err(|error| usage_error(&error))?)
}

fn usage_error(error: &ConfigError) -> UsageError {
    UsageError(error.describe(|name| format!("--{}", name.replace('_', "-"))))
}

/// Returns the configuration of a run to standard output: a program that reads it takes
/// uncompressed rows.
pub(crate) fn for_stdout(config: Config) -> Config {
    let is_inside =
        matches!(config.format.as_deref(), Some([FormatChoice::Parquet | FormatChoice::Arrow, ..]));
    let compress = (!is_inside).then_some(CompressChoice::None);
    config.or(Config { compress, ..Config::default() })
}

/// Refuses a memory limit that the format of the outputs exceeds. Returns the bytes that the format
/// leaves, if there is a limit.
pub(crate) fn memory_beside(memory: Option<usize>, settings: &Settings) -> Result<Option<usize>> {
    let Some(memory) = memory else { return Ok(None) };
    let format_bytes = settings.format.max_memory_bytes();
    if memory < MIN_MEMORY_BYTES + format_bytes {
        let (format, min_mib) = (settings.format.name(), (MIN_MEMORY_BYTES + format_bytes) >> 20);
        bail!(UsageError(format!("--format {format} needs --memory of at least {min_mib}M")));
    }
    Ok(Some(memory - format_bytes))
}
