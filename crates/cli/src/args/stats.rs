//! `huller stats`.

use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct StatsArgs {
    /// Output folders of runs, such as the shares of one job, or files of the form of run.account
    #[arg(value_name = "RUN", required = true)]
    pub(crate) runs: Vec<PathBuf>,
    /// The account of every input as one JSON object
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,
    /// The account of every input as CSV
    #[arg(long)]
    pub(crate) csv: bool,
    /// Write run.account, run.account.csv and run.journal of all runs to a folder
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// List of all inputs that there should be, plain, gzip or zstd; those that no run has finished
    /// are named
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest: Vec<PathBuf>,
    /// No table, only what is wrong
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
