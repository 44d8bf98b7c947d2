//! Flags of `huller extract` and `huller records` for indexes.

use super::status_range::StatusRange;
use crate::usage_error::UsageError;
use huller_pipeline::{IndexFilter, IndexOptions};
use huller_provenance::Host;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Records named by an index")]
pub(crate) struct EntryArgs {
    /// Read only the records that an index names: CDX, CDXJ (plain, gzip, zstd), or Common Crawl's
    /// columnar index (Parquet)
    #[arg(long, value_name = "INDEX", num_args = 1.., conflicts_with = "inputs")]
    records_from: Vec<PathBuf>,
    /// Folder of the archive files that indexes name, with their paths or their names only
    /// [default: the folder of the index]
    #[arg(long, value_name = "DIR")]
    pub(crate) archives: Option<PathBuf>,
    /// Take entries whose URL matches; `*` matches any characters, as in `https://example.org/*`
    #[arg(long, value_name = "PATTERN", requires = "records_from")]
    entry_url: Vec<String>,
    /// Take entries of these hosts, such as `example.org,*.example.org`
    #[arg(long, value_name = "HOST", value_delimiter = ',', requires = "records_from")]
    entry_host: Vec<String>,
    /// Take entries of these media types, stated or detected, such as `text/html`, or `image/*`
    #[arg(long, value_name = "TYPE", value_delimiter = ',', requires = "records_from")]
    entry_mime: Vec<String>,
    /// Take entries with these HTTP statuses: `200`, or `2xx` for all from 200 to 299
    #[arg(long, value_name = "STATUS", value_delimiter = ',', value_parser = StatusRange::parse, requires = "records_from")]
    entry_status: Vec<StatusRange>,
    /// Take entries in these languages, named as in the index, such as `deu`
    #[arg(long, value_name = "LANGUAGE", value_delimiter = ',', requires = "records_from")]
    entry_language: Vec<String>,
}

impl EntryArgs {
    /// Returns whether indexes name the records to read.
    pub(crate) fn is_given(&self) -> bool {
        !self.records_from.is_empty()
    }

    /// Refuses options for entries without an index. The parser accepts them beside inputs, which
    /// an index excludes.
    /// `has_archives` allows the folder of archives, which another option reads too.
    pub(crate) fn check(&self, has_archives: bool) -> Result<(), UsageError> {
        let given = [
            ("--archives", self.archives.is_some() && !has_archives),
            ("--entry-url", !self.entry_url.is_empty()),
            ("--entry-host", !self.entry_host.is_empty()),
            ("--entry-mime", !self.entry_mime.is_empty()),
            ("--entry-status", !self.entry_status.is_empty()),
            ("--entry-language", !self.entry_language.is_empty()),
        ];
        match given.into_iter().find(|(_, is_said)| *is_said && !self.is_given()) {
            Some((option, _)) => Err(UsageError(format!(
                "{option} filters the records of an index: give one with --records-from instead \
                 of inputs"
            ))),
            None => Ok(()),
        }
    }

    /// Returns the options for a run with so many bytes of memory, if there is a limit.
    pub(crate) fn options(&self, memory: Option<usize>) -> IndexOptions {
        let status = self.entry_status.iter().map(|StatusRange(range)| range.clone());
        IndexOptions {
            files: self.records_from.clone(),
            archives: self.archives.clone(),
            memory: memory.map(IndexOptions::memory_budget),
            filter: IndexFilter {
                urls: self.entry_url.clone(),
                hosts: self.entry_host.iter().map(|host| Host::pattern(host)).collect(),
                mimes: self.entry_mime.clone(),
                status: status.collect(),
                languages: self.entry_language.clone(),
            },
        }
    }
}
