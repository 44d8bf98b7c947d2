//! `huller classify`.

use super::train_topics::KeyArgs;
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct ClassifyArgs {
    /// JSONL files with a text in each row (plain, gzip, zstd); `-` reads standard input
    #[arg(value_name = "ROWS", required = true)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Model made by `huller train topics`
    #[arg(long, value_name = "FILE")]
    pub(crate) model: PathBuf,
    /// File for the rows with their topics, compressed if it ends in .zst or .gz; `-` is standard output
    /// [default: -, with --report none]
    #[arg(short, long, value_name = "FILE|-")]
    pub(crate) output: Option<PathBuf>,
    /// Compare topics with labels: print macro precision, recall and F1, and which was taken for which
    #[arg(long)]
    pub(crate) report: bool,
    #[command(flatten)]
    pub(crate) keys: KeyArgs,
}
