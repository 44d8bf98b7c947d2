//! What `huller get` is told.

use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(crate) struct GetArgs {
    /// The archive
    #[arg(value_name = "FILE")]
    pub(crate) input: PathBuf,
    /// Where the record begins: the `warc_record_offset` of a row, or the offset in an index or in
    /// `huller records`
    #[arg(value_name = "OFFSET")]
    pub(crate) offset: u64,
    /// OFFSET is the `stream_offset` of a row, whose record is no member of its own: the file is
    /// read from its start
    #[arg(long)]
    pub(crate) stream: bool,
    /// The record, header and block, decompressed (what is given where nothing is asked for)
    #[arg(long, group = "what")]
    pub(crate) record: bool,
    /// The bytes of the page, as the server had them: without HTTP head, chunks and content
    /// encodings
    #[arg(long, group = "what")]
    pub(crate) page: bool,
    /// The main text of the page
    #[arg(long, group = "what")]
    pub(crate) text: bool,
    /// The method that makes the text, see `huller extractors`
    #[arg(long, value_name = "NAME", requires = "text", default_value = huller_extract::METHODS[0].name())]
    pub(crate) extractor: String,
}
