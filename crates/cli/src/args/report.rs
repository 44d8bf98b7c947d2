//! `huller report`.

use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct ReportArgs {
    /// Output folders of runs, such as the shares of one job, or files of the form of run.account
    #[arg(value_name = "RUN", required = true)]
    pub(crate) runs: Vec<PathBuf>,
    /// Compare with earlier runs, such as those over the last crawl
    #[arg(long, value_name = "RUN")]
    pub(crate) against: Vec<PathBuf>,
    /// What `huller extract --rejects` wrote, plain, gzip or zstd: examples for each reason
    #[arg(long, value_name = "FILE")]
    pub(crate) rejects: Vec<PathBuf>,
    /// Leave out what the rows are like, for which all outputs are read
    #[arg(long)]
    pub(crate) no_rows: bool,
    /// The HTML file to write; `-` is standard output
    #[arg(short, long, value_name = "FILE.html|-")]
    pub(crate) output: PathBuf,
}
