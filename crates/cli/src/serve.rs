//! `huller serve`: shows a corpus in a browser on this machine.

use crate::args::ServeArgs;
use crate::exit::{Exit, eprint_line, message};
use crate::explain::explained;
use crate::interrupt::Interrupt;
use crate::record_place::RecordPlace;
use crate::report;
use crate::usage_error::UsageError;
use anyhow::{Context, Result};
use huller_archive::RawPage;
use huller_index::{Hit, Searcher};
use huller_pipeline::ProfileChoice;
use huller_report::Explanation;
use huller_serve::{Corpus, CorpusError, Limits, Site, serve};
use std::net::TcpListener;
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

pub(crate) fn run(args: ServeArgs) -> Result<Exit> {
    let interrupt = Interrupt::listen().context("cannot listen for signals")?;
    let searcher = Searcher::open(&args.index)?;
    if let Some(archives) = args.archives.as_ref().filter(|archives| !archives.is_dir()) {
        return Err(UsageError(format!("'{}' is not a folder", archives.display())).into());
    }
    if let Some(run) = args.runs.iter().find(|run| !run.join("_huller").is_dir()) {
        let problem = "is not the output folder of a run: it has no _huller";
        return Err(UsageError(format!("'{}' {problem}", run.display())).into());
    }
    let listener = TcpListener::bind(args.address).with_context(|| {
        format!("cannot listen on {}: choose another with --address", args.address)
    })?;
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
    /// The report, made at the first request, since that reads all rows.
    report: Mutex<Option<String>>,
}

impl OnDisk {
    /// Passes on the page from which a row was made, and a description of its place.
    fn page_of<T>(
        &self,
        row: &Hit,
        with: impl FnOnce(RawPage<'_>, &str) -> T,
    ) -> Result<T, CorpusError> {
        let missing = |why: &str| CorpusError::Missing(why.to_owned());
        let archives = self
            .archives
            .as_ref()
            .ok_or_else(|| missing("no archives were given: use --archives DIR"))?;
        let name = row.warc_filename.as_deref().ok_or_else(|| missing("the row has no archive"))?;
        let offset = row.warc_record_offset.ok_or_else(|| {
            missing(
                "the row has no offset of its record: the archive is not compressed record by \
                 record",
            )
        })?;
        let outside = || missing("the archive of the row is outside the folder");
        let input = archives.join(inside(name).ok_or_else(outside)?);
        let source = format!("{name}, byte {offset}");
        let place = RecordPlace { input: &input, offset, in_stream: false };
        place.page(|page| with(page, &source)).map_err(|error| {
            let is_missing = error.is_missing();
            let why = message(&error.into());
            if is_missing { CorpusError::Missing(why) } else { CorpusError::Unreadable(why) }
        })
    }
}

/// Returns the path that a row names, if it stays in the folder, since rows may come from anywhere.
fn inside(name: &str) -> Option<&Path> {
    let path = Path::new(name);
    let is_inside =
        !name.is_empty() && path.components().all(|part| matches!(part, Component::Normal(_)));
    is_inside.then_some(path)
}

/// Returns an HTML file that shows why the blocks of a page were kept, by all extractors.
fn explanation(page: RawPage<'_>, source: &str) -> Result<String> {
    let row = explained(page, &["all".to_owned()], ProfileChoice::Tuned)?;
    Ok(Explanation { row: &row, source, gold: &[] }.to_html()?)
}

impl Corpus for OnDisk {
    fn page(&self, row: &Hit) -> Result<Vec<u8>, CorpusError> {
        self.page_of(row, |page, _| page.bytes().to_vec())
    }

    fn explain(&self, row: &Hit) -> Result<String, CorpusError> {
        let explained = self.page_of(row, explanation)?;
        explained.map_err(|error| CorpusError::Unreadable(message(&error)))
    }

    fn report(&self) -> Result<String, CorpusError> {
        if self.runs.is_empty() {
            let why = "no run was given: use huller serve CORPUS --index INDEX";
            return Err(CorpusError::Missing(why.to_owned()));
        }
        let unreadable = |why: &str| CorpusError::Unreadable(why.to_owned());
        let mut made =
            self.report.lock().map_err(|_| unreadable("the report could not be created"))?;
        if let Some(html) = &*made {
            return Ok(html.clone());
        }
        let html = report::of_runs(&self.runs).map_err(|error| unreadable(&message(&error)))?;
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
            assert!(inside(name).is_some(), "{name}");
        }
        for name in ["", "/etc/passwd", "../a.warc.gz", "a/../../b", "./a"] {
            assert!(inside(name).is_none(), "{name}");
        }
    }
}
