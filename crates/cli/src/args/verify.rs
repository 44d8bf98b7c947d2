//! Flags of `huller verify`.

use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(crate) struct VerifyArgs {
    /// Output folders of `huller extract`, `huller refine` or `huller dedup`, and indexes
    #[arg(value_name = "DIR", required = true)]
    pub(crate) folders: Vec<PathBuf>,
    /// List of all expected inputs, plain or gzip. Inputs that are done in none of the folders, or
    /// in two, are reported
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest: Vec<PathBuf>,
    /// Read these inputs again too (files, folders or lists), and report each whose bytes have
    /// changed. They are matched by name, or else by length and digest
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub(crate) inputs: Vec<PathBuf>,
    /// Print one JSON object per folder, with all findings, and one for the lists
    #[arg(long)]
    pub(crate) json: bool,
    /// Print no progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
}
