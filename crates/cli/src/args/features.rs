//! Flags of `huller features`.

use clap::Args;
use std::path::PathBuf;

/// Writes a `NumPy` table with a row for every block of every page, and a JSONL file with a line
/// for every page.
#[derive(Args, Debug)]
pub(crate) struct FeaturesArgs {
    /// Archives with the pages: WARC or JSONL
    #[arg(value_name = "PAGES", required = true)]
    pub(crate) pages: Vec<PathBuf>,
    /// Gold standard of the pages: JSONL with `id`, `dataset`, `text`, `warc_record_id`; plain,
    /// gzip or zstd
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    pub(crate) gold: Vec<PathBuf>,
    /// File for the table, `.npy`; the pages go to the same name with `.pages.jsonl`
    #[arg(short, long, value_name = "FILE.npy")]
    pub(crate) output: PathBuf,
    /// Add the text of every block to the file of pages
    #[arg(long)]
    pub(crate) texts: bool,
}
