//! Flags of `huller train nb`.

use clap::Args;
use std::path::PathBuf;

/// Learns from pages and their gold texts which blocks hold content, or adds up earlier models.
#[derive(Args, Debug)]
pub(crate) struct TrainNbArgs {
    /// Archives with the pages: WARC or JSONL
    #[arg(long, value_name = "INPUT", num_args = 1.., required_unless_present = "add", requires = "gold")]
    pub(crate) pages: Vec<PathBuf>,
    /// Gold texts of the pages: JSONL with `id`, `dataset`, `text`, `warc_record_id`; plain, gzip
    /// or zstd
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "pages")]
    pub(crate) gold: Vec<PathBuf>,
    /// Learn only from pages that have this type, or no type, in the gold standard
    #[arg(long, value_name = "TYPE", requires = "pages")]
    pub(crate) page_type: Option<String>,
    /// Count whole subtrees as blocks, so that blocks overlap. Extraction with the model then does
    /// the same
    #[arg(long, requires = "pages")]
    pub(crate) overlap: bool,
    /// Use more block tags for `nb` than the paper's four: also sections, lists, forms and cells of
    /// headings. Extraction with the model then does the same
    #[arg(long, requires = "pages")]
    pub(crate) more_tags: bool,
    /// Add up these models instead
    #[arg(long, value_name = "MODEL", num_args = 1.., conflicts_with_all = ["pages", "gold", "folds"])]
    pub(crate) add: Vec<PathBuf>,
    /// File for the model; `-` is standard output
    #[arg(short, long, value_name = "MODEL|-", required_unless_present = "folds")]
    pub(crate) output: Option<PathBuf>,
    /// Cross-validate: extract each page with a model of pages from other domains, in N folds
    #[arg(long, value_name = "N", requires = "predictions", value_parser = clap::value_parser!(u32).range(2..=100))]
    pub(crate) folds: Option<u32>,
    /// Folder for the texts of the cross-validation, one JSONL file per extractor and profile
    #[arg(long, value_name = "DIR", requires = "folds")]
    pub(crate) predictions: Option<PathBuf>,
}
