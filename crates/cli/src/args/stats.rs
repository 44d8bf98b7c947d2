//! Flags of `huller stats`.

use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct StatsArgs {
    /// Output folders of runs, such as the shards of one job, or files in the format of run.account
    #[arg(value_name = "RUN", required = true)]
    pub(crate) runs: Vec<PathBuf>,
    /// Print the statistics of every input as one JSON object
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,
    /// Print the statistics of every input as CSV
    #[arg(long)]
    pub(crate) csv: bool,
    /// Write run.account, run.account.csv and run.journal of all runs to a folder
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// List of all expected inputs, plain, gzip or zstd. Inputs that no run has finished are
    /// reported
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest: Vec<PathBuf>,
    /// Print no table, only problems
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
