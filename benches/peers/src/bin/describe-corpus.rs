//! Writes the manifest of a corpus that `make-corpus` did not make.

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use huller_peers::corpus::describe::describe;
use huller_peers::exit;

/// Count a record-gzipped WARC and write FILE.json beside it, as `bench table` needs it.
#[derive(Parser)]
#[command(version)]
struct Args {
    /// The WARC file
    file: PathBuf,
}

fn main() -> ExitCode {
    exit::code(&run())
}

fn run() -> Result<()> {
    let Args { file } = Args::parse();
    let manifest = describe(&file)?;
    manifest.save(&file)?;
    writeln!(stdout().lock(), "{manifest}")?;
    Ok(())
}
