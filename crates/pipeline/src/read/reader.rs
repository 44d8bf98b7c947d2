//! Cuts inputs into work items, in the reader thread.

use crate::budget::Budget;
use crate::read::interruptible_reader::InterruptibleReader;
use crate::read::lone_page;
use crate::settings::Settings;
use crate::work_item::{File as PageFile, ItemContent, WorkItem};
use crossbeam_channel::{Receiver, Sender};
use huller_archive::{ArchiveError, Input, InputDigest, Packing, PrefixDigest, Stores, redact_url};
use huller_corpus::CorpusError;
use huller_run::change_detector::{add_page_end, modified_without_request, page_limit};
use huller_run::clocks::Clock;
use huller_run::plan::{HtmlFile, JobSource, is_archive};
use huller_run::run_files::folder::PendingJob;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The reader, with its ends of the channels.
pub(crate) struct Reader<'a> {
    pub(crate) settings: &'a Settings,
    /// Opens inputs at URLs.
    pub(crate) stores: &'a Stores,
    /// Delivers empty work items.
    pub(crate) free: Receiver<Box<WorkItem>>,
    /// Takes full work items, for the workers.
    pub(crate) work: Sender<Box<WorkItem>>,
    /// Takes the ends of inputs, which bypass the workers.
    pub(crate) done: Sender<Box<WorkItem>>,
    /// Memory budget of the work items between reader and writer.
    pub(crate) budget: &'a Budget,
    /// The clock of the reader's thread.
    pub(crate) clock: Clock<'a>,
    /// Set by the caller to end the run early.
    pub(crate) stop: &'a Arc<AtomicBool>,
    /// Set by the writer when it needs no more records.
    pub(crate) enough: &'a Arc<AtomicBool>,
}

/// The other threads have ended, or the run is to stop.
struct ReaderStopped;

impl Reader<'_> {
    /// Reads all jobs in order. Returns early if the run is to stop or the other threads have
    /// ended.
    pub(crate) fn run(self, todo: &[PendingJob<'_>]) {
        let mut sequence = 0;
        for todo in todo {
            let modified = modified_without_request(todo.job, self.stores);
            let ended = match &todo.job.source {
                JobSource::File(path) if is_pipe(path) => {
                    let name = path.display().to_string();
                    let pipe = InterruptibleReader::open(path, self.flags());
                    self.piped(
                        pipe,
                        &format!("'{name}'"),
                        is_archive(path),
                        todo,
                        modified,
                        &mut sequence,
                    )
                }
                JobSource::File(path) => {
                    match Input::open_in(self.stores, path, &self.settings.limits) {
                        Err(ArchiveError::NotAnArchive { .. })
                            if !self.wants_rows()
                                && !is_archive(&redact_url(path))
                                && lone_page::is_in(path, self.stores) =>
                        {
                            self.page(self.stores.open(path), todo, modified, &mut sequence)
                        }
                        input => self.archive(input, todo, modified, &mut sequence),
                    }
                }
                JobSource::Indexed { path, records } => {
                    let limits = &self.settings.limits;
                    let input = Input::open_planned(self.stores, path, Arc::clone(records), limits);
                    self.archive(input, todo, modified, &mut sequence)
                }
                JobSource::Stdin => {
                    let stdin = Ok(InterruptibleReader::stdin(self.flags()));
                    self.piped(stdin, "standard input", false, todo, modified, &mut sequence)
                }
                JobSource::Html(_) if self.wants_rows() => {
                    self.end(todo, 0, Some(CorpusError::Pages.to_string()), &mut sequence)
                }
                JobSource::Html(files) => self.pages(files, todo, modified, &mut sequence),
            };
            if ended.is_err() {
                return;
            }
        }
    }

    /// Reads an input that can be read once, an archive or, if `is_archive` is false, a page.
    /// Errors call it `name`.
    fn piped(
        &self,
        pipe: io::Result<impl Read + Send + 'static>,
        name: &str,
        is_archive: bool,
        todo: &PendingJob<'_>,
        modified: Option<u64>,
        sequence: &mut u64,
    ) -> Result<(), ReaderStopped> {
        let limits = &self.settings.limits;
        match pipe.and_then(|pipe| lone_page::detect_page(pipe, limits)) {
            Ok((true, seen)) if !is_archive && !self.wants_rows() => {
                self.page(Ok(seen), todo, modified, sequence)
            }
            Ok((_, seen)) => {
                let input = match &todo.job.source {
                    JobSource::File(path) => Input::from_named_reader(
                        &path.display().to_string(),
                        Box::new(seen),
                        limits,
                    ),
                    _ => Input::from_reader(Box::new(seen), limits),
                };
                self.archive(input, todo, modified, sequence)
            }
            Err(_) if self.is_stopped() => Err(ReaderStopped),
            Err(error) => {
                let error = format!("cannot read {name}: {error}");
                self.end(todo, 0, Some(error), sequence)
            }
        }
    }

    /// Returns whether the run is `refine`, which takes neither archives nor pages.
    fn wants_rows(&self) -> bool {
        self.settings.refines.is_some()
    }

    fn flags(&self) -> [Arc<AtomicBool>; 2] {
        [Arc::clone(self.stop), Arc::clone(self.enough)]
    }

    fn archive(
        &self,
        input: Result<Input, ArchiveError>,
        todo: &PendingJob<'_>,
        modified: Option<u64>,
        sequence: &mut u64,
    ) -> Result<(), ReaderStopped> {
        let mut input = match input {
            Ok(input) => input,
            Err(_) if self.is_stopped() => return Err(ReaderStopped),
            Err(error) => return self.end(todo, 0, Some(error.to_string()), sequence),
        };
        if self.wants_rows()
            && let Err(error) = CorpusError::refuse_archives(input.format())
        {
            return self.end(todo, 0, Some(error.to_string()), sequence);
        }
        // For a store, takes the version of the opened object, so that the store is asked only
        // once.
        let modified = modified.or(input.version());
        let mut skipped = 0;
        let mut item = self.take(todo)?;
        loop {
            let is_skipped = skipped < todo.batches_done;
            let next = if is_skipped {
                input.next_batch(&mut item.batch)
            } else {
                input.cut_batch(&mut item.batch)
            };
            match next {
                Ok(true) if is_skipped => {
                    skipped += 1;
                    item.clear();
                }
                Ok(true) => {
                    item.bytes_read = input.bytes_read();
                    (item.seen, item.modified) = (input.complete_prefix_digest(), modified);
                    if !matches!(item.batch.packing, Packing::Plain) {
                        item.repairer = Some(input.repairer());
                    }
                    self.send(item, sequence)?;
                    item = self.take(todo)?;
                }
                Err(_) if self.is_stopped() => return Err(ReaderStopped),
                end => {
                    item.clear();
                    item.bytes_read = input.bytes_read();
                    let error = end.err().map(|error| error.to_string());
                    return self.finish_seen(
                        item,
                        input.complete_prefix_digest(),
                        modified,
                        error,
                        sequence,
                    );
                }
            }
        }
    }

    /// Reads the pages of one folder, several to a work item.
    fn pages(
        &self,
        files: &[HtmlFile],
        todo: &PendingJob<'_>,
        modified: Option<u64>,
        sequence: &mut u64,
    ) -> Result<(), ReaderStopped> {
        let mut skipped = 0;
        let (mut bytes_read, mut digest) = (0, InputDigest::default());
        let mut files = files.iter().peekable();
        let mut item = self.take(todo)?;
        while files.peek().is_some() {
            while let Some(HtmlFile { path, name }) =
                files.next_if(|_| item.batch.bytes.len() < self.settings.limits.batch_bytes)
            {
                let page = self.add_page(&mut item, name.clone(), self.stores.open(path));
                digest.update(page);
                add_page_end(&mut digest, page.len());
                bytes_read += page.len() as u64;
            }
            item.bytes_read = bytes_read;
            (item.seen, item.modified) = (Some(digest.prefix_digest()), modified);
            if skipped < todo.batches_done {
                skipped += 1;
                item.clear();
            } else {
                self.send(item, sequence)?;
                item = self.take(todo)?;
            }
        }
        item.bytes_read = bytes_read;
        self.finish_seen(item, Some(digest.prefix_digest()), modified, None, sequence)
    }

    /// Reads an input that is one page.
    fn page(
        &self,
        page: io::Result<impl Read>,
        todo: &PendingJob<'_>,
        modified: Option<u64>,
        sequence: &mut u64,
    ) -> Result<(), ReaderStopped> {
        let mut item = self.take(todo)?;
        let mut digest = InputDigest::default();
        digest.update(self.add_page(&mut item, todo.job.name.clone(), page));
        let seen = digest.prefix_digest();
        if self.is_stopped() {
            return Err(ReaderStopped);
        }
        if todo.batches_done == 0 {
            item.bytes_read = seen.bytes;
            (item.seen, item.modified) = (Some(seen), modified);
            self.send(item, sequence)?;
            item = self.take(todo)?;
        }
        item.clear();
        item.bytes_read = seen.bytes;
        self.finish_seen(item, Some(seen), modified, None, sequence)
    }

    /// Adds a page to a work item, up to the longest page that is used, and returns its bytes.
    fn add_page<'p>(
        &self,
        item: &'p mut WorkItem,
        name: String,
        page: io::Result<impl Read>,
    ) -> &'p [u8] {
        let bytes = &mut item.batch.bytes;
        let start = bytes.len();
        let max_bytes = page_limit(self.settings.max_page_bytes);
        let read = page.and_then(|page| page.take(max_bytes).read_to_end(bytes));
        let end = bytes.len();
        let range = read.map(|_| start..end).map_err(|error| error.to_string());
        item.files.push(PageFile { name, bytes: range });
        &item.batch.bytes[start..]
    }

    fn take(&self, todo: &PendingJob<'_>) -> Result<Box<WorkItem>, ReaderStopped> {
        self.clock.add();
        let mut item = self.free.recv().map_err(|_| ReaderStopped)?;
        self.clock.add_waiting();
        if self.is_stopped() {
            return Err(ReaderStopped);
        }
        item.clear();
        item.job = todo.index;
        Ok(item)
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.enough.load(Ordering::Relaxed)
    }

    fn send(&self, mut item: Box<WorkItem>, sequence: &mut u64) -> Result<(), ReaderStopped> {
        item.sequence = *sequence;
        *sequence += 1;
        item.held = item.batch.weight();
        self.budget.hold(item.sequence, item.held);
        self.clock.add();
        // Waking a worker counts as well: the next call adds it.
        self.work.send(item).map_err(|_| ReaderStopped)
    }

    fn end(
        &self,
        todo: &PendingJob<'_>,
        bytes_read: u64,
        error: Option<String>,
        sequence: &mut u64,
    ) -> Result<(), ReaderStopped> {
        let mut item = self.take(todo)?;
        item.bytes_read = bytes_read;
        item.content = ItemContent::End(error);
        self.finish(item, sequence)
    }

    /// Ends an input that was read to its end or up to an error.
    fn finish_seen(
        &self,
        mut item: Box<WorkItem>,
        seen: Option<PrefixDigest>,
        modified: Option<u64>,
        error: Option<String>,
        sequence: &mut u64,
    ) -> Result<(), ReaderStopped> {
        item.clear();
        item.content = ItemContent::End(error);
        item.seen = seen;
        item.modified = modified;
        self.finish(item, sequence)
    }

    fn finish(&self, mut item: Box<WorkItem>, sequence: &mut u64) -> Result<(), ReaderStopped> {
        item.sequence = *sequence;
        *sequence += 1;
        self.clock.add();
        self.done.send(item).map_err(|_| ReaderStopped)
    }
}

/// Returns whether a path leads to a pipe or the like: a FIFO, `<(…)` of a shell, a terminal.
fn is_pipe(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}
