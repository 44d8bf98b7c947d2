//! Flags of `huller classify`.

use super::train_topics::KeyArgs;
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct ClassifyArgs {
    /// JSONL files with a text in each row (plain, gzip, zstd); `-` reads standard input
    #[arg(value_name = "ROWS", required = true)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Model made by `huller train topics`
    #[arg(long, value_name = "FILE", required_unless_present = "compare")]
    pub(crate) model: Option<PathBuf>,
    /// Compare the texts of these extractors, `texts` in the rows: learn from --train, find topics
    /// for ROWS, and print macro and micro F-beta for every number of neighbours
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "train", conflicts_with_all = ["model", "report", "text"])]
    pub(crate) compare: Vec<String>,
    /// Labelled rows to learn from, for --compare
    #[arg(long, value_name = "ROWS", num_args = 1.., requires = "compare")]
    pub(crate) train: Vec<PathBuf>,
    /// Largest number of neighbours, for --compare
    #[arg(long, value_name = "K", default_value_t = 39, value_parser = clap::value_parser!(u32).range(1..=1000), requires = "compare")]
    pub(crate) most_neighbours: u32,
    /// Beta of F-beta, for --compare: above 1 recall weighs more, below 1 precision
    #[arg(long, value_name = "BETA", default_value_t = 1.0, value_parser = parse_beta, requires = "compare")]
    pub(crate) beta: f64,
    /// File for the rows with their topics, compressed if it ends in .zst or .gz; `-` is standard
    /// output [default: -; with --report, no file]
    #[arg(short, long, value_name = "FILE|-")]
    pub(crate) output: Option<PathBuf>,
    /// Compare topics with labels: print macro precision, recall and F1, and the confusion matrix
    #[arg(long)]
    pub(crate) report: bool,
    #[command(flatten)]
    pub(crate) keys: KeyArgs,
}

fn parse_beta(text: &str) -> Result<f64, String> {
    let beta = text.parse().ok().filter(|beta: &f64| (0.001..=1000.0).contains(beta));
    beta.ok_or_else(|| "not a number from 0.001 to 1000".to_owned())
}
