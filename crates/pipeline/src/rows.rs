//! One input, read in the caller's thread: its rows as values.
//!
//! For those who have threads, order and output of their own, such as a task of an engine that runs on many machines. What
//! [`run`](crate::run) does of an input, this does without files: the same records give the same rows, the same account,
//! and damage costs as little.

use crate::account::Account;
use crate::batch_work::BatchTools;
use crate::page_row::PageContext;
use crate::parcel::Parcel;
use crate::plan::{Job, Source};
use crate::reader::changed;
use crate::row::RowSink;
use crate::settings::Settings;
use huller_archive::{ArchiveError, Input};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The rows of one input, in order.
pub struct Rows {
    settings: Settings,
    job: Job,
    input: Input,
    tools: BatchTools,
    /// The batch at hand.
    parcel: Parcel,
    account: Account,
    ended: bool,
}

impl Rows {
    /// Opens a WARC or JSONL file. `name` is what rows call it; its file name if there is none.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is empty, or is no archive.
    pub fn open(path: &Path, name: Option<&str>, settings: Settings) -> Result<Rows, ArchiveError> {
        let input = Input::open(path, &settings.limits)?;
        let file_name = || path.file_name().unwrap_or(path.as_os_str()).display().to_string();
        let job = Job {
            name: name.map_or_else(file_name, str::to_owned),
            source: Source::File(path.to_owned()),
            output: PathBuf::new(),
            bytes: input.len(),
        };
        Ok(Rows::new(job, input, settings))
    }

    /// Takes anything that can be read once. `name` is what rows and errors call it.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is empty, or is no archive.
    pub fn from_reader(
        reader: Box<dyn Read + Send>,
        name: &str,
        settings: Settings,
    ) -> Result<Rows, ArchiveError> {
        let input = Input::from_named_reader(name, reader, &settings.limits)?;
        let job = Job {
            name: name.to_owned(),
            source: Source::Stdin,
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
            parcel: Parcel::default(),
            account: Account::default(),
            ended: false,
        }
    }

    /// Hands out the rows of the next batch of records, of which there may be none. False at the end of the input.
    ///
    /// # Errors
    ///
    /// If the input cannot be read on. What was handed out before holds; nothing comes after.
    pub fn next(&mut self, rows: &mut dyn RowSink) -> Result<bool, ArchiveError> {
        if self.ended {
            return Ok(false);
        }
        let more = self.advance(rows);
        self.ended = !matches!(more, Ok(true));
        more
    }

    fn advance(&mut self, rows: &mut dyn RowSink) -> Result<bool, ArchiveError> {
        self.parcel.clear();
        if !self.input.next_batch(&mut self.parcel.batch)? {
            return self.end();
        }
        let extractors = self.settings.extractors();
        let pages = PageContext {
            settings: &self.settings,
            extractors: &extractors,
            input: &self.job.name,
            rejects: false,
        };
        self.tools.unpack(pages, &mut self.parcel, rows);
        self.account += &self.parcel.product.account;
        if let Some(offset) = self.parcel.product.stopped_at {
            self.input.mend_at(offset)?;
        }
        Ok(true)
    }

    /// The input has been read, unless somebody is still writing it.
    fn end(&self) -> Result<bool, ArchiveError> {
        let Some(what) = changed(&self.job) else { return Ok(false) };
        Err(ArchiveError::Io {
            name: format!("'{}'", self.job.name),
            offset: self.input.bytes_read(),
            source: io::Error::other(what),
        })
    }

    /// What became of the records since this was last asked.
    pub fn take_account(&mut self) -> Account {
        std::mem::take(&mut self.account)
    }
}

#[cfg(test)]
mod tests;
