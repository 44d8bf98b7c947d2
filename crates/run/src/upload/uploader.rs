//! Uploads the files of finished inputs in a thread of its own.

use crate::error::RunError;
use crate::run_files::journal::{self, JournalEntry};
use crate::run_files::paths::{RUN_FILES, SUCCESS, run_file};
use crate::run_files::timing;
use crate::signature_file;
use crate::upload::segment::{Generation, SegmentLine};
use crate::upload::uploads::Uploads;
use huller_archive::Upload;
use huller_row::push_line;
use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// Name of the list of files that are being uploaded, one per line in quotes. A later run finds in
/// it the files that were uploaded without an entry.
pub const UPLOADING: &str = "run.uploading";

/// Most inputs that are uploaded at once, with one segment of the journal.
const MAX_INPUTS_PER_UPLOAD: usize = 64;

/// Uploads the files of inputs, in the order in which the inputs were finished. Dropping the value
/// aborts all pending uploads.
pub struct Uploader {
    root: PathBuf,
    uploads: Uploads,
    shared: Arc<UploadQueue>,
    thread: Option<JoinHandle<()>>,
    generation: Generation,
}

struct UploadQueue {
    state: Mutex<QueueState>,
    changed: Condvar,
    stop: AtomicBool,
}

#[derive(Default)]
struct QueueState {
    waiting: VecDeque<FinishedInput>,
    /// Bytes of the files that wait or are being uploaded.
    bytes: u64,
    /// Number of segments written.
    segments: u64,
    /// Whether all inputs have been added.
    is_over: bool,
    failed: Option<RunError>,
    has_failed: bool,
}

/// The files and the journal line of a finished input.
struct FinishedInput {
    files: Vec<Upload>,
    line: SegmentLine,
}

impl UploadQueue {
    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, QueueState>) -> MutexGuard<'a, QueueState> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

impl QueueState {
    /// Returns an error if the thread has ended with one.
    fn check(&mut self) -> Result<(), RunError> {
        if !self.has_failed {
            return Ok(());
        }
        let again = || RunError::Worker("the thread that uploads has ended".to_owned());
        Err(self.failed.take().unwrap_or_else(again))
    }
}

impl Uploader {
    /// Starts the thread. `generation` is that of the journal in object storage, which has no
    /// segments.
    ///
    /// # Errors
    ///
    /// [`RunError::Threads`]: the system refuses a thread.
    pub fn start(
        uploads: Uploads,
        root: &Path,
        generation: Generation,
    ) -> Result<Uploader, RunError> {
        let shared = Arc::new(UploadQueue {
            state: Mutex::default(),
            changed: Condvar::new(),
            stop: AtomicBool::new(false),
        });
        let thread = {
            let (shared, uploads) = (Arc::clone(&shared), uploads.clone());
            let generation = generation.clone();
            std::thread::Builder::new()
                .name("uploads".to_owned())
                .spawn(move || run_worker(&shared, &uploads, &generation))
                .map_err(|error| RunError::Threads(error.to_string()))?
        };
        Ok(Uploader { root: root.to_owned(), uploads, shared, thread: Some(thread), generation })
    }

    /// Queues the files of a finished input for upload. Waits while too many bytes are queued.
    ///
    /// # Errors
    ///
    /// The first error of the thread, usually a [`RunError::Output`] with the URL of an object.
    pub fn add(&self, entry: &JournalEntry, modified: Option<u64>) -> Result<(), RunError> {
        let files = files_of(&self.root, entry);
        let bytes = bytes_of(&files);
        let most = self.uploads.most_bytes;
        let mut state = self.shared.state();
        state.check()?;
        while state.bytes > 0 && state.bytes.saturating_add(bytes) > most && !state.has_failed {
            state = self.shared.wait(state);
        }
        state.check()?;
        state.bytes += bytes;
        let line = SegmentLine { entry: entry.clone(), modified };
        state.waiting.push_back(FinishedInput { files, line });
        self.shared.changed.notify_all();
        Ok(())
    }

    /// Returns the bytes of files that are still to be uploaded.
    pub fn waiting(&self) -> u64 {
        self.shared.state().bytes
    }

    /// Waits until all files are uploaded, and then uploads the run files. If the run is complete,
    /// the mark of success comes last.
    ///
    /// # Errors
    ///
    /// * The first error of the thread, usually a [`RunError::Output`].
    /// * [`RunError::Worker`]: the thread panicked, or has ended with an error that was reported.
    /// * [`RunError::Output`]: a run file cannot be read here, or written in object storage.
    pub fn finish(mut self, is_complete: bool) -> Result<(), RunError> {
        self.shared.state().is_over = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            ended.map_err(|_| RunError::Worker("the thread that uploads panicked".to_owned()))?;
        }
        self.shared.state().check()?;
        let store = &self.uploads.store;
        let names = [journal::NAME, "run.account", "run.account.csv", timing::NAME];
        for name in names {
            let path = self.root.join(RUN_FILES).join(name);
            let bytes = fs::read(&path).map_err(RunError::output("read", &path))?;
            let object = run_file(name);
            store.write(&object, bytes).map_err(self.uploads.storage_error("write", &object))?;
        }
        // The journal now has all entries of the segments.
        let segments = self.shared.state().segments;
        let mut over: Vec<_> =
            (0..segments).map(|number| self.generation.segment(number)).collect();
        over.push(run_file(UPLOADING));
        store.remove(&over).map_err(self.uploads.storage_error("remove", &over[0]))?;
        if is_complete {
            store
                .write(SUCCESS, Vec::new())
                .map_err(self.uploads.storage_error("write", SUCCESS))?;
        }
        Ok(())
    }
}

impl Drop for Uploader {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        self.shared.state().is_over = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Returns the files of an input in the staging folder.
pub fn files_of(root: &Path, entry: &JournalEntry) -> Vec<Upload> {
    let outputs = entry.outputs();
    let rows = outputs.iter().chain(&entry.secondary_outputs).map(|file| Upload {
        name: file.output.clone(),
        path: root.join(crate::plan::path_of(&file.output)),
        bytes: file.bytes,
    });
    let signatures = entry.signatures.iter().flat_map(|mark| {
        entry.row_names().map(|output| Upload {
            name: signature_file::name_of(output),
            path: signature_file::path_of(root, output),
            bytes: mark.bytes,
        })
    });
    rows.chain(signatures).collect()
}

fn bytes_of(files: &[Upload]) -> u64 {
    files.iter().map(|file| file.bytes).sum()
}

/// Runs in the thread. Takes queued inputs, uploads their files, writes their entries, and removes
/// the local files.
fn run_worker(shared: &UploadQueue, uploads: &Uploads, generation: &Generation) {
    loop {
        let (taken, number) = {
            let mut state = shared.state();
            while state.waiting.is_empty() && !state.is_over {
                state = shared.wait(state);
            }
            if state.waiting.is_empty() || shared.stop.load(Ordering::Relaxed) {
                return;
            }
            let count = state.waiting.len().min(MAX_INPUTS_PER_UPLOAD);
            (state.waiting.drain(..count).collect::<Vec<_>>(), state.segments)
        };
        let done = upload_segment(shared, uploads, &generation.segment(number), &taken);
        let mut state = shared.state();
        match done {
            Ok(()) => {
                state.segments += 1;
                state.bytes -= taken.iter().map(|finished| bytes_of(&finished.files)).sum::<u64>();
            }
            Err(error) => (state.failed, state.has_failed) = (Some(error), true),
        }
        let has_failed = state.has_failed;
        drop(state);
        shared.changed.notify_all();
        if has_failed {
            return;
        }
    }
}

fn upload_segment(
    shared: &UploadQueue,
    uploads: &Uploads,
    segment: &str,
    taken: &[FinishedInput],
) -> Result<(), RunError> {
    let store = &uploads.store;
    let files: Vec<_> = taken.iter().flat_map(|finished| finished.files.iter().cloned()).collect();
    if let Some(first) = files.first() {
        let mut names = Vec::new();
        for file in &files {
            push_line(&mut names, &file.name);
        }
        let uploading = run_file(UPLOADING);
        store.write(&uploading, names).map_err(uploads.storage_error("write", &uploading))?;
        store
            .upload(&files, &shared.stop)
            .map_err(uploads.storage_error("upload to", &first.name))?;
    }
    let mut lines = Vec::new();
    for finished in taken {
        finished.line.push_to(&mut lines);
    }
    store.write(segment, lines).map_err(uploads.storage_error("write", segment))?;
    for file in &files {
        fs::remove_file(&file.path).map_err(RunError::output("remove", &file.path))?;
    }
    Ok(())
}
