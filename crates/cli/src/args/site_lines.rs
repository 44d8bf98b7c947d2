//! Flags of `huller site-lines`.

use super::run::memory;
use crate::stores::{READ_AHEAD, stores};
use clap::Args;
use huller_corpus::RowKeys;
use huller_site::SiteOptions;
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub(crate) struct SiteLinesArgs {
    /// Files of rows (.jsonl, .csv, .tsv, also .gz, .zst and .lz4; .parquet), folders of them,
    /// lists of paths (.paths, .txt), or URLs
    #[arg(value_name = "CORPUS", required = true)]
    pub(crate) inputs: Vec<PathBuf>,
    /// File for the list of lines, JSON Lines; .zst and .gz compress it; - is standard output
    #[arg(short, long, value_name = "LIST")]
    pub(crate) output: PathBuf,
    /// List lines that are on at least so many different pages of a host
    #[arg(long, value_name = "N", default_value_t = SiteOptions::default().pages)]
    #[arg(value_parser = clap::value_parser!(u64).range(2..))]
    pages: u64,
    /// List lines that are on at least this share of the different pages of a host, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = SiteOptions::default().share)]
    share: f64,
    /// List lines of at least so many characters
    #[arg(long, value_name = "N", default_value_t = SiteOptions::default().chars)]
    chars: u64,
    /// Fields for the text of a row: the first that the row has counts [default: text,
    /// `raw_content`, contents, content]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    text_key: Option<Vec<String>>,
    /// Fields for the URL of a row; a dot leads into an object [default: url, metadata.url, u,
    /// `warc_url`, `source_url`]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    url_key: Option<Vec<String>>,
    /// Number of threads; 0 is one per processor
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Memory limit. Lines that do not fit are sorted in the folder of the list. A row may have at
    /// most a thirty-second of it
    #[arg(long, value_name = "SIZE", value_parser = memory, default_value = "1G")]
    memory: usize,
    /// Replace an earlier list
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// Print no progress and no statistics
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl SiteLinesArgs {
    pub(crate) fn options(&self) -> SiteOptions {
        let defaults = SiteOptions::default();
        SiteOptions {
            pages: self.pages,
            share: self.share,
            chars: self.chars,
            keys: RowKeys {
                text: self.text_key.clone().unwrap_or(defaults.keys.text),
                url: self.url_key.clone().unwrap_or(defaults.keys.url),
            },
            threads: self.threads,
            memory: self.memory,
            folder: self.folder().unwrap_or(defaults.folder),
            stores: stores(READ_AHEAD),
        }
    }

    /// Returns the folder of the list. `None` for standard output and for devices.
    fn folder(&self) -> Option<PathBuf> {
        if self.output.metadata().is_ok_and(|file| !file.is_file()) || self.is_stdout() {
            return None;
        }
        let folder = self.output.parent()?;
        let is_here = folder.as_os_str().is_empty();
        Some(if is_here { Path::new(".").to_owned() } else { folder.to_owned() })
    }

    /// Returns whether the list goes to standard output.
    pub(crate) fn is_stdout(&self) -> bool {
        self.output.as_os_str() == "-"
    }
}
