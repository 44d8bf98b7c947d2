//! The reader: cuts inputs into parcels.

use crate::lone_page;
use crate::parcel::{Content, File as PageFile, Parcel};
use crate::plan::{Job, Source, is_archive, name_of};
use crate::settings::Settings;
use crate::stdin::PatientStdin;
use crossbeam_channel::{Receiver, Sender};
use huller_archive::{ArchiveError, Input, Packing};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A job that is still to be done, and how many of its batches an earlier run has done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Todo<'a> {
    pub(crate) index: usize,
    pub(crate) job: &'a Job,
    pub(crate) batches_done: u64,
}

/// The reader's ends of the channels.
pub(crate) struct Reader<'a> {
    pub(crate) settings: &'a Settings,
    /// Empty parcels come from here.
    pub(crate) free: Receiver<Box<Parcel>>,
    /// Full ones go here, to the workers.
    pub(crate) work: Sender<Box<Parcel>>,
    /// The ends of inputs go here, past the workers.
    pub(crate) done: Sender<Box<Parcel>>,
    /// Set by the caller to end the run early.
    pub(crate) stop: &'a Arc<AtomicBool>,
    /// Set by the writer when it needs no more.
    pub(crate) enough: &'a Arc<AtomicBool>,
}

/// The others have gone, or the run is to stop.
struct Stopped;

impl Reader<'_> {
    /// Reads all jobs in order. Returns early when the run is to stop or nobody listens any more.
    pub(crate) fn run(self, todo: &[Todo<'_>]) {
        let mut sequence = 0;
        for todo in todo {
            let ended = match &todo.job.source {
                Source::File(path) => match Input::open(path, &self.settings.limits) {
                    Err(ArchiveError::NotAnArchive { .. })
                        if !is_archive(path) && lone_page::is_in(path) =>
                    {
                        self.page(File::open(path), todo, &mut sequence)
                    }
                    input => self.archive(input, todo, &mut sequence),
                },
                Source::Stdin => self.stdin(todo, &mut sequence),
                Source::Html(paths) => self.pages(paths, todo, &mut sequence),
            };
            if ended.is_err() {
                return;
            }
        }
    }

    /// Reads standard input, an archive or one page.
    fn stdin(&self, todo: &Todo<'_>, sequence: &mut u64) -> Result<(), Stopped> {
        let flags = [Arc::clone(self.stop), Arc::clone(self.enough)];
        match lone_page::see(PatientStdin::new(flags), &self.settings.limits) {
            Ok((true, seen)) => self.page(Ok(seen), todo, sequence),
            Ok((false, seen)) => {
                let input = Input::from_reader(Box::new(seen), &self.settings.limits);
                self.archive(input, todo, sequence)
            }
            Err(_) if self.is_stopped() => Err(Stopped),
            Err(error) => {
                let error = format!("cannot read standard input: {error}");
                self.end(todo, 0, Some(error), sequence)
            }
        }
    }

    fn archive(
        &self,
        input: Result<Input, ArchiveError>,
        todo: &Todo<'_>,
        sequence: &mut u64,
    ) -> Result<(), Stopped> {
        let mut input = match input {
            Ok(input) => input,
            Err(_) if self.is_stopped() => return Err(Stopped),
            Err(error) => return self.end(todo, 0, Some(error.to_string()), sequence),
        };
        let mut skipped = 0;
        let mut parcel = self.take(todo)?;
        loop {
            match input.next_batch(&mut parcel.batch) {
                Ok(true) if skipped < todo.batches_done => {
                    skipped += 1;
                    parcel.clear();
                }
                Ok(true) => {
                    parcel.bytes_read = input.bytes_read();
                    if !matches!(parcel.batch.packing, Packing::Framed) {
                        parcel.repairer = Some(input.repairer());
                    }
                    self.send(parcel, sequence)?;
                    parcel = self.take(todo)?;
                }
                Err(_) if self.is_stopped() => return Err(Stopped),
                end => {
                    parcel.clear();
                    parcel.bytes_read = input.bytes_read();
                    let error = end.err().map(|error| error.to_string());
                    parcel.content = Content::End(error.or_else(|| changed(todo.job)));
                    return self.finish(parcel, sequence);
                }
            }
        }
    }

    /// Reads the files of one folder of pages, several to a parcel.
    fn pages(&self, paths: &[PathBuf], todo: &Todo<'_>, sequence: &mut u64) -> Result<(), Stopped> {
        let mut skipped = 0;
        let mut bytes_read = 0;
        let mut paths = paths.iter().peekable();
        let mut parcel = self.take(todo)?;
        while paths.peek().is_some() {
            while let Some(path) =
                paths.next_if(|_| parcel.batch.bytes.len() < self.settings.limits.batch_bytes)
            {
                let name = path.file_name().map(|name| name_of(Path::new(name)));
                let name = format!("{}/{}", todo.job.name, name.unwrap_or_default());
                bytes_read += self.add_page(&mut parcel, name, File::open(path));
            }
            parcel.bytes_read = bytes_read;
            if skipped < todo.batches_done {
                skipped += 1;
                parcel.clear();
            } else {
                self.send(parcel, sequence)?;
                parcel = self.take(todo)?;
            }
        }
        parcel.bytes_read = bytes_read;
        parcel.content = Content::End(None);
        self.finish(parcel, sequence)
    }

    /// Reads an input that is one page.
    fn page(
        &self,
        page: io::Result<impl Read>,
        todo: &Todo<'_>,
        sequence: &mut u64,
    ) -> Result<(), Stopped> {
        let mut parcel = self.take(todo)?;
        let bytes_read = self.add_page(&mut parcel, todo.job.name.clone(), page);
        if self.is_stopped() {
            return Err(Stopped);
        }
        if todo.batches_done == 0 {
            parcel.bytes_read = bytes_read;
            self.send(parcel, sequence)?;
            parcel = self.take(todo)?;
        }
        parcel.clear();
        parcel.bytes_read = bytes_read;
        parcel.content = Content::End(changed(todo.job));
        self.finish(parcel, sequence)
    }

    /// Adds a page to a parcel, as much of it as is used, and gives how many bytes that are.
    fn add_page(&self, parcel: &mut Parcel, name: String, page: io::Result<impl Read>) -> u64 {
        let bytes = &mut parcel.batch.bytes;
        let start = bytes.len();
        // One byte more than is used shows that the page was longer.
        let most = self.settings.max_page_bytes as u64 + 1;
        let read = page.and_then(|page| page.take(most).read_to_end(bytes));
        let end = bytes.len();
        let bytes = read.map(|_| start..end).map_err(|error| error.to_string());
        parcel.files.push(PageFile { name, bytes });
        (end - start) as u64
    }

    fn take(&self, todo: &Todo<'_>) -> Result<Box<Parcel>, Stopped> {
        let mut parcel = self.free.recv().map_err(|_| Stopped)?;
        if self.is_stopped() {
            return Err(Stopped);
        }
        parcel.clear();
        parcel.job = todo.index;
        Ok(parcel)
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.enough.load(Ordering::Relaxed)
    }

    fn send(&self, mut parcel: Box<Parcel>, sequence: &mut u64) -> Result<(), Stopped> {
        parcel.sequence = *sequence;
        *sequence += 1;
        self.work.send(parcel).map_err(|_| Stopped)
    }

    fn end(
        &self,
        todo: &Todo<'_>,
        bytes_read: u64,
        error: Option<String>,
        sequence: &mut u64,
    ) -> Result<(), Stopped> {
        let mut parcel = self.take(todo)?;
        parcel.bytes_read = bytes_read;
        parcel.content = Content::End(error);
        self.finish(parcel, sequence)
    }

    fn finish(&self, mut parcel: Box<Parcel>, sequence: &mut u64) -> Result<(), Stopped> {
        parcel.sequence = *sequence;
        *sequence += 1;
        self.done.send(parcel).map_err(|_| Stopped)
    }
}

/// What is wrong with an input that is not as long as when the run began: somebody is still writing it, so that its end was
/// none, or has put another in its place.
pub(crate) fn changed(job: &Job) -> Option<String> {
    let (Source::File(path), Some(then)) = (&job.source, job.bytes) else { return None };
    // One that has gone was read to its end all the same.
    let now = path.metadata().ok()?.len();
    (now != then).then(|| {
        let name = path.display();
        format!("'{name}' changed during the run: it had {then} bytes at first, {now} at the end")
    })
}
