//! Makes a record-gzipped WARC of a wanted size from the pages of other WARC files.

use std::fs::create_dir_all;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::{ArgGroup, Parser};
use huller_peers::corpus::page::{StoredPage, is_page};
use huller_peers::corpus::plan::{Want, lay_out};
use huller_peers::corpus::{source, write};
use huller_peers::exit;

/// Make a record-gzipped WARC of the HTML responses in other WARC files.
///
/// The pages of the inputs are held in memory while the corpus is written.
#[derive(Parser)]
#[command(version, group = ArgGroup::new("size").required(true))]
struct Args {
    /// WARC files (.warc, .warc.gz, .warc.zst), or folders of them
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// Uncompressed size in MB; pages are repeated under other URLs if there are too few
    #[arg(long, group = "size")]
    raw_mb: Option<u64>,
    /// Every page once
    #[arg(long, group = "size")]
    once: bool,
    /// Decides which pages come and in what order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where to [default: benches/corpus/SIZE-sSEED.warc.gz]
    #[arg(short, long)]
    out: Option<PathBuf>,
}

fn main() -> ExitCode {
    exit::code(&run())
}

fn run() -> Result<()> {
    let args = Args::parse();
    let want = args.raw_mb.map_or(Want::Once, |mb| Want::RawBytes(mb * 1_000_000));
    let out = args.out.clone().unwrap_or_else(|| default_path(&args));
    ensure!(out.to_string_lossy().ends_with(".warc.gz"), "the output must be a .warc.gz");
    if let Some(folder) = out.parent() {
        create_dir_all(folder).with_context(|| format!("cannot make '{}'", folder.display()))?;
    }

    let pages = load(&args.inputs)?;
    let slots = lay_out(&pages, want, args.seed);
    let manifest = write::write(&pages, &slots, args.seed, &out)?;
    manifest.save(&out)?;
    writeln!(stdout().lock(), "{manifest}")?;
    Ok(())
}

fn default_path(args: &Args) -> PathBuf {
    let size = args.raw_mb.map_or("once".to_owned(), |mb| format!("{mb}mb"));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("corpus");
    folder.join(format!("{size}-s{}.warc.gz", args.seed))
}

fn load(inputs: &[PathBuf]) -> Result<Vec<StoredPage>> {
    let mut pages = Vec::new();
    for input in inputs {
        for file in source::list(input)? {
            source::for_each(&file, |record| {
                if is_page(record) {
                    pages.push(StoredPage::new(record));
                }
                Ok(())
            })?;
        }
    }
    ensure!(!pages.is_empty(), "there are no HTML responses in the inputs");
    Ok(pages)
}
