//! `huller serve`: shows a corpus in a browser on this machine.

use crate::args::ServeArgs;
use crate::exit::{Exit, eprint_line, message};
use crate::explain::explained;
use crate::interrupt::Interrupt;
use crate::record_place::{PlaceError, RecordPlace};
use crate::report;
use crate::usage_error::UsageError;
use anyhow::{Context, Result};
use huller_archive::{ArchiveFolder, RawPage, start_tags};
use huller_index::{SearchHit, Searcher};
use huller_pipeline::ProfileChoice;
use huller_report::Explanation;
use huller_serve::{Corpus, CorpusError, Limits, Site, serve};
use std::fs::File;
use std::io::ErrorKind;
use std::net::TcpListener;
use std::os::unix::fs::FileExt;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

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
    let corpus =
        FolderContents { archives: args.archives, runs: args.runs, report: Arc::default() };
    let site = Site::new(name, searcher, Box::new(corpus));
    serve(site, listener, Limits::default(), &interrupt.stop).context("cannot serve")?;
    Ok(Exit::Success)
}

/// Archives and runs in folders.
struct FolderContents {
    archives: Option<PathBuf>,
    runs: Vec<PathBuf>,
    report: Arc<Report>,
}

/// The report of the runs. A thread makes it after the first request, since that reads all rows.
#[derive(Default)]
struct Report {
    state: Mutex<ReportState>,
    /// The report is made.
    is_made: Condvar,
}

#[derive(Default)]
enum ReportState {
    #[default]
    NotBegun,
    Begun,
    /// The HTML file, or the reason why the runs cannot be read.
    Made(Result<String, String>),
}

impl Report {
    /// Returns the HTML file. If it takes longer than a second to make, the request must come
    /// again.
    fn html(self: &Arc<Report>, runs: &[PathBuf]) -> Result<String, CorpusError> {
        let mut state = self.lock();
        if matches!(*state, ReportState::NotBegun) {
            *state = ReportState::Begun;
            let (report, runs) = (Arc::clone(self), runs.to_vec());
            thread::spawn(move || report.make_report(&runs));
        }
        let is_begun = |state: &mut ReportState| matches!(state, ReportState::Begun);
        let waited = self.is_made.wait_timeout_while(state, Duration::from_secs(1), is_begun);
        match &*waited.unwrap_or_else(PoisonError::into_inner).0 {
            ReportState::Made(Ok(html)) => Ok(html.clone()),
            ReportState::Made(Err(why)) => Err(CorpusError::Unreadable(why.clone())),
            ReportState::NotBegun | ReportState::Begun => Err(CorpusError::NotYet(
                "The report is being created: load this page again in a moment.".to_owned(),
            )),
        }
    }

    fn make_report(&self, runs: &[PathBuf]) {
        // A panic is a bug; the site must report it instead of promising the report for ever.
        let html = catch_unwind(|| report::html_of_runs(runs).map_err(|error| message(&error)));
        let html = html.unwrap_or_else(|_| Err("the report could not be created".to_owned()));
        *self.lock() = ReportState::Made(html);
        self.is_made.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, ReportState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Most bytes of a record that the site reads.
const MAX_RECORD_BYTES: usize = 32 << 20;

/// Most bytes of memory for an explanation.
const MAX_EXPLANATION_BYTES: usize = 256 << 20;

impl FolderContents {
    /// Passes on the page from which a row was made, and a description of its place.
    fn page_of<T>(
        &self,
        row: &SearchHit,
        visit: impl FnOnce(RawPage<'_>, &str) -> T,
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
        let input = ArchiveFolder::new(archives.clone()).path_of(name).map_err(|error| {
            let why = error.to_string();
            match error.kind() {
                ErrorKind::NotFound | ErrorKind::InvalidInput => CorpusError::Missing(why),
                _ => CorpusError::Unreadable(why),
            }
        })?;
        // A search for the first record behind a long run of zeros would take seconds.
        if has_zeros(&input, offset) {
            let why = format!("'{name}' has no record there, but zeros");
            return Err(CorpusError::Unreadable(why));
        }
        let source = format!("{name}, byte {offset}");
        let most_bytes = Some(MAX_RECORD_BYTES);
        let record_place = RecordPlace { input: &input, offset, in_stream: false, most_bytes };
        record_place.page(|page| visit(page, &source)).map_err(|error| match error {
            PlaceError::TooLarge(_) => {
                let remedy = format!("huller get FOLDER/{name} {offset} --page");
                CorpusError::TooLarge(format!("{error}; use `{remedy}`"))
            }
            error => {
                let is_missing = error.is_missing();
                // The place of the folder is nothing for clients.
                let why = message(&error.into()).replace(&input.display().to_string(), name);
                if is_missing { CorpusError::Missing(why) } else { CorpusError::Unreadable(why) }
            }
        })
    }
}

/// Whether the file has 16 zeros at the offset. No record begins with them.
fn has_zeros(path: &Path, offset: u64) -> bool {
    let mut head = [0; 16];
    let read = File::open(path).and_then(|file| file.read_exact_at(&mut head, offset));
    read.is_ok() && head == [0; 16]
}

/// Returns the bytes of memory that an explanation of a page takes at most. Most of them are for
/// the blocks and the scratch buffers of all extractors: 5,000 bytes for each start tag.
fn needed_bytes(page: &[u8]) -> usize {
    const BYTES_PER_TAG: usize = 5000;
    const BYTES_PER_PAGE_BYTE: usize = 30;
    start_tags(page)
        .count()
        .saturating_mul(BYTES_PER_TAG)
        .saturating_add(page.len().saturating_mul(BYTES_PER_PAGE_BYTE))
}

/// Returns an HTML file that shows why the blocks of a page were kept, by all extractors.
fn explanation_page(page: RawPage<'_>, source: &str) -> Result<String> {
    let row = explained(page, &["all".to_owned()], ProfileChoice::Tuned)?;
    Ok(Explanation { row: &row, source, gold: &[] }.to_html()?)
}

impl Corpus for FolderContents {
    fn page(&self, row: &SearchHit) -> Result<Vec<u8>, CorpusError> {
        self.page_of(row, |page, _| page.bytes().to_vec())
    }

    fn explain(&self, row: &SearchHit) -> Result<String, CorpusError> {
        self.page_of(row, |page, source| {
            if needed_bytes(page.bytes()) > MAX_EXPLANATION_BYTES {
                let (name, offset) = source.rsplit_once(", byte ").unwrap_or((source, "OFFSET"));
                let remedy = format!(
                    "huller explain FOLDER/{name} --record {offset} --extractors all -o page.html"
                );
                let why = "the page has too many elements to be explained here";
                return Err(CorpusError::TooLarge(format!("{why}; use `{remedy}`")));
            }
            explanation_page(page, source).map_err(|error| CorpusError::Unreadable(message(&error)))
        })?
    }

    fn report(&self) -> Result<String, CorpusError> {
        if self.runs.is_empty() {
            let why = "no run was given: use huller serve CORPUS --index INDEX";
            return Err(CorpusError::Missing(why.to_owned()));
        }
        self.report.html(&self.runs)
    }

    fn has_pages(&self) -> bool {
        self.archives.is_some()
    }

    fn has_report(&self) -> bool {
        !self.runs.is_empty()
    }
}
