//! Flags of `huller dedup`.

use super::config::settings_of_rows;
use super::run::memory;
use crate::stores::{READ_AHEAD, stores};
use crate::usage_error::UsageError;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use huller_corpus::RowKeys;
use huller_dedup::{DedupStep, DropBy, Keep, Options, OutputFormat, Outputs, RowsFormat, Settings};
use huller_pipeline::{CompressChoice, Config, FormatChoice};
use huller_refine::signature::{Hash, SignatureSettings};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct DedupArgs {
    /// Files of rows (.jsonl, .csv, .tsv, also .gz, .zst and .lz4; .parquet), folders of them,
    /// lists of paths (.paths, .txt), or URLs. Their order is the order of the rows
    #[arg(value_name = "CORPUS", required = true)]
    pub(crate) corpora: Vec<PathBuf>,
    /// Folder for the output, one file per input
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Drop also rows that duplicate rows of these corpora, of which only the signatures are read:
    /// folders, or .sig files
    #[arg(long, value_name = "OLD", num_args = 1..)]
    pub(crate) against: Vec<PathBuf>,

    /// Drop also the rows that this file lists by identifier or URL, one per line, plain, gzip or
    /// zstd. They are dropped before duplicates are looked for
    #[arg(long, value_name = "LIST")]
    drop: Option<PathBuf>,
    /// Kind of the lines of --drop. `either` takes a line with `://` for a URL and any other for an
    /// identifier
    #[arg(long, value_enum, value_name = "WHAT", default_value = "either", requires = "drop")]
    drop_by: DropChoice,

    /// Leave out the pages that were withdrawn from corpora: folders from which `huller withdraw`
    /// removed pages, or their files of tombstones. The tombstones of --against corpora
    /// always apply. May be given several times
    #[arg(long, value_name = "PATH")]
    withdrawn: Vec<PathBuf>,

    /// Rules that make rows duplicates. They always apply in the order url, text, near, lines,
    /// paragraphs
    #[arg(long, value_enum, value_name = "STEPS", value_delimiter = ',', default_values = ["text", "near"], help_heading = "Duplicates")]
    by: Vec<StepChoice>,
    /// Row of a cluster that is kept [default: newest for the same URL, otherwise first]
    #[arg(long, value_enum, value_name = "WHICH", help_heading = "Duplicates")]
    keep: Option<KeepChoice>,
    /// Bands of a signature. Rows that share a band are near duplicates
    #[arg(long, value_name = "N", default_value_t = SignatureSettings::default().bands, help_heading = "Duplicates")]
    bands: u32,
    /// Hashes per band. With more hashes, rows must be more similar
    #[arg(long, value_name = "N", default_value_t = SignatureSettings::default().rows, help_heading = "Duplicates")]
    rows: u32,
    /// Words per shingle; in scripts without spaces between words, characters
    #[arg(long, value_name = "N", default_value_t = SignatureSettings::default().shingle, help_heading = "Duplicates")]
    shingle: u32,
    /// Hash function for words
    #[arg(
        long,
        value_enum,
        value_name = "HASH",
        default_value = "fast",
        help_heading = "Duplicates"
    )]
    hash: HashChoice,
    /// Seed for the parameters of the hashes
    #[arg(long, value_name = "N", default_value_t = SignatureSettings::default().seed, help_heading = "Duplicates")]
    seed: u32,
    /// Compare the texts of rows that share a band. Join two rows only if the Jaccard similarity of
    /// their shingles is at least J (above 0, at most 1) [default: not compared]
    #[arg(long, value_name = "J", help_heading = "Duplicates")]
    verify: Option<f64>,
    /// Leave out lines that are on more than N pages of one host; adds `lines` to --by
    #[arg(long, value_name = "N", help_heading = "Duplicates")]
    host_lines: Option<u64>,
    /// Shortest line that --host-lines leaves out, in characters. Shorter lines are mostly headings
    /// and code
    #[arg(long, value_name = "N", default_value_t = Settings::default().host_line_chars, requires = "host_lines", help_heading = "Duplicates")]
    host_line_chars: u64,
    /// Leave out paragraphs (lines) of at least N characters that occurred earlier in the corpus;
    /// adds `paragraphs` to --by
    #[arg(long, value_name = "N", help_heading = "Duplicates")]
    paragraphs: Option<u64>,

    /// Format of the output. JSON lines keep the members of each row. Other formats have the fields
    /// of `docs/rows.md`, and `source` has all other members [default: jsonl]
    #[arg(long, value_enum, value_name = "NAME", conflicts_with = "mark", help_heading = "Output")]
    format: Option<FormatChoice>,
    /// Write the JSON objects that another tool reads: dolma, datatrove, fineweb, ccnet, anserini,
    /// `es-bulk` or quickwit
    #[arg(long, value_name = "NAME", conflicts_with = "mark", help_heading = "Output")]
    schema: Option<String>,
    /// Write only these fields, in this order, also as JSON lines [default: all]
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        conflicts_with = "mark",
        help_heading = "Output"
    )]
    fields: Option<Vec<String>>,
    /// Compression of the output [default: that of the input for lines, zstd for other formats and
    /// rows of tables, gzip for wet]
    #[arg(long, value_enum, value_name = "HOW", conflicts_with = "mark", help_heading = "Output")]
    compress: Option<CompressChoice>,
    /// Compression level [default: 1 for zstd, 6 for gzip]
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        conflicts_with = "mark",
        help_heading = "Output"
    )]
    level: Option<i32>,
    /// Write the records of the kept rows as WARC, from the archives in DIR that the rows name
    #[arg(long, value_name = "DIR", conflicts_with_all = ["format", "schema", "fields", "compress", "level", "cluster_fields", "mark_rows", "mark"], help_heading = "Output")]
    archives: Option<PathBuf>,
    /// Add the field `cluster_size` to the kept rows
    #[arg(long, conflicts_with_all = ["mark", "mark_rows"], help_heading = "Output")]
    cluster_fields: bool,
    /// Keep all rows, and add the fields `duplicate_of` and `cluster_size` to each
    #[arg(long, conflicts_with = "mark", help_heading = "Output")]
    mark_rows: bool,
    /// Write no rows, but a file that lists the rows to drop, as JSONL
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    mark: Option<PathBuf>,

    /// Fields for the text of a row: the first that the row has counts [default: text,
    /// `raw_content`, contents, content]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Rows")]
    text_key: Option<Vec<String>>,
    /// Fields for the URL of a row; a dot leads into an object [default: url, metadata.url, u,
    /// `warc_url`, `source_url`]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Rows")]
    url_key: Option<Vec<String>>,

    /// Number of threads; 0 is one per processor
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Memory limit. Data that do not fit are sorted in the output folder. A line may have at most
    /// a thirty-second of the limit
    #[arg(long, value_name = "SIZE", value_parser = memory, default_value = "1G")]
    memory: usize,
    /// Resume the run in the output folder
    #[arg(long, conflicts_with = "overwrite")]
    resume: bool,
    /// Replace the run in the output folder
    #[arg(long)]
    overwrite: bool,
    /// Print no progress and no statistics
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum StepChoice {
    /// The same URL
    Url,
    /// The same text, apart from white space
    Text,
    /// A shared band of the signatures, directly or through other rows
    Near,
    /// Lines that are on many pages of a host
    Lines,
    /// Paragraphs that occurred earlier
    Paragraphs,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum KeepChoice {
    /// The first in the order of inputs
    First,
    /// The one with the longest text
    Longest,
    /// The one with the best `score`
    Score,
    /// The one with the latest `date`
    Newest,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum DropChoice {
    /// Identifiers or URLs, by their form
    Either,
    /// Identifiers
    Id,
    /// URLs
    Url,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum HashChoice {
    /// 32-bit multiplications
    Fast,
    /// The hash function of datatrove
    Datatrove,
}

impl DedupArgs {
    pub(crate) fn settings(&self) -> Result<Settings> {
        let has_step = |step| {
            let is_asked = |choice: &StepChoice| {
                matches!(
                    (choice, step),
                    (StepChoice::Url, DedupStep::Url)
                        | (StepChoice::Text, DedupStep::Text)
                        | (StepChoice::Near, DedupStep::Near)
                        | (StepChoice::Lines, DedupStep::Lines)
                        | (StepChoice::Paragraphs, DedupStep::Paragraphs)
                )
            };
            self.by.iter().any(is_asked)
                || (step == DedupStep::Lines && self.host_lines.is_some())
                || (step == DedupStep::Paragraphs && self.paragraphs.is_some())
        };
        let steps: Vec<_> = DedupStep::ALL.into_iter().filter(|step| has_step(*step)).collect();
        if steps.contains(&DedupStep::Lines) && self.host_lines.is_none() {
            bail!(UsageError(
                "--host-lines N must give the number of pages on which a line may \
                occur"
                    .to_owned()
            ));
        }
        if steps.contains(&DedupStep::Paragraphs) && self.paragraphs.is_none() {
            bail!(UsageError(
                "--paragraphs N must give the least length of a paragraph".to_owned()
            ));
        }
        let defaults = Settings::default();
        let keep = self.keep.map(|keep| match keep {
            KeepChoice::First => Keep::First,
            KeepChoice::Longest => Keep::Longest,
            KeepChoice::Score => Keep::Score,
            KeepChoice::Newest => Keep::Newest,
        });
        let outputs = match &self.mark {
            Some(file) => Outputs::List(file.clone()),
            None if self.mark_rows => Outputs::Marked,
            None if self.cluster_fields => Outputs::KeptWithSizes,
            None => Outputs::Kept,
        };
        let DedupArgs { bands, rows, shingle, seed, .. } = *self;
        let hash = match self.hash {
            HashChoice::Fast => Hash::Fast,
            HashChoice::Datatrove => Hash::Datatrove,
        };
        Ok(Settings {
            by: steps,
            keep,
            signatures: SignatureSettings { bands, rows, shingle, hash, seed },
            verify: self.verify,
            host_lines: self.host_lines.unwrap_or(defaults.host_lines),
            host_line_chars: self.host_line_chars,
            paragraph_chars: self.paragraphs.unwrap_or(defaults.paragraph_chars),
            keys: RowKeys {
                text: self.text_key.clone().unwrap_or(defaults.keys.text),
                url: self.url_key.clone().unwrap_or(defaults.keys.url),
            },
            outputs,
            format: self.output_format()?,
        })
    }

    /// Returns the format of the output. Lines are copied unless an option changes them.
    fn output_format(&self) -> Result<OutputFormat> {
        if self.archives.is_some() {
            return Ok(OutputFormat::Warc);
        }
        if self.format == Some(FormatChoice::Warc) {
            bail!(UsageError(
                "--format warc needs the records of the rows: give the folder of their archives \
                 as --archives DIR"
                    .to_owned()
            ));
        }
        let DedupArgs { format, schema, fields, compress, level, .. } = self;
        let is_copied = matches!(format, None | Some(FormatChoice::Jsonl))
            && schema.is_none()
            && fields.is_none()
            && compress.is_none()
            && level.is_none();
        if is_copied {
            return Ok(OutputFormat::Lines);
        }
        let config = Config {
            format: format.map(|format| vec![format]),
            schema: schema.clone(),
            fields: fields.clone(),
            compress: *compress,
            level: *level,
            ..Config::default()
        };
        let settings = settings_of_rows(config, RowKeys::default())?;
        let layout = settings.layout(String::new());
        Ok(OutputFormat::Rows(Box::new(RowsFormat::new(settings.format, layout))))
    }

    pub(crate) fn options(&self) -> Options {
        Options {
            threads: self.threads,
            memory: self.memory as u64,
            resume: self.resume,
            overwrite: self.overwrite,
            stores: stores(READ_AHEAD),
            archives: self.archives.clone(),
            drop: self.drop.clone(),
            withdrawn: self.withdrawn.clone(),
            drop_by: match self.drop_by {
                DropChoice::Either => DropBy::Either,
                DropChoice::Id => DropBy::Id,
                DropChoice::Url => DropBy::Url,
            },
        }
    }
}
