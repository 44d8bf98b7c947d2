//! Flags of every command that writes rows: inputs, output, threads, memory.

use super::shard::{self, Shard, ShardByChoice};
use crate::stores::stores;
use crate::usage_error::UsageError;
use anyhow::{Result, bail};
use clap::Args;
use huller_pipeline::{
    ConfigFile, DroppedRowsFolder, IndexOptions, MIN_MEMORY_BYTES, Options, OutputTo, PlanOptions,
    parse_bytes, paths_of,
};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct RunArgs {
    /// Archives (WARC, ARC, WACZ), rows (JSONL, CSV, TSV, Parquet) and HTML pages (also in ZIP or
    /// tar), plain or compressed (gzip, zstd, LZ4). Also folders of them, lists of paths (.paths,
    /// .txt; also .gz, .zst), or `-` for standard input. Builds with the feature `remote` read URLs
    /// of files or lists (s3://, gs://, az://, https://). `huller refine` reads only rows
    #[arg(value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Folder for the output, one file per input; `-` writes one file to standard output. Builds
    /// with the feature `remote` write also to URLs of object storage (s3://, gs://, az://)
    #[arg(short, long, value_name = "DIR|-", required_unless_present_any = ["config", "print_config"])]
    pub(crate) output: Option<PathBuf>,

    /// Write a list of the pages that are not in the output to FILE, as JSONL
    #[arg(long, value_name = "FILE")]
    pub(crate) rejects: Option<PathBuf>,
    /// Keep rows that stages drop, with reason and figures, in DIR/dropped.jsonl, for inspection
    #[arg(long, value_name = "DIR")]
    pub(crate) dropped: Option<PathBuf>,
    /// Dropped rows to keep for each reason, the first of the run; `all` keeps every one
    #[arg(long, value_name = "N|all", default_value = "100", requires = "dropped", value_parser = rows_kept)]
    dropped_rows: RowsKept,

    /// Index the rows in this folder after all are written, as `huller index` does. --resume
    /// continues the index there, --overwrite replaces it
    #[arg(long, value_name = "DIR")]
    pub(crate) index: Option<PathBuf>,

    /// Worker threads, at most four per processor (or 16); 0 is one per processor
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
    /// Memory limit, such as 1G. If it is too small for all threads, fewer are started [default:
    /// 64M plus 32M per thread plus 512M for data in flight]
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub(crate) memory: Option<usize>,
    /// Resume the run in the output folder
    #[arg(long, conflicts_with = "overwrite")]
    pub(crate) resume: bool,
    /// Replace the run in the output folder
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// Take inputs i, i+N, i+2N, … of all (i from 0). `auto` takes i and N from a Slurm array;
    /// `auto/N` takes i from a Slurm array or GNU parallel
    #[arg(long, value_name = "i/N|auto", value_parser = shard::parse)]
    pub(crate) shard: Option<Shard>,
    /// How inputs are assigned to shards: by position, which needs the same list for the whole run,
    /// or by name, for lists that grow
    #[arg(long, value_enum, value_name = "WHAT", default_value = "position", requires = "shard")]
    pub(crate) shard_by: ShardByChoice,
    /// Read input paths from a file, one per line, plain, gzip or zstd
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest: Vec<PathBuf>,
    /// Folder or URL that relative paths in lists refer to [default: the folder of the list]
    #[arg(long, value_name = "DIR")]
    pub(crate) base: Option<PathBuf>,
    /// Take the first N inputs of all, before they are split into shards
    #[arg(long, value_name = "N", value_parser = parse_limit)]
    pub(crate) limit_inputs: Option<usize>,
    /// Bytes to read ahead of the workers for inputs at URLs, counted within --memory
    #[arg(long, value_name = "SIZE", default_value = "32M", value_parser = read_ahead)]
    pub(crate) read_ahead: usize,
    /// Folder for output files until they are uploaded, if the output is a URL. The folder remains
    /// after a kill, so that --resume can continue within an input [default: a temporary folder of
    /// this run]
    #[arg(long, value_name = "DIR")]
    pub(crate) staging: Option<PathBuf>,
    /// Bytes of finished files that may wait for upload. Above it the run waits until some are
    /// uploaded
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = staging_size)]
    pub(crate) staging_size: u64,

    /// Exit with 1 if any record was damaged, or if an archive in a WACZ differs from its digest
    #[arg(long)]
    pub(crate) strict: bool,
    /// Count an input without a page as unusable, even if other inputs have pages
    #[arg(long)]
    pub(crate) no_empty_inputs: bool,
    /// Print which outputs would be written, and exit
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print no progress and no statistics
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl RunArgs {
    /// Returns the destination of the rows.
    pub(crate) fn output_to(&self) -> OutputTo {
        match &self.output {
            Some(output) if output.as_os_str() != "-" => OutputTo::Folder(output.clone()),
            _ => OutputTo::Stdout,
        }
    }

    /// Returns the destination of rows that stages drop.
    pub(crate) fn dropped_to(&self) -> Option<DroppedRowsFolder> {
        let folder = self.dropped.clone()?;
        Some(DroppedRowsFolder { folder, rows: self.dropped_rows.0 })
    }

    /// Returns the options for indexing after the run. Run and indexing follow one another, so both
    /// have the same memory limit.
    pub(crate) fn indexing(&self) -> huller_index::Options {
        let defaults = huller_index::Options::default();
        huller_index::Options {
            threads: self.threads,
            memory: self.memory.map_or(defaults.memory, |memory| memory as u64),
            resume: self.resume,
            overwrite: self.overwrite,
            ..defaults
        }
    }

    /// Takes inputs and outputs from a configuration file if they were not typed. With `has_index`
    /// an index names the inputs.
    ///
    /// # Errors
    ///
    /// A pattern of the file matches no path.
    pub(crate) fn complete(&mut self, file: ConfigFile, has_index: bool) -> Result<()> {
        if self.inputs.is_empty() && self.manifest.is_empty() && !has_index {
            let inputs = file.inputs.iter().map(|input| paths_of(input));
            let inputs = inputs.collect::<Result<Vec<_>, _>>();
            self.inputs = inputs.map_err(|error| UsageError(error.to_string()))?.concat();
        }
        self.output = self.output.take().or(file.output);
        self.rejects = self.rejects.take().or(file.rejects);
        Ok(())
    }

    /// Refuses options that do not fit together.
    ///
    /// # Errors
    ///
    /// No input is named, no output is named, or a run to standard output is to be resumed.
    pub(crate) fn check(&self) -> Result<()> {
        self.check_with(false)
    }

    /// As [`RunArgs::check`]. With `has_index` an index names the inputs.
    pub(crate) fn check_with(&self, has_index: bool) -> Result<()> {
        if self.inputs.is_empty() && self.manifest.is_empty() && !has_index {
            bail!(UsageError(
                "no input given: name one, or set `inputs` in the configuration file".to_owned()
            ));
        }
        if self.output.is_none() {
            bail!(UsageError(
                "no output given: use -o DIR, or set `output` in the configuration file".to_owned()
            ));
        }
        if self.resume && self.output_to() == OutputTo::Stdout {
            bail!(UsageError("--resume needs an output folder".to_owned()));
        }
        Ok(())
    }

    /// Returns the options of the plan. `output` is the folder that the run writes in.
    pub(crate) fn plan_options(&self, outputs: Vec<PathBuf>) -> Result<PlanOptions> {
        let shard = self.shard.map(|shard| shard.resolve(&from_environment));
        Ok(PlanOptions {
            manifests: self.manifest.clone(),
            base: self.base.clone(),
            outputs,
            shard: shard.transpose()?,
            shard_by: self.shard_by.into(),
            limit: self.limit_inputs,
            index: IndexOptions::default(),
            stores: stores(self.read_ahead),
        })
    }

    pub(crate) fn options(&self) -> Options {
        Options {
            threads: self.threads,
            memory: self.memory,
            resume: self.resume,
            overwrite: self.overwrite,
            inputs_belong_together: false,
            no_empty_inputs: self.no_empty_inputs,
            rejects: self.rejects.clone(),
            dropped: self.dropped_to(),
            uploads: None,
        }
    }
}

/// Most rows that are kept for each reason. `None` is all.
#[derive(Clone, Copy, Debug)]
struct RowsKept(Option<u64>);

fn rows_kept(text: &str) -> Result<RowsKept, String> {
    if text == "all" {
        return Ok(RowsKept(None));
    }
    let rows = text.parse().map_err(|_| "must be a number of rows, or `all`".to_owned())?;
    Ok(RowsKept(Some(rows)))
}

/// Parses a memory limit that a run accepts.
pub(super) fn memory(text: &str) -> Result<usize, String> {
    let bytes = parse_bytes(text)?;
    if bytes < MIN_MEMORY_BYTES {
        return Err(format!("must be at least {}M", MIN_MEMORY_BYTES >> 20));
    }
    Ok(bytes)
}

/// Parses a number of inputs, at least 1.
fn parse_limit(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(inputs) if inputs > 0 => Ok(inputs),
        _ => Err("must be a number of inputs, at least 1".to_owned()),
    }
}

/// Parses the number of bytes to read ahead.
fn read_ahead(text: &str) -> Result<usize, String> {
    const MAX_BYTES: usize = 4 << 30;
    let bytes = parse_bytes(text)?;
    if bytes > MAX_BYTES {
        return Err(format!("must be at most {}G", MAX_BYTES >> 30));
    }
    Ok(bytes)
}

/// Parses the number of bytes that may wait for upload.
fn staging_size(text: &str) -> Result<u64, String> {
    Ok(parse_bytes(text)? as u64)
}

/// Returns a variable of the environment, if it is UTF-8.
fn from_environment(name: &str) -> Option<String> {
    std::env::var_os(name).and_then(|value| value.into_string().ok())
}
