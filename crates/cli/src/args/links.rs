//! Flags of `huller links`.

use super::run::memory;
use crate::stores::{READ_AHEAD, stores};
use clap::Args;
use huller_graph::GraphOptions;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct LinksArgs {
    /// Files of links (.jsonl, .csv, .tsv, also .gz, .zst and .lz4; .parquet), folders of them,
    /// lists of paths (.paths, .txt), or URLs
    #[arg(value_name = "LINKS", required = true)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Folder for vertices.txt.gz, edges.txt.gz and roles.csv.gz
    #[arg(short, long, value_name = "GRAPH")]
    pub(crate) output: PathBuf,
    /// Count only links of these roles [default: all roles]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    roles: Vec<String>,
    /// Count only links that lie in the texts of their rows
    #[arg(long)]
    kept: bool,
    /// Number of threads; 0 is one per processor
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Memory limit. Links that do not fit are sorted in the folder of the graph. A row may have at
    /// most a thirty-second of it
    #[arg(long, value_name = "SIZE", value_parser = memory, default_value = "1G")]
    memory: usize,
    /// Replace the three files of an earlier graph in the folder
    #[arg(long)]
    overwrite: bool,
    /// Print no progress and no statistics
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl LinksArgs {
    pub(crate) fn options(&self) -> GraphOptions {
        GraphOptions {
            threads: self.threads,
            memory: self.memory,
            roles: self.roles.clone(),
            kept_only: self.kept,
            overwrite: self.overwrite,
            stores: stores(READ_AHEAD),
        }
    }
}
