//! Flags of `huller records`.

use super::entries::EntryArgs;
use super::status_range::StatusRange;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(crate) struct RecordsArgs {
    /// WARC, ARC or JSONL files; `-` reads standard input
    #[arg(value_name = "INPUT", required_unless_present = "records_from")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Write the records to this archive in place of a list: FILE ends with .warc.gz, .warc.zst or
    /// .warc. Compressed members are copied
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "digest"])]
    pub(crate) write: Option<PathBuf>,
    /// Show the SHA-1 of every payload
    #[arg(long)]
    pub(crate) digest: bool,
    /// Print one JSON object per record, digest included
    #[arg(long)]
    pub(crate) json: bool,
    /// List only records of these types, such as `response,resource`
    #[arg(long = "type", value_name = "TYPE", value_delimiter = ',')]
    pub(crate) types: Vec<String>,
    /// List only records with these HTTP statuses: `200`, or `2xx` for all from 200 to 299
    #[arg(long, value_name = "STATUS", value_delimiter = ',', value_parser = StatusRange::parse)]
    pub(crate) status: Vec<StatusRange>,
    /// List only records whose URL contains this text
    #[arg(long, value_name = "TEXT")]
    pub(crate) url: Option<String>,
    /// List only records whose Content-Type is one of these media types, such as `text/html`, or
    /// `image/*`
    #[arg(long, value_name = "TYPE", value_delimiter = ',')]
    pub(crate) mime: Vec<String>,
    /// List only records in these languages, as WARC-Identified-Content-Language or
    /// Content-Language states them, such as `deu,de`
    #[arg(long = "language", value_name = "LANGUAGE", value_delimiter = ',')]
    pub(crate) languages: Vec<String>,

    #[command(flatten)]
    pub(crate) entries: EntryArgs,
}
