//! What `huller extract` is told of indexes.

use super::records::StatusRange;
use huller_pipeline::{IndexFilter, IndexOptions};
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Indexes")]
pub(crate) struct IndexArgs {
    /// Read only the records that an index names: CDX, CDXJ (plain, gzip, zstd), or Common Crawl's columnar index (Parquet)
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["inputs", "manifest"])]
    index: Vec<PathBuf>,
    /// Where the archive files of indexes lie, by their paths there or by their names [default: the folder of the index]
    #[arg(long, value_name = "DIR", requires = "index")]
    archives: Option<PathBuf>,
    /// Take entries whose URL is like this; `*` stands for any characters, as in `https://example.org/*`
    #[arg(long, value_name = "PATTERN", requires = "index")]
    index_url: Vec<String>,
    /// Take entries of these hosts, such as `example.org,*.example.org`
    #[arg(long, value_name = "HOST", value_delimiter = ',', requires = "index")]
    index_host: Vec<String>,
    /// Take entries of these media types, stated or detected, such as `text/html`, or `image/*`
    #[arg(long, value_name = "TYPE", value_delimiter = ',', requires = "index")]
    index_mime: Vec<String>,
    /// Take entries with these HTTP statuses: `200`, or `2xx` for all from 200 to 299
    #[arg(long, value_name = "STATUS", value_delimiter = ',', value_parser = StatusRange::parse, requires = "index")]
    index_status: Vec<StatusRange>,
    /// Take entries in these languages, named as in the index, such as `deu`
    #[arg(long, value_name = "LANGUAGE", value_delimiter = ',', requires = "index")]
    index_language: Vec<String>,
}

impl IndexArgs {
    /// Whether indexes say what is read.
    pub(crate) fn is_given(&self) -> bool {
        !self.index.is_empty()
    }

    pub(crate) fn options(&self) -> IndexOptions {
        let status = self.index_status.iter().map(|StatusRange(range)| range.clone());
        IndexOptions {
            files: self.index.clone(),
            archives: self.archives.clone(),
            filter: IndexFilter {
                urls: self.index_url.clone(),
                hosts: self.index_host.iter().map(|host| host.to_ascii_lowercase()).collect(),
                mimes: self.index_mime.clone(),
                status: status.collect(),
                languages: self.index_language.clone(),
            },
        }
    }
}
