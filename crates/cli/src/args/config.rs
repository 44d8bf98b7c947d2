//! Flags for configurations in files, for every command that writes rows.

use crate::usage_error::UsageError;
use anyhow::{Context, Result};
use clap::Args;
use huller_pipeline::{Config, ConfigError, ConfigFile, Settings};
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

/// Returns the settings of a configuration, or an error that names options as they are typed.
pub(crate) fn settings(config: Config) -> Result<Settings> {
    let option = |name: &str| format!("--{}", name.replace('_', "-"));
    let said = |error: ConfigError| UsageError(error.describe(option));
    Ok(config.settings().map_err(said)?)
}
