//! Runs one peer over one WARC file in this process and prints one JSON line.

use std::io::stdout;
use std::panic::set_hook;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use anyhow::{Result, anyhow};
use clap::{Parser, Subcommand};
use huller_peers::exit;
use huller_peers::modes::huller::ReplacedPart;
use huller_peers::modes::{PagePeer, fastwarc, huller, inflate, memory, pipeline, warc};
use huller_peers::report::{Counts, Report};
use huller_peers::versions;

/// The stack in bytes. Some peers recurse once for every level of a page.
const STACK: usize = 512 << 20;

/// Run one peer over one WARC file and print one JSON line.
#[derive(Parser)]
#[command(version)]
struct Args {
    #[command(subcommand)]
    mode: Mode,
}

#[derive(Subcommand)]
#[command(rename_all = "snake_case")]
enum Mode {
    /// libdeflate alone, member by member: the limit
    Inflate { file: PathBuf },
    /// Crate fastwarc: read the bodies of HTML responses
    Fastwarc { file: PathBuf },
    /// Crate warc: the same, with its own gzip reader
    Warc { file: PathBuf },
    /// Crate tl: parse every page
    Tl { file: PathBuf },
    /// Crate `lol_html`: rewrite every page with a handler on all text
    LolHtml { file: PathBuf },
    /// Crate html5ever: parse every page into an `RcDom`
    Html5ever { file: PathBuf },
    /// Crate `dom_smoothie`: extract every page, write JSONL to OUT
    DomSmoothie { file: PathBuf, out: PathBuf },
    /// Our libraries, from records to rows: what the next two are to be compared with
    #[command(name = "huller-path")]
    HullerPath { file: PathBuf, out: PathBuf },
    /// The same, but crate tl parses the pages
    #[command(name = "tl-tree")]
    TlTree { file: PathBuf, out: PathBuf },
    /// The same, but crate warc reads the records
    #[command(name = "warc-pipeline")]
    WarcPipeline { file: PathBuf, out: PathBuf },
    /// Read all pages into memory, then time one of tl, tl-parse, `lol_html`, html5ever,
    /// `dom_smoothie`, tl-tree, huller-pvalue, huller-hull
    #[command(name = "extract-mem")]
    ExtractMem { name: String, file: PathBuf },
}

impl Mode {
    /// Returns the name of the run, and the package whose version it reports.
    fn names(&self) -> (String, &str) {
        let package = match self {
            Self::Inflate { .. } => return ("inflate".into(), "libdeflate-sys"),
            Self::ExtractMem { name, .. } => {
                let package = PagePeer::find(name).map_or("unknown", |peer| peer.package);
                return (format!("extract-mem {name}"), package);
            }
            Self::HullerPath { .. } => return ("huller-path".into(), "huller-extract"),
            Self::TlTree { .. } => return ("tl-tree".into(), "tl"),
            Self::WarcPipeline { .. } => return ("warc-pipeline".into(), "warc"),
            Self::Fastwarc { .. } => "fastwarc",
            Self::Warc { .. } => "warc",
            Self::Tl { .. } => "tl",
            Self::LolHtml { .. } => "lol_html",
            Self::Html5ever { .. } => "html5ever",
            Self::DomSmoothie { .. } => "dom_smoothie",
        };
        (package.into(), package)
    }

    fn run(&self) -> Result<Counts> {
        match self {
            Self::Inflate { file } => inflate::run(file),
            Self::Fastwarc { file } => fastwarc::run(file),
            Self::Warc { file } => warc::run(file),
            Self::Tl { file } | Self::LolHtml { file } | Self::Html5ever { file } => {
                pipeline::run(PagePeer::find(self.names().1)?, file, None)
            }
            Self::DomSmoothie { file, out } => {
                pipeline::run(PagePeer::find(self.names().1)?, file, Some(out))
            }
            Self::HullerPath { file, out } => huller::run(ReplacedPart::Nothing, file, Some(out)),
            Self::TlTree { file, out } => huller::run(ReplacedPart::Parser, file, Some(out)),
            Self::WarcPipeline { file, out } => huller::run(ReplacedPart::Reader, file, Some(out)),
            Self::ExtractMem { name, file } => memory::run(PagePeer::find(name)?, file),
        }
    }
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
        let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || mode.run())?;
        let counts = worker.join().map_err(|_| anyhow!("the peer panicked"))??;
        let (name, package) = mode.names();
        Report::new(&name, versions::package_version(package), counts, start)?
            .write(stdout().lock())
    })
}
