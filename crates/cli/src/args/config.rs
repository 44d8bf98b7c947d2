//! Configurations in files, for every command that writes rows.

use crate::usage_error::UsageError;
use anyhow::{Context, Result};
use clap::Args;
use huller_pipeline::{Config, ConfigError, ConfigFile, Settings};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct ConfigArgs {
    /// Take what is not said here from a file, such as huller.toml
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print the configuration with every option, its default and what it means, as a file for
    /// --config, and end
    #[arg(long)]
    pub(crate) print_config: bool,
}

impl ConfigArgs {
    /// What the file says; nothing if there is none.
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

/// The settings that a configuration makes, or what is wrong, with options as they are typed.
pub(crate) fn settings(config: Config) -> Result<Settings> {
    let option = |name: &str| format!("--{}", name.replace('_', "-"));
    let said = |error: ConfigError| UsageError(error.describe(option));
    Ok(config.settings().map_err(said)?)
}
