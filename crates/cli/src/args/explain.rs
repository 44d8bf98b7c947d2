//! Flags of `huller explain`.

use clap::Args;
use huller_pipeline::ProfileChoice;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    /// An HTML page, `-` for standard input; with --record an archive
    #[arg(value_name = "PAGE")]
    pub(crate) page: PathBuf,
    /// Record of the archive: its offset in bytes (`warc_record_offset` of its row), its URL, or
    /// its id
    #[arg(long, value_name = "OFFSET|URL|ID")]
    pub(crate) record: Option<String>,
    /// URL of the page, against which links are resolved
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// Label of the charset, as HTTP would give it [default: detected as in `huller extract`]
    #[arg(long, value_name = "LABEL", value_parser = charset_label)]
    pub(crate) charset: Option<String>,
    /// Extractors to compare, of which the first makes the text; `all` are all of them
    #[arg(
        long,
        visible_alias = "extractor",
        value_name = "NAMES",
        default_value = "all",
        value_delimiter = ','
    )]
    pub(crate) extractors: Vec<String>,
    /// Settings of the extractors: `tuned` measured best, `paper` is the closest reading of the
    /// paper
    #[arg(long, value_enum, default_value = "tuned")]
    pub(crate) profile: ProfileChoice,
    /// File with the expected text. Missing and extra words are marked
    #[arg(long, value_name = "FILE")]
    pub(crate) gold: Option<PathBuf>,
    /// Write one HTML file with all of it, instead of the outline on standard output; `-` is
    /// standard output
    #[arg(short, long, value_name = "FILE.html|-")]
    pub(crate) output: Option<PathBuf>,
}

fn charset_label(label: &str) -> Result<String, String> {
    if huller_archive::charset::is_charset_label(label) {
        Ok(label.to_owned())
    } else {
        Err("unknown encoding: use a WHATWG label such as utf-8 or windows-1252".to_owned())
    }
}
