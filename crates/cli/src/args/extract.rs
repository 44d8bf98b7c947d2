//! `huller extract`.

use super::shard::{self, Shard, ShardByChoice};
use crate::exit::eprint_line;
use crate::models;
use crate::usage_error::UsageError;
use anyhow::{Result, bail};
use clap::Args;
use huller_archive::is_remote;
use huller_pipeline::{
    CompressChoice, Config, Flags, LEAST_MEMORY, Options, OutputTo, PlanOptions, Settings,
    parse_bytes,
};
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub(crate) struct ExtractArgs {
    /// WARC or JSONL files (plain, gzip, zstd), HTML pages, folders, lists of paths (.paths, .txt; also .gz, .zst), or `-`
    #[arg(value_name = "INPUT", required_unless_present = "manifest")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Folder for the output, one file an input; `-` writes JSONL to standard output
    #[arg(short, long, value_name = "DIR|-")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    config: Flags,

    /// List every page that is not in the output, as JSONL
    #[arg(long, value_name = "FILE")]
    pub(crate) rejects: Option<PathBuf>,

    /// Worker threads, at most four a processor (or 16); 0 takes one a processor
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
    /// Memory to get along with, such as 1G; with too little for all threads, fewer are started [default: 144M, 48M a thread, and 512M
    /// for what is in flight]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub(crate) memory: Option<usize>,
    /// Go on with the run in the output folder
    #[arg(long, conflicts_with = "overwrite")]
    pub(crate) resume: bool,
    /// Replace what is in the output folder
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// Take inputs i, i+N, i+2N, … of all (i from 0); `auto` asks a Slurm array for i and N, `auto/N` one or GNU parallel for i
    #[arg(long, value_name = "i/N|auto", value_parser = shard::parse)]
    pub(crate) shard: Option<Shard>,
    /// What decides whose share an input is: its position, which needs one list for the whole run, or its name, for lists that grow
    #[arg(long, value_enum, value_name = "WHAT", default_value = "position", requires = "shard")]
    pub(crate) shard_by: ShardByChoice,
    /// Read input paths from a file, one a line, plain, gzip or zstd
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest: Vec<PathBuf>,
    /// What relative paths in lists are relative to [default: the folder of the list]
    #[arg(long, value_name = "DIR")]
    pub(crate) base: Option<PathBuf>,

    /// Exit with 1 if any record was damaged
    #[arg(long)]
    pub(crate) strict: bool,
    /// Say what would be written where, and end
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// No progress and no account
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl ExtractArgs {
    /// Where the rows go.
    pub(crate) fn output_to(&self) -> OutputTo {
        if self.output.as_os_str() == "-" {
            OutputTo::Stdout
        } else {
            OutputTo::Folder(self.output.clone())
        }
    }

    /// A place to write to that is a URL.
    pub(crate) fn remote_output(&self) -> Option<&Path> {
        let places = [Some(&self.output), self.rejects.as_ref()];
        places.into_iter().flatten().map(PathBuf::as_path).find(|place| is_remote(place))
    }

    pub(crate) fn plan_options(&self) -> Result<PlanOptions> {
        let shard = self.shard.map(|shard| shard.resolve(&from_environment));
        let output = match self.output_to() {
            OutputTo::Folder(folder) => Some(folder),
            OutputTo::Stdout => None,
        };
        Ok(PlanOptions {
            manifests: self.manifest.clone(),
            base: self.base.clone(),
            output,
            shard: shard.transpose()?,
            shard_by: self.shard_by.into(),
        })
    }

    pub(crate) fn options(&self) -> Options {
        Options {
            threads: self.threads,
            memory: self.memory,
            resume: self.resume,
            overwrite: self.overwrite,
            rejects: self.rejects.clone(),
        }
    }

    /// What decides the bytes of the output.
    pub(crate) fn settings(&self) -> Result<Settings> {
        let is_stdout = self.output_to() == OutputTo::Stdout;
        // The program that reads our standard output takes the rows as they are.
        let compress = is_stdout.then_some(CompressChoice::None);
        let config = self.config.0.clone().or(Config { compress, ..Config::default() });
        let model = config.model.clone();
        let mut settings = config.settings().map_err(|error| {
            UsageError(error.describe(|option| format!("--{}", option.replace('_', "-"))))
        })?;
        if is_stdout && self.resume {
            bail!(UsageError("--resume needs an output folder".to_owned()));
        }
        if let Some(path) = model {
            if !settings.methods.iter().any(|method| method.model().is_some()) {
                let message = "--model is for the methods hull, nb and nb-table alone";
                bail!(UsageError(message.to_owned()));
            }
            settings.trained = models::read(&path, &settings.methods, settings.profile)?;
        }
        if let Some(memory) = self.memory
            && let Some(lowered) = self.config.0.fit_into(memory, &mut settings)
        {
            eprint_line(&format!("note: {lowered}, since --memory allows no more"));
        }
        Ok(settings)
    }
}

/// A size that a run can get along with.
fn memory(text: &str) -> Result<usize, String> {
    let bytes = parse_bytes(text)?;
    if bytes < LEAST_MEMORY {
        return Err(format!("must be at least {}M", LEAST_MEMORY >> 20));
    }
    Ok(bytes)
}

/// A variable of the environment that is UTF-8.
fn from_environment(name: &str) -> Option<String> {
    std::env::var_os(name).and_then(|value| value.into_string().ok())
}
