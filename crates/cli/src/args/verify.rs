//! What `huller verify` is told.

use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(crate) struct VerifyArgs {
    /// Output folders of `huller extract`, `huller refine` or `huller dedup`
    #[arg(value_name = "DIR", required = true)]
    pub(crate) folders: Vec<PathBuf>,
    /// List of all inputs that there should be, plain or gzip: those that are done in none of the
    /// folders are named, and those in two
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest: Vec<PathBuf>,
    /// Also read these inputs again (files, folders or lists), and name each that has other
    /// bytes now; they are known by name, or else by length and digest
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub(crate) inputs: Vec<PathBuf>,
    /// One JSON object a folder, with everything that was found, and one for the lists
    #[arg(long)]
    pub(crate) json: bool,
    /// No progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
}
