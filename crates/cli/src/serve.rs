//! `huller serve`: a corpus in a browser on this machine.

use crate::args::ServeArgs;
use crate::exit::{Exit, eprint_line, message};
use crate::interrupt::Interrupt;
use crate::usage_error::UsageError;
use crate::{explain, get, report};
use anyhow::{Context, Result, bail};
use huller_index::{Hit, Searcher};
use huller_serve::{Corpus, Limits, Site, serve};
use std::net::TcpListener;
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

pub(crate) fn run(args: ServeArgs) -> Result<Exit> {
    let interrupt = Interrupt::listen().context("cannot listen for signals")?;
    let searcher = Searcher::open(&args.index)?;
    if let Some(archives) = args.archives.as_ref().filter(|archives| !archives.is_dir()) {
        return Err(UsageError(format!("'{}' is no folder", archives.display())).into());
    }
    if let Some(run) = args.runs.iter().find(|run| !run.join("_huller").is_dir()) {
        let problem = "is no output folder of a run: it has no _huller";
        return Err(UsageError(format!("'{}' {problem}", run.display())).into());
    }
    let listener = TcpListener::bind(args.address)
        .with_context(|| format!("cannot answer on {}: --address names another", args.address))?;
    if !args.quiet {
        eprint_line(&format!("http://{}/", listener.local_addr()?));
    }
    let name =
        args.index.file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
    let corpus = OnDisk { archives: args.archives, runs: args.runs, report: Mutex::new(None) };
    let site = Site::new(name, searcher, Box::new(corpus));
    serve(site, listener, Limits::default(), &interrupt.stop).context("cannot serve")?;
    Ok(Exit::Success)
}

/// Archives and runs in folders.
struct OnDisk {
    archives: Option<PathBuf>,
    runs: Vec<PathBuf>,
    /// Made when it is first asked for: all rows are read for it.
    report: Mutex<Option<String>>,
}

impl OnDisk {
    fn found(&self, row: &Hit) -> Result<(get::Found, String)> {
        let archives = self.archives.as_ref().context("no archives were named: --archives DIR")?;
        let name = row.warc_filename.as_deref().context("the row names no archive")?;
        let offset = row.warc_record_offset.context(
            "the row names no offset of its record: the archive is not compressed record by record",
        )?;
        let input = archives.join(inside(name)?);
        let page = get::page(get::Place { input: &input, offset, in_stream: false })?;
        Ok((page, format!("{name}, byte {offset}")))
    }
}

/// The path that a row names, if it stays in the folder: rows may come from anywhere.
fn inside(name: &str) -> Result<&Path> {
    let path = Path::new(name);
    if name.is_empty() || !path.components().all(|part| matches!(part, Component::Normal(_))) {
        bail!("the row names an archive outside of the folder");
    }
    Ok(path)
}

impl Corpus for OnDisk {
    fn page(&self, row: &Hit) -> Result<Vec<u8>, String> {
        self.found(row).map(|(page, _)| page.bytes).map_err(|error| message(&error))
    }

    fn explain(&self, row: &Hit) -> Result<String, String> {
        let explained = self
            .found(row)
            .and_then(|(page, source)| explain::by_all_methods(&page.into(), &source));
        explained.map_err(|error| message(&error))
    }

    fn report(&self) -> Result<String, String> {
        if self.runs.is_empty() {
            return Err("no run was named: huller serve CORPUS --index INDEX".to_owned());
        }
        let mut made = self.report.lock().map_err(|_| "the report could not be made".to_owned())?;
        if let Some(html) = &*made {
            return Ok(html.clone());
        }
        let html = report::of_runs(&self.runs).map_err(|error| message(&error))?;
        Ok(made.insert(html).clone())
    }

    fn has_pages(&self) -> bool {
        self.archives.is_some()
    }

    fn has_report(&self) -> bool {
        !self.runs.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_lie_in_the_folder() {
        for name in ["a.warc.gz", "crawl/segment/a.warc.gz"] {
            assert!(inside(name).is_ok(), "{name}");
        }
        for name in ["", "/etc/passwd", "../a.warc.gz", "a/../../b", "./a"] {
            assert!(inside(name).is_err(), "{name}");
        }
    }
}
