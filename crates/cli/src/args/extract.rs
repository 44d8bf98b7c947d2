//! `huller extract`.

use super::shard::{self, Shard};
use super::values;
use crate::models;
use crate::usage_error::UsageError;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use huller_archive::{Compression, JsonlKeys, Limits};
use huller_extract::{METHODS, Method, Profile};
use huller_pipeline::{Include, Options, OutputTo, PlanOptions, Settings, Trained};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct ExtractArgs {
    /// WARC or JSONL files (plain, gzip, zstd), HTML pages, folders, lists of paths (.paths, .txt; also .gz), or `-`
    #[arg(value_name = "INPUT", required_unless_present = "manifest")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Folder for the output, one file an input; `-` writes JSONL to standard output
    #[arg(short, long, value_name = "DIR|-")]
    pub(crate) output: PathBuf,

    /// Extraction method, see `huller extractors`; of several, split by commas, each row has all `texts`, the first as `text`
    #[arg(long, visible_alias = "extractors", value_name = "NAME", default_value = METHODS[0].name, value_delimiter = ',', value_parser = values::method)]
    pub(crate) extractor: Vec<&'static Method>,
    /// `tuned` is what measured best, `paper` the closest reading of the paper
    #[arg(long, value_enum, default_value = "tuned")]
    pub(crate) profile: ProfileArg,
    /// Model for the method hull, or for nb and nb-table [default: those that ship]
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// What the text includes besides the body: headline, author and date, comments that are kept apart, captions of figures
    #[arg(long, value_name = "PARTS", value_enum, value_delimiter = ',')]
    pub(crate) include: Vec<IncludeArg>,
    /// Skip pages that the (first) method judges to have no main content
    #[arg(long)]
    pub(crate) judge: bool,
    /// Skip pages with less text than N characters
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) min_chars: usize,
    /// Which HTTP responses to take: those with a 2xx or no status, or all
    #[arg(long, value_enum, value_name = "WHICH", default_value = "ok")]
    pub(crate) status: StatusArg,
    /// End after N rows
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,

    /// Add the source HTML of the selection to each row
    #[arg(long)]
    pub(crate) html: bool,
    /// Compute the payload's SHA-1 where the record does not give it
    #[arg(long)]
    pub(crate) digest: bool,
    /// Compression of the output [default: zstd, none for `-o -`]
    #[arg(long, value_enum, value_name = "HOW")]
    pub(crate) compress: Option<CompressArg>,
    /// Compression level [default: 1 for zstd, 6 for gzip]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) level: Option<i32>,
    /// List every page that is not in the output, as JSONL
    #[arg(long, value_name = "FILE")]
    pub(crate) rejects: Option<PathBuf>,

    /// Worker threads; 0 takes one a core
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
    /// Go on with the run in the output folder
    #[arg(long, conflicts_with = "overwrite")]
    pub(crate) resume: bool,
    /// Replace what is in the output folder
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// Take inputs i, i+N, i+2N, … of all (i from 0); `auto` asks a Slurm array for i and N, `auto/N` one or GNU parallel for i
    #[arg(long, value_name = "i/N|auto", value_parser = shard::parse)]
    pub(crate) shard: Option<Shard>,
    /// Read input paths from a file, one a line, plain or gzip
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

    /// Key of the page in JSONL inputs [default: html, h, content, `raw_content`, body]
    #[arg(long, value_name = "KEY", help_heading = "JSONL inputs")]
    pub(crate) html_key: Option<String>,
    /// Key of the URL [default: url, u, `warc_url`]
    #[arg(long, value_name = "KEY", help_heading = "JSONL inputs")]
    pub(crate) url_key: Option<String>,
    /// Key of the identifier [default: id]
    #[arg(long, value_name = "KEY", help_heading = "JSONL inputs")]
    pub(crate) id_key: Option<String>,

    #[command(flatten)]
    pub(crate) caps: CapArgs,
}

/// Sizes take K, M and G.
#[derive(Args, Debug)]
#[command(next_help_heading = "Limits")]
pub(crate) struct CapArgs {
    /// Cut pages after so many bytes; the row says `truncated`
    #[arg(long = "max-page-bytes", value_name = "SIZE", default_value = "16M", value_parser = values::bytes)]
    page_bytes: usize,
    /// Skip records that are longer
    #[arg(long = "max-record-bytes", value_name = "SIZE", default_value = "128M", value_parser = values::bytes)]
    record_bytes: usize,
    /// Refuse WARC and HTTP headers that are longer
    #[arg(long = "max-header-bytes", value_name = "SIZE", default_value = "16M", value_parser = values::bytes)]
    header_bytes: usize,
    /// Skip pages whose decoded HTTP body is longer
    #[arg(long = "max-body-bytes", value_name = "SIZE", default_value = "128M", value_parser = values::bytes)]
    body_bytes: usize,
    /// Skip pages whose HTTP body grows more than N times by decoding
    #[arg(long = "max-decode-ratio", value_name = "N", default_value_t = Limits::default().decode_ratio)]
    decode_ratio: usize,
    /// Most content encodings over one another
    #[arg(long = "max-encodings", value_name = "N", default_value_t = Limits::default().content_encodings)]
    encodings: usize,
    /// Largest zstd window, as a power of two
    #[arg(long = "max-zstd-window", value_name = "LOG", default_value_t = Limits::default().zstd_window_log, value_parser = clap::value_parser!(u32).range(10..=31))]
    zstd_window: u32,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum ProfileArg {
    Tuned,
    Paper,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IncludeArg {
    Title,
    Byline,
    Comments,
    Captions,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatusArg {
    Ok,
    Any,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CompressArg {
    Zstd,
    Gzip,
    None,
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
        })
    }

    pub(crate) fn options(&self) -> Options {
        let threads = match self.threads {
            0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            threads => threads,
        };
        Options {
            threads,
            resume: self.resume,
            overwrite: self.overwrite,
            rejects: self.rejects.clone(),
        }
    }

    /// The methods that take the model that was asked for, with it.
    fn trained(&self, profile: Profile) -> Result<Vec<Trained>> {
        let Some(path) = &self.model else { return Ok(Vec::new()) };
        if !self.extractor.iter().any(|method| models::takes_model(method.name)) {
            bail!(UsageError("--model is for the methods hull, nb and nb-table alone".to_owned()));
        }
        let names: Vec<_> = self.extractor.iter().map(|method| method.name).collect();
        models::read(path, &names, profile)
    }

    /// What decides the bytes of the output.
    pub(crate) fn settings(&self) -> Result<Settings> {
        let stdout = self.output_to() == OutputTo::Stdout;
        let how =
            self.compress.unwrap_or(if stdout { CompressArg::None } else { CompressArg::Zstd });
        let (compression, levels) = match how {
            CompressArg::Zstd => (
                self.level.map_or(Compression::DEFAULT_ZSTD, |level| Compression::Zstd { level }),
                -7..=22,
            ),
            CompressArg::Gzip => (
                self.level.map_or(Compression::DEFAULT_GZIP, |level| Compression::Gzip { level }),
                1..=12,
            ),
            CompressArg::None => (Compression::None, 0..=0),
        };
        if let Some(level) = self.level
            && !levels.contains(&level)
        {
            let range = format!("{} to {}", levels.start(), levels.end());
            bail!(UsageError(match how {
                CompressArg::None => "--level needs --compress zstd or gzip".to_owned(),
                CompressArg::Zstd => format!("--level for zstd goes from {range}"),
                CompressArg::Gzip => format!("--level for gzip goes from {range}"),
            }));
        }
        if stdout && self.resume {
            bail!(UsageError("--resume needs an output folder".to_owned()));
        }
        let mut keys = JsonlKeys::default();
        for (key, known) in [
            (&self.html_key, &mut keys.html),
            (&self.url_key, &mut keys.url),
            (&self.id_key, &mut keys.id),
        ] {
            if let Some(key) = key {
                *known = vec![key.clone()];
            }
        }
        for (place, method) in self.extractor.iter().enumerate() {
            if self.extractor[..place].iter().any(|before| before.name == method.name) {
                bail!(UsageError(format!("--extractor names '{}' twice", method.name)));
            }
        }
        let profile = match self.profile {
            ProfileArg::Tuned => Profile::Tuned,
            ProfileArg::Paper => Profile::Paper,
        };
        let caps = &self.caps;
        let defaults = Limits::default();
        Ok(Settings {
            methods: self.extractor.clone(),
            profile,
            trained: self.trained(profile)?,
            include: Include {
                title: self.include.contains(&IncludeArg::Title),
                byline: self.include.contains(&IncludeArg::Byline),
                comments: self.include.contains(&IncludeArg::Comments),
                captions: self.include.contains(&IncludeArg::Captions),
            },
            compression,
            any_status: self.status == StatusArg::Any,
            judge: self.judge,
            min_chars: self.min_chars,
            limit: self.limit,
            html: self.html,
            digest: self.digest,
            max_page_bytes: caps.page_bytes,
            limits: Limits {
                header_bytes: caps.header_bytes,
                header_line_bytes: defaults.header_line_bytes.min(caps.header_bytes),
                record_bytes: caps.record_bytes,
                body_bytes: caps.body_bytes,
                decode_ratio: caps.decode_ratio,
                content_encodings: caps.encodings,
                zstd_window_log: caps.zstd_window,
                batch_bytes: defaults.batch_bytes,
            },
            keys,
        })
    }
}

/// A variable of the environment that is UTF-8.
fn from_environment(name: &str) -> Option<String> {
    std::env::var_os(name).and_then(|value| value.into_string().ok())
}
