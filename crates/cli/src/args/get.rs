//! Flags of `huller get`.

use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(crate) struct GetArgs {
    /// The archive
    #[arg(value_name = "FILE")]
    pub(crate) input: PathBuf,
    /// Offset of the record in bytes: `warc_record_offset` of a row, or the offset in an index or
    /// in `huller records`
    #[arg(value_name = "OFFSET")]
    pub(crate) offset: u64,
    /// Take OFFSET as the `stream_offset` of a row, for records without a member of their own. The
    /// file is read from its start
    #[arg(long)]
    pub(crate) stream: bool,
    /// Print the record, header and block, decompressed (this is the default)
    #[arg(long, group = "what")]
    pub(crate) record: bool,
    /// Print the bytes of the page, as the server had them: without HTTP head, chunks and content
    /// encodings
    #[arg(long, group = "what")]
    pub(crate) page: bool,
    /// Print the main text of the page
    #[arg(long, group = "what")]
    pub(crate) text: bool,
    /// Extractor that makes the text, see `huller extractors`
    #[arg(long, value_name = "NAME", requires = "text", default_value = huller_extract::EXTRACTORS[0].name())]
    pub(crate) extractor: String,
}
