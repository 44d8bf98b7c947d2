//! What `huller verify` is told.

use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(crate) struct VerifyArgs {
    /// Output folders of `huller extract`
    #[arg(value_name = "DIR", required = true)]
    pub(crate) folders: Vec<PathBuf>,
    /// One JSON object a folder, with everything that was found
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
}
