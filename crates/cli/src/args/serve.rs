//! `huller serve`.

use clap::Args;
use std::net::SocketAddr;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    /// Output folders of the runs that made the rows, to show how these went
    #[arg(value_name = "CORPUS")]
    pub(crate) runs: Vec<PathBuf>,
    /// The index, as `huller index` makes it
    #[arg(long, value_name = "INDEX")]
    pub(crate) index: PathBuf,
    /// The folder in which the archives lie that rows name (`warc_filename`), to show pages as they
    /// were crawled and why blocks were kept
    #[arg(long, value_name = "DIR")]
    pub(crate) archives: Option<PathBuf>,
    /// Address and port to answer on. On any but this machine's own, everybody who reaches it can
    /// read the corpus
    #[arg(long, value_name = "IP:PORT", default_value = "127.0.0.1:8080")]
    pub(crate) address: SocketAddr,
    /// Do not print the address
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
