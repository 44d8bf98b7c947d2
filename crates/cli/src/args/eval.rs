//! Flags of `huller eval`.

use super::values::{self, ExtractorList};
use crate::models;
use crate::usage_error::UsageError;
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use huller_eval::bootstrap::RESAMPLES;
use huller_eval::{CostlyScores, Grouping};
use huller_extract::{ExtractorFactory, Profile};
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub(crate) struct EvalArgs {
    /// Archives with the pages of the gold standard; needed only to run extractors
    #[arg(value_name = "PAGES")]
    pages: Vec<PathBuf>,
    /// Gold standard, one JSON object per line (plain, gzip, zstd): `id`, `dataset`,
    /// `warc_record_id`, `text`, `with`, `without`, `gold_html`
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    gold: Vec<PathBuf>,
    /// Texts of another program, `{"id", "text"}` per line; `id` is that of the gold standard or of
    /// the WARC record
    #[arg(long, value_name = "FILE", num_args = 1..)]
    predictions: Vec<PathBuf>,

    /// Extractors, split by commas, or `all`
    #[arg(long, visible_alias = "extractor", value_name = "NAMES", default_value = "all", value_parser = values::extractors)]
    extractors: ExtractorList,
    /// Profile of the extractors
    #[arg(long, value_enum, default_value = "tuned")]
    profile: ProfilesArg,

    /// Models or files of settings. Each extractor that can use one runs also with it, named
    /// `EXTRACTOR:NAME` after the file
    #[arg(long = "model", value_name = "FILE", num_args = 1..)]
    models: Vec<PathBuf>,

    /// Groups to score besides all pages
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',', default_value = "dataset")]
    by: Vec<ByArg>,
    /// Leave out pages whose `gold_cov` in the gold standard is below SHARE (0 to 1)
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub(crate) min_cov: f64,
    /// Score also ROUGE-LSum (slow on long texts)
    #[arg(long)]
    rouge: bool,
    /// Score also the Levenshtein ratio (slow on long texts)
    #[arg(long)]
    levenshtein: bool,
    /// Compare every two systems page by page
    #[arg(long)]
    pub(crate) pairs: bool,
    /// Show the N worst pages of every system, and how their texts differ from the gold standard
    /// [default: 5 in HTML, 0 in other formats]
    #[arg(long, value_name = "N")]
    worst: Option<usize>,
    /// Judge whole pages instead: does a page have an article? The truth is `page_type` in the gold
    /// standard. Extractors with a verdict or a score are compared with the length of the page's
    /// text
    #[arg(long, conflicts_with_all = ["blocks", "predictions", "pairs", "worst", "per_page", "baseline", "rouge", "levenshtein"])]
    pub(crate) judge: bool,
    /// Page types that count as pages with an article
    #[arg(
        long,
        value_name = "TYPES",
        value_delimiter = ',',
        default_value = "article",
        requires = "judge"
    )]
    pub(crate) positive: Vec<String>,
    /// Page types that count as pages without an article; pages of other types are left out
    #[arg(
        long,
        value_name = "TYPES",
        value_delimiter = ',',
        default_value = "listing,collection",
        requires = "judge"
    )]
    pub(crate) negative: Vec<String>,
    /// Score the choice of text runs instead, on pages that have `gold_html` in the gold standard
    #[arg(long, conflicts_with_all = ["predictions", "pairs", "worst", "per_page", "baseline", "rouge", "levenshtein"])]
    pub(crate) blocks: bool,
    /// Score titles, authors and dates instead, on pages that have `title`, `author` or `date` in
    /// the gold standard. Scores also those of `--predictions`
    #[arg(long, conflicts_with_all = ["judge", "blocks", "pairs", "worst", "per_page", "baseline", "rouge", "levenshtein"])]
    pub(crate) fields: bool,
    /// Resamples of the bootstrap, for 95 % intervals and `--pairs`
    #[arg(long, value_name = "N", default_value_t = RESAMPLES)]
    pub(crate) resamples: usize,

    /// Format of the figures; `html` is one self-contained page with charts and the worst pages
    #[arg(long, value_enum, value_name = "HOW", default_value = "terminal")]
    pub(crate) format: Format,
    /// File for the figures [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write the scores of every page to a CSV file
    #[arg(long, value_name = "FILE")]
    pub(crate) per_page: Option<PathBuf>,
    /// Exit with 1 if an F1 is lower, or more texts are empty, than in this CSV of an earlier run
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,
    /// Leave out speeds, so that the same texts give the same report
    #[arg(long)]
    pub(crate) no_speed: bool,

    /// Worker threads; 0 is one per core
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
    /// Print no progress and no statistics
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum ProfilesArg {
    Tuned,
    Paper,
    Both,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
#[value(rename_all = "snake_case")]
enum ByArg {
    Dataset,
    Lang,
    PageType,
    Length,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Terminal,
    Markdown,
    Csv,
    Json,
    Html,
}

/// The files, sorted by their purpose.
#[derive(Debug, Default)]
pub(crate) struct EvalFiles {
    pub(crate) pages: Vec<PathBuf>,
    pub(crate) gold: Vec<PathBuf>,
    pub(crate) predictions: Vec<PathBuf>,
}

impl EvalFiles {
    /// Returns all files.
    pub(crate) fn all(self) -> impl Iterator<Item = PathBuf> {
        self.pages.into_iter().chain(self.gold).chain(self.predictions)
    }
}

impl EvalArgs {
    /// Returns the files. `--gold` and `--predictions` take all paths up to the next flag. So an
    /// archive among them is one of the pages.
    pub(crate) fn files(&self) -> Result<EvalFiles> {
        let mut files = EvalFiles { pages: self.pages.clone(), ..EvalFiles::default() };
        for (paths, place) in
            [(&self.gold, &mut files.gold), (&self.predictions, &mut files.predictions)]
        {
            for path in paths {
                let list = if is_warc(path) { &mut files.pages } else { &mut *place };
                list.push(path.clone());
            }
        }
        if files.gold.is_empty() {
            bail!(UsageError("no gold file given".to_owned()));
        }
        if files.pages.is_empty() && files.predictions.is_empty() {
            bail!(UsageError("nothing to score: give PAGES or --predictions".to_owned()));
        }
        Ok(files)
    }

    /// Refuses options that would have no effect.
    pub(crate) fn check(&self) -> Result<()> {
        if let Some(conflicting_type) =
            self.positive.iter().find(|name| self.negative.contains(name))
        {
            bail!(UsageError(format!("'{conflicting_type}' is in --positive and in --negative")));
        }
        let aspects =
            [(self.judge, "--judge"), (self.blocks, "--blocks"), (self.fields, "--fields")];
        for (_, flag) in aspects.iter().filter(|(is_given, _)| *is_given) {
            if self.format == Format::Html {
                bail!(UsageError(format!("{flag} cannot be used with --format html")));
            }
        }
        if self.format == Format::Csv && self.worst.is_some() {
            bail!(UsageError("--worst cannot be used with --format csv".to_owned()));
        }
        if self.format == Format::Csv && self.pairs {
            bail!(UsageError("--pairs cannot be used with --format csv".to_owned()));
        }
        for (is_given, flag) in
            [(self.pairs, "--pairs"), (self.rouge, "--rouge"), (self.levenshtein, "--levenshtein")]
        {
            if self.format == Format::Html && is_given {
                bail!(UsageError(format!("{flag} cannot be used with --format html")));
            }
        }
        Ok(())
    }

    /// Returns the extractors in each requested profile. Then come the extractors that can use one
    /// of the models, with it.
    pub(crate) fn extractors(&self) -> Result<Vec<(&'static dyn ExtractorFactory, Profile)>> {
        let profiles: &[Profile] = match self.profile {
            ProfilesArg::Tuned => &[Profile::Tuned],
            ProfilesArg::Paper => &[Profile::Paper],
            ProfilesArg::Both => &[Profile::Paper, Profile::Tuned],
        };
        let extractors = self.extractors.0.iter();
        let mut runs: Vec<(&'static dyn ExtractorFactory, Profile)> = extractors
            .flat_map(|extractor| profiles.iter().map(|profile| (*extractor, *profile)))
            .collect();
        for path in &self.models {
            runs.extend(models::variants(path, &self.extractors.0, profiles)?);
        }
        Ok(runs)
    }

    /// Returns the number of worst pages to show for every system.
    pub(crate) fn worst(&self) -> usize {
        self.worst.unwrap_or(if self.format == Format::Html { 5 } else { 0 })
    }

    pub(crate) fn extra(&self) -> CostlyScores {
        CostlyScores { rouge: self.rouge, levenshtein: self.levenshtein }
    }

    pub(crate) fn by(&self) -> Vec<Grouping> {
        let by = self.by.iter().map(|by| match by {
            ByArg::Dataset => Grouping::Dataset,
            ByArg::Lang => Grouping::Lang,
            ByArg::PageType => Grouping::PageType,
            ByArg::Length => Grouping::Length,
        });
        by.collect()
    }
}

/// Returns whether the name is that of a WARC file: `.warc`, plain or compressed.
fn is_warc(path: &Path) -> bool {
    let mut name = PathBuf::from(path.file_name().unwrap_or_default());
    if name.extension().is_some_and(|suffix| suffix == "gz" || suffix == "zst") {
        name.set_extension("");
    }
    name.extension().is_some_and(|suffix| suffix == "warc")
}
