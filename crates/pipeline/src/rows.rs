//! Reads one input in the caller's thread and passes on its rows as values.
//!
//! For programs with threads, order and output of their own, such as a task of an engine that runs
//! on many machines. The same records give the same rows and the same statistics as with
//! [`run`](crate::run), and damage costs no more rows.

use crate::settings::Settings;
use crate::work::batch_work::BatchTools;
use crate::work::page_context::PageContext;
use crate::work_item::WorkItem;
use huller_archive::{ArchiveError, Input, Limits, PlannedRecord, Stores};
use huller_row::RowSink;
use huller_run::change_detector::{ChangeDetector, modified};
use huller_run::counters::Counters;
use huller_run::plan::{Job, JobSource};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The rows of one input, in order.
pub struct Rows {
    settings: Settings,
    job: Job,
    input: Input,
    tools: BatchTools,
    /// The current batch.
    item: WorkItem,
    counters: Counters,
    ended: bool,
    /// Time of the input's last change before it was opened.
    modified: Option<u64>,
}

impl Rows {
    /// Opens a WARC or JSONL file. Rows call it `name`, or its file name if `name` is `None`.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is empty, or is not an archive.
    pub fn open(path: &Path, name: Option<&str>, settings: Settings) -> Result<Rows, ArchiveError> {
        let source = JobSource::File(path.to_owned());
        Rows::open_file(path, name, source, settings, |limits| Input::open(path, limits))
    }

    /// As [`Rows::open`], but reads only these records of a WARC, ARC or WACZ file. They must be in
    /// the order of the file, as [`IndexOptions::records_of`](crate::IndexOptions::records_of)
    /// returns them.
    ///
    /// # Errors
    ///
    /// As [`Rows::open`], and if the file is of another kind.
    pub fn planned(
        path: &Path,
        name: Option<&str>,
        records: Arc<[PlannedRecord]>,
        settings: Settings,
    ) -> Result<Rows, ArchiveError> {
        let source = JobSource::Indexed { path: path.to_owned(), records: Arc::clone(&records) };
        Rows::open_file(path, name, source, settings, |limits| {
            Input::planned(path, records, limits)
        })
    }

    fn open_file(
        path: &Path,
        name: Option<&str>,
        source: JobSource,
        settings: Settings,
        open: impl FnOnce(&Limits) -> Result<Input, ArchiveError>,
    ) -> Result<Rows, ArchiveError> {
        let file_name = || path.file_name().unwrap_or(path.as_os_str()).display().to_string();
        let name = name.map_or_else(file_name, str::to_owned);
        let mut job = Job { name, source, output: PathBuf::new(), bytes: None };
        let modified = modified(&job, &Stores::default());
        let input = open(&settings.limits)?;
        job.bytes = input.len();
        Ok(Rows { modified, ..Rows::new(job, input, settings) })
    }

    /// Reads an archive from a stream. Rows and errors call it `name`.
    ///
    /// # Errors
    ///
    /// The stream cannot be read, is empty, or is not an archive.
    pub fn from_reader(
        reader: Box<dyn Read + Send>,
        name: &str,
        settings: Settings,
    ) -> Result<Rows, ArchiveError> {
        let input = Input::from_named_reader(name, reader, &settings.limits)?;
        let job = Job {
            name: name.to_owned(),
            source: JobSource::Stdin,
            output: PathBuf::new(),
            bytes: None,
        };
        Ok(Rows::new(job, input, settings))
    }

    fn new(job: Job, input: Input, settings: Settings) -> Rows {
        let tools = BatchTools::new(&settings);
        Rows {
            settings,
            job,
            input,
            tools,
            item: WorkItem::default(),
            counters: Counters::default(),
            ended: false,
            modified: None,
        }
    }

    /// Passes the rows of the next batch of records to `rows`. A batch may have no rows. Returns
    /// false at the end of the input.
    ///
    /// # Errors
    ///
    /// The rest of the input cannot be read. Earlier rows are right, and no more rows follow.
    pub fn next(&mut self, rows: &mut dyn RowSink) -> Result<bool, ArchiveError> {
        if self.ended {
            return Ok(false);
        }
        let more = self.advance(rows);
        self.ended = !matches!(more, Ok(true));
        more
    }

    fn advance(&mut self, rows: &mut dyn RowSink) -> Result<bool, ArchiveError> {
        self.item.clear();
        if !self.input.next_batch(&mut self.item.batch)? {
            return self.end();
        }
        let pages = PageContext::for_rows(&self.settings, &self.job.name);
        self.tools.unpack(pages, &mut self.item, rows, None);
        self.counters += &self.item.batch_output.counters;
        if let Some(offset) = self.item.batch_output.stopped_at {
            self.input.restart_at(offset)?;
        }
        Ok(true)
    }

    /// Checks at the end of the input that the input has not changed since it was opened.
    fn end(&self) -> Result<bool, ArchiveError> {
        let Rows { job, settings, modified, .. } = self;
        let max_page_bytes = settings.max_page_bytes;
        let stores = &Stores::default();
        let detector = ChangeDetector { job, stores, max_page_bytes, modified: *modified };
        let Some(change) = detector.change_message(self.input.prefix_digest()) else {
            return Ok(false);
        };
        Err(ArchiveError::Io {
            name: format!("'{}'", self.job.name),
            offset: self.input.bytes_read(),
            source: io::Error::other(change),
        })
    }

    /// Returns the counts of the records since the last call.
    pub fn take_counters(&mut self) -> Counters {
        std::mem::take(&mut self.counters)
    }
}

#[cfg(test)]
mod tests;
