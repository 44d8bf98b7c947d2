//! `huller merge-stats`.

use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct MergeStatsArgs {
    /// Output folders of runs, such as the shards of one job, or files of the form of stats.json
    #[arg(value_name = "RUN", required = true)]
    pub(crate) runs: Vec<PathBuf>,
    /// Write stats.json, stats.csv and journal.jsonl of all runs to a folder
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// List of all inputs that there should be, plain, gzip or zstd; those that no run has finished are named
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest: Vec<PathBuf>,
    /// No account, only what is wrong
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
