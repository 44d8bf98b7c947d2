//! Runs rust-trafilatura over one WARC file in this process and prints one JSON line, as the
//! program `peer` does for the others.

use std::io::stdout;
use std::panic::set_hook;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use anyhow::{Result, anyhow};
use clap::{Parser, Subcommand};
use huller_peers::exit;
use huller_peers::modes::{PagePeer, PageYield, memory, pipeline};
use huller_peers::report::Report;
use huller_peers::versions;
use rust_trafilatura::{HtmlDateMode, Options, Url, extract};

/// The stack in bytes. The crate recurses once for every level of a page.
const STACK: usize = 512 << 20;

const LOCK: &str = include_str!("../Cargo.lock");

const PEER: PagePeer = PagePeer::new("rust-trafilatura", "rust-trafilatura", page);

/// Run rust-trafilatura over one WARC file and print one JSON line.
#[derive(Parser)]
#[command(version)]
struct Args {
    #[command(subcommand)]
    mode: Mode,
}

#[derive(Subcommand)]
enum Mode {
    /// Extract every page, write JSONL to OUT
    Pipeline { file: PathBuf, out: PathBuf },
    /// Read all pages into memory, then time the extraction alone
    ExtractMem { file: PathBuf },
}

/// Returns the article of a page in the fast mode, which is the default. As in the crate's README,
/// it leaves out comments and does not search for dates.
fn page(url: &str, html: &str) -> Result<PageYield> {
    let options = Options {
        original_url: Url::request(url),
        input_encoding: "utf-8".to_owned(),
        exclude_comments: true,
        html_date_mode: HtmlDateMode::Disabled,
        ..Options::default()
    };
    let found = extract(html.as_bytes(), &options).map_err(|error| anyhow!("{error:?}"))?;
    Ok(PageYield::Article(found.content_text))
}

fn main() -> ExitCode {
    exit::code(&run())
}

fn run() -> Result<()> {
    let start = Instant::now();
    let mode = Args::parse().mode;
    // A panic on a page is counted, so its message is suppressed.
    set_hook(Box::new(|_| {}));
    thread::scope(|scope| {
        let work = || match &mode {
            Mode::Pipeline { file, out } => pipeline::run(PEER, file, Some(out)),
            Mode::ExtractMem { file } => memory::run(PEER, file),
        };
        let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)?;
        let counts = worker.join().map_err(|_| anyhow!("the peer panicked"))??;
        let name = match mode {
            Mode::Pipeline { .. } => PEER.name,
            Mode::ExtractMem { .. } => "extract-mem rust-trafilatura",
        };
        let version = versions::in_lock(LOCK, PEER.package);
        Report::new(name, version, counts, start)?.write(stdout().lock())
    })
}
