//! Flags of `huller relabel`.

use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(crate) struct RelabelArgs {
    /// Folder of a finished run of `huller extract --escalate`
    #[arg(value_name = "CORPUS")]
    pub(crate) corpus: PathBuf,
    /// Labels as JSON Lines, plain or compressed: `{"id":"…","content":[0,2]}` names the blocks of
    /// an escalated page that are its content, from 0
    #[arg(long, value_name = "FILE")]
    pub(crate) labels: PathBuf,
    /// Count the rows, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Print no counts
    #[arg(long, short)]
    pub(crate) quiet: bool,
}
