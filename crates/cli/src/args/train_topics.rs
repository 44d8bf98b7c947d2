//! Flags of `huller train topics`.

use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct TrainTopicsArgs {
    /// JSONL files with a text and a label in each row (plain, gzip, zstd); `-` reads standard
    /// input
    #[arg(value_name = "LABELLED", required = true)]
    pub(crate) inputs: Vec<PathBuf>,
    /// File for the model
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) keys: KeyArgs,
    /// Number of neighbours that decide on a topic
    #[arg(long, value_name = "K", default_value_t = huller_topics::DEFAULT_NEIGHBOURS as u32, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) neighbours: u32,
}

/// The keys of text and label in rows.
#[derive(Args, Debug)]
pub(crate) struct KeyArgs {
    /// Key of the text. A dot leads into an object, such as `texts.hull` of a run with several
    /// extractors
    #[arg(long = "text-key", value_name = "KEY", default_value = "text")]
    pub(crate) text: String,
    /// Key of the label. A dot leads into an object, such as `source.label` of a run with
    /// --keep-keys
    #[arg(long = "label-key", value_name = "KEY", default_value = "label")]
    pub(crate) label: String,
}
