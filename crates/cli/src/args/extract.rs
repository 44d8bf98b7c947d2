//! Flags of `huller extract`.

use super::config::{ConfigArgs, for_stdout, memory_beside, settings};
use super::entries::EntryArgs;
use super::run::RunArgs;
use crate::exit::eprint_line;
use crate::models;
use crate::usage_error::UsageError;
use anyhow::{Result, bail};
use clap::Args;
use huller_pipeline::{Config, Flags, IndexOptions, OutputTo, Revisits, Settings};
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Args, Debug)]
pub(crate) struct ExtractArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,

    #[command(flatten)]
    pub(crate) config: ConfigArgs,

    #[command(flatten)]
    flags: Flags,

    #[command(flatten)]
    pub(crate) entries: EntryArgs,

    /// Give each revisit a row with the page of the record to which it refers. These indexes (as
    /// for --records-from) list the records of the archives in --archives
    #[arg(long, value_name = "INDEX", num_args = 1.., help_heading = "Records named by an index")]
    pub(crate) revisits_from: Vec<PathBuf>,
}

impl ExtractArgs {
    /// Takes inputs and outputs from the configuration file if they were not typed.
    pub(crate) fn complete(&mut self) -> Result<()> {
        let file = self.config.read()?;
        self.run.complete(file, self.entries.is_given())
    }

    /// Returns the configuration: typed options over those of the file.
    pub(crate) fn configuration(&self) -> Result<Config> {
        Ok(self.flags.0.clone().merge_over(self.config.read()?.config))
    }

    /// Returns the settings that decide the bytes of the output.
    pub(crate) fn settings(&self) -> Result<Settings> {
        let is_stdout = self.run.output_to() == OutputTo::Stdout;
        let config = self.configuration()?;
        let config = if is_stdout { for_stdout(config) } else { config };
        let leaves_out_elements =
            config.markdown_without.as_ref().is_some_and(|elements| !elements.is_empty());
        if leaves_out_elements && config.markdown != Some(true) && config.passages.is_none() {
            bail!(UsageError("--markdown-without needs --markdown or --passages".to_owned()));
        }
        let (model, thesaurus) = (config.model.clone(), config.thesaurus.clone());
        let mut settings = settings(config.clone())?;
        if let Some(path) = &model {
            if !settings.extractors.iter().any(|extractor| extractor.model().is_some()) {
                let message = "--model works only with the extractors hull, nb, nb-table, dvps \
                    and ceds";
                bail!(UsageError(message.to_owned()));
            }
            settings.trained = models::read(path, &settings.extractors, settings.profile)?;
        }
        if let Some(path) = &thesaurus {
            if !settings.blocks
                && settings.side_tables.is_empty()
                && !settings.extractors.iter().any(|extractor| models::has_thesaurus(*extractor))
            {
                bail!(UsageError(
                    "--thesaurus works only with --blocks or the extractor dvps".to_owned()
                ));
            }
            let (own_thesaurus, phrases) = models::read_thesaurus(path)?;
            models::add_phrases(&phrases, model.as_deref(), &mut settings)?;
            settings.thesaurus = Some(own_thesaurus);
        }
        settings.withdrawn = models::read_withdrawn(&config.withdrawn.clone().unwrap_or_default())?;
        settings.revisits = self.revisits()?;
        if let Some(memory) = memory_beside(self.run.memory, &settings)?
            && let Some(lowered) = config.fit_into(memory, &mut settings)
        {
            eprint_line(&format!("note: {lowered}, because --memory allows no more"));
        }
        Ok(settings)
    }

    /// Reads the indexes of the records to which revisits refer, if the user gives any.
    fn revisits(&self) -> Result<Option<Arc<Revisits>>> {
        if self.revisits_from.is_empty() {
            return Ok(None);
        }
        let memory = self.run.memory.map_or(IndexOptions::MEMORY, IndexOptions::memory_budget);
        let read = Revisits::read(&self.revisits_from, self.entries.archives.as_deref(), memory);
        let revisits = read.map_err(|error| UsageError(error.to_string()))?;
        if revisits.bad > 0 {
            let bad = revisits.bad;
            eprint_line(&format!("note: {bad} lines of --revisits-from are no entries"));
        }
        Ok(Some(Arc::new(revisits)))
    }
}
