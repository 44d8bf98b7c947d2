//! Flags of `huller serve`.

use clap::Args;
use std::net::SocketAddr;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    /// Output folders of the runs that made the rows, to show their statistics
    #[arg(value_name = "CORPUS")]
    pub(crate) runs: Vec<PathBuf>,
    /// Index, as `huller index` makes it
    #[arg(long, value_name = "INDEX")]
    pub(crate) index: PathBuf,
    /// Folder of the archives that rows name (`warc_filename`), to show pages as they were crawled
    /// and why blocks were kept
    #[arg(long, value_name = "DIR")]
    pub(crate) archives: Option<PathBuf>,
    /// IP address and port to answer on. On any address except a loopback one, everybody who
    /// reaches it can read the corpus
    #[arg(long, value_name = "IP:PORT", default_value = "127.0.0.1:8080")]
    pub(crate) address: SocketAddr,
    /// Do not print the address of the site
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
