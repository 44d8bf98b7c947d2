//! Flags of `huller index` and `huller search`.

use super::run::memory;
use crate::stores::{READ_AHEAD, stores};
use clap::Args;
use huller_index::{Day, Filter, Options};
use std::path::PathBuf;
use std::str::FromStr;

#[derive(Args, Debug)]
pub(crate) struct IndexArgs {
    /// Files of rows (.jsonl, .csv, .tsv, also .gz, .zst and .lz4; .parquet), folders of them,
    /// lists of paths (.paths, .txt), or URLs. Or finished indexes, which are joined to one
    #[arg(value_name = "CORPUS", required = true)]
    pub(crate) corpora: Vec<PathBuf>,
    /// Folder for the index
    #[arg(short, long, value_name = "INDEX")]
    pub(crate) output: PathBuf,
    /// Leave out the rows of this list, as `huller dedup --mark` writes it, and delete them if they
    /// are in the index
    #[arg(long, value_name = "LIST")]
    drop: Vec<PathBuf>,
    /// Leave out the pages that were withdrawn from corpora: folders from which `huller withdraw`
    /// removed pages, or their files of tombstones. May be given several times
    #[arg(long, value_name = "PATH")]
    withdrawn: Vec<PathBuf>,
    /// The rows are passages, as `--passages` of extract and refine writes them. A search then
    /// shows the best passage of each page
    #[arg(long)]
    passages: bool,
    /// Number of threads; 0 is one per processor
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Memory limit. A line may have at most a thirty-second of it
    #[arg(long, value_name = "SIZE", value_parser = memory, default_value = "1G")]
    memory: usize,
    /// Resume the index in the folder, and add new rows of the corpora
    #[arg(long, conflicts_with = "overwrite")]
    resume: bool,
    /// Replace the index in the folder
    #[arg(long)]
    overwrite: bool,
    /// Bytes of rows between two commits. A kill or Control-C loses at most so many
    #[arg(long, value_name = "SIZE", value_parser = huller_pipeline::parse_bytes, default_value = "1G")]
    commit_every: usize,
    /// Print no progress and no statistics
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl IndexArgs {
    pub(crate) fn options(&self) -> Options {
        Options {
            threads: self.threads,
            memory: self.memory as u64,
            resume: self.resume,
            overwrite: self.overwrite,
            passages: self.passages,
            drop: self.drop.clone(),
            withdrawn: self.withdrawn.clone(),
            commit_interval_bytes: self.commit_every as u64,
            stores: stores(READ_AHEAD),
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct SearchArgs {
    /// Folder of the index
    #[arg(value_name = "INDEX")]
    pub(crate) index: PathBuf,
    /// Words, "phrases" and beginnings*; +word must occur, -word must not; title:, text:, author:,
    /// url:, host:, lang:, type:, id:, date:DAY..DAY, published:DAY..DAY
    #[arg(value_name = "QUERY", allow_hyphen_values = true, required_unless_present = "queries")]
    pub(crate) query: Option<String>,
    /// Run the queries of a file, one in each line (-: standard input)
    #[arg(long, value_name = "FILE", conflicts_with = "query")]
    pub(crate) queries: Option<PathBuf>,
    /// Print at most N rows of each query, or `all`
    #[arg(short = 'n', long, value_name = "N", default_value = "10")]
    pub(crate) limit: RowLimit,
    /// Print one JSON object per row
    #[arg(long)]
    pub(crate) json: bool,
    /// Only rows in this language, which also decides how words are stemmed
    #[arg(long, value_name = "CODE")]
    lang: Option<String>,
    /// Only rows of this host, or of hosts in this domain
    #[arg(long, value_name = "HOST")]
    host: Option<String>,
    /// Only rows of this page type (article, forum, product, …)
    #[arg(long = "type", value_name = "TYPE")]
    page_type: Option<String>,
    /// Only rows of this day or later (2024-03-01)
    #[arg(long, value_name = "DAY")]
    from: Option<Day>,
    /// Only rows of this day or earlier
    #[arg(long, value_name = "DAY")]
    to: Option<Day>,
}

/// Most rows of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowLimit(usize);

impl RowLimit {
    /// Returns the number of rows.
    pub(crate) fn rows(self) -> usize {
        self.0
    }
}

impl FromStr for RowLimit {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<RowLimit, &'static str> {
        match text.parse() {
            Ok(rows @ 1..) => Ok(RowLimit(rows)),
            _ if text == "all" => Ok(RowLimit(usize::MAX)),
            _ => Err("give a number from 1 on, or all"),
        }
    }
}

impl SearchArgs {
    /// Returns the options whose value a row must have exactly: the option, the field of queries,
    /// the value.
    pub(crate) fn exact(&self) -> impl Iterator<Item = (&'static str, &'static str, &str)> {
        let given = [("--lang", "lang", &self.lang), ("--type", "type", &self.page_type)];
        given
            .into_iter()
            .filter_map(|(option, field, value)| Some((option, field, value.as_deref()?)))
    }

    pub(crate) fn filter(&self) -> Filter {
        let SearchArgs { lang, host, page_type, from, to, .. } = self;
        Filter {
            language: lang.clone(),
            host: host.clone(),
            from: *from,
            to: *to,
            page_type: page_type.clone(),
        }
    }
}
