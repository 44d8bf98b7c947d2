//! Flags of `huller report`.

use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct ReportArgs {
    /// Output folders of runs, such as the shards of one job, or files in the format of run.account
    #[arg(value_name = "RUN", required = true)]
    pub(crate) runs: Vec<PathBuf>,
    /// Compare with earlier runs, such as those over the last crawl
    #[arg(long, value_name = "RUN")]
    pub(crate) against: Vec<PathBuf>,
    /// File that `huller extract --rejects` wrote, plain, gzip or zstd, for examples of each reason
    #[arg(long, value_name = "FILE")]
    pub(crate) rejects: Vec<PathBuf>,
    /// Leave out the properties of the rows, for which all outputs are read
    #[arg(long)]
    pub(crate) no_rows: bool,
    /// HTML file to write; `-` is standard output
    #[arg(short, long, value_name = "FILE.html|-")]
    pub(crate) output: PathBuf,
}
