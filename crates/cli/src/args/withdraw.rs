//! Flags of `huller withdraw`.

use huller_withdraw::Request;
use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(crate) struct WithdrawArgs {
    /// Folders of finished runs (`huller extract`, `refine` or `dedup`), and indexes. Name all
    /// copies of a corpus at once
    #[arg(value_name = "CORPUS", required = true)]
    pub(crate) corpora: Vec<PathBuf>,
    /// Withdraw the page at URL. May be given several times
    #[arg(long, value_name = "URL")]
    url: Vec<String>,
    /// Withdraw all pages of HOST and of the hosts below it. May be given several times
    #[arg(long, value_name = "HOST")]
    host: Vec<String>,
    /// Withdraw the row with this identifier, and its passages. May be given several times
    #[arg(long, value_name = "ID")]
    id: Vec<String>,
    /// Withdraw the pages of a list, one URL or identifier per line, plain, gzip or zstd. A line
    /// with `://` is a URL. May be given several times
    #[arg(long, value_name = "FILE")]
    list: Vec<PathBuf>,
    /// Withdraw near duplicates of these pages too, as `huller dedup` finds them
    #[arg(long)]
    near: bool,
    /// Reason, which the tombstones keep
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Count the rows, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// List of rejects that the run wrote, if it lies outside of CORPUS. It has URLs
    #[arg(long, value_name = "FILE")]
    rejects: Vec<PathBuf>,
    /// Folder or file of the rows that stages dropped, if it lies outside of CORPUS
    #[arg(long, value_name = "DIR")]
    dropped: Vec<PathBuf>,
    /// Worker threads; 0 is one per processor
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Print no progress and no counts
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl WithdrawArgs {
    /// Returns the request.
    pub(crate) fn request(&self) -> Request {
        Request {
            urls: self.url.clone(),
            hosts: self.host.clone(),
            ids: self.id.clone(),
            lists: self.list.clone(),
            near: self.near,
            reason: self.reason.clone(),
            is_dry: self.dry_run,
            rejects: self.rejects.clone(),
            dropped: self.dropped.clone(),
            threads: self.threads,
        }
    }
}
