//! A run from its beginning to its end: sets up the threads and waits for them.

use crate::account::Account;
use crate::error::RunError;
use crate::folder::{Beginning, RunFolder};
use crate::memory::empty;
use crate::monitor::Monitor;
use crate::page_row::PageContext;
use crate::page_work::{PageVisitor, Workspace};
use crate::parcel::{Content, Parcel};
use crate::plan::{Job, Plan};
use crate::reader::{Reader, Todo};
use crate::rejects::Rejects;
use crate::row::RowSink;
use crate::settings::{OutputTo, Settings};
use crate::writer::Writer;
use crossbeam_channel::{Receiver, Sender, bounded};
use huller_archive::{Encoder, Unpacked, Unpacker};
use huller_extract::Extractor;
use serde::{Deserialize, Serialize};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a run needs besides its settings; none of it shows in the output.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Worker threads, at least 1.
    pub threads: usize,
    /// Go on with the run in the output folder.
    pub resume: bool,
    /// Replace what is in the output folder.
    pub overwrite: bool,
    /// Where to list the pages that are not in the output.
    pub rejects: Option<PathBuf>,
}

/// What a run did.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The finished inputs in the order of the plan, those of the run that was resumed included.
    pub inputs: Vec<InputSummary>,
    /// Their accounts added up.
    pub total: Account,
    /// Inputs that could not be used, or not to their ends.
    pub unusable: Vec<UnusableInput>,
    /// Inputs that an earlier run had finished.
    pub resumed: usize,
    /// How it ended.
    pub ending: Ending,
}

/// One finished input.
#[derive(Clone, Debug)]
pub struct InputSummary {
    /// Its name.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// What became of its records.
    pub account: Account,
}

/// An input that could not be used, or not to its end.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnusableInput {
    /// Its name.
    pub input: String,
    /// Why.
    pub error: String,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// All inputs were read.
    #[default]
    Complete,
    /// It was told to stop, and can be resumed if it wrote to a folder.
    Interrupted,
}

impl Summary {
    /// Bytes of all finished inputs.
    pub fn bytes(&self) -> u64 {
        self.inputs.iter().map(|input| input.bytes).sum()
    }
}

/// Runs a plan. Setting `stop` ends it soon: what has been read is still written.
///
/// # Errors
///
/// The output cannot be written, or must not be. Damaged and missing inputs are no errors: they are in the summary.
///
/// # Panics
///
/// If the sums of the account don't agree, which would be a bug.
pub fn run(
    plan: &Plan,
    settings: &Settings,
    to: &OutputTo,
    options: &Options,
    monitor: &mut dyn Monitor,
    stop: &Arc<AtomicBool>,
) -> Result<Summary, RunError> {
    run_with(&settings.extractors(), plan, settings, to, options, monitor, stop)
}

/// [`run`] with any extractors, one for each method of the settings.
pub(crate) fn run_with(
    extractors: &[&dyn Extractor],
    plan: &Plan,
    settings: &Settings,
    to: &OutputTo,
    options: &Options,
    monitor: &mut dyn Monitor,
    stop: &Arc<AtomicBool>,
) -> Result<Summary, RunError> {
    let config = settings.hash();
    let (folder, todo, half_done, rejects) = match to {
        OutputTo::Folder(root) => {
            let suffix = settings.compression.file_suffix();
            let Beginning { folder, todo, half_done, rejects } =
                RunFolder::open(root, plan, suffix, &config, options)?;
            (Some(folder), todo, half_done, rejects)
        }
        OutputTo::Stdout => {
            let jobs = plan.jobs.iter().enumerate();
            let todo = jobs.map(|(index, job)| Todo { index, job, batches_done: 0 });
            let rejects = options.rejects.as_ref();
            let rejects = rejects.map(|path| Rejects::open(path, 0, 0)).transpose()?;
            rejects.as_ref().map(Rejects::cut).transpose()?;
            (None, todo.collect(), None, rejects)
        }
    };
    let bytes = todo.iter().map(|todo| todo.job.bytes).sum::<Option<u64>>();
    monitor.started(todo.len() as u64, bytes);
    for (input, error) in &plan.unusable {
        monitor.unusable(input, error);
    }
    let context = Context { plan, settings, extractors, rejects: rejects.is_some() };
    let writer = Writer::new(context, folder, rejects, config, half_done, monitor)?;
    let summary = work(context, &todo, options.threads.max(1), writer, stop)?;
    assert!(
        summary.total.is_balanced(),
        "records read are not the sum of those written, skipped and failed"
    );
    Ok(summary)
}

/// What all threads of a run look at.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) settings: &'a Settings,
    pub(crate) extractors: &'a [&'a dyn Extractor],
    pub(crate) rejects: bool,
}

impl<'a> Context<'a> {
    /// What the pages of one job have in common.
    pub(crate) fn pages(&self, job: &'a Job) -> PageContext<'a> {
        let Context { settings, extractors, rejects, .. } = *self;
        PageContext { settings, extractors, input: &job.name, rejects }
    }
}

/// Parcels for every worker: one it works on, one waiting for it, and two on their way or in the writer's ring.
const PARCELS_PER_WORKER: usize = 4;

fn work(
    context: Context<'_>,
    todo: &[Todo<'_>],
    threads: usize,
    writer: Writer<'_>,
    stop: &Arc<AtomicBool>,
) -> Result<Summary, RunError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|number| format!("worker-{number}"))
        .build()
        .map_err(|error| RunError::Threads(error.to_string()))?;
    let parcels = threads * PARCELS_PER_WORKER;
    let (free_in, free_out) = bounded::<Box<Parcel>>(parcels);
    let (work_in, work_out) = bounded::<Box<Parcel>>(parcels);
    let (done_in, done_out) = bounded::<Box<Parcel>>(parcels);
    for _ in 0..parcels {
        free_in.send(Box::default()).expect("the channel has room for all parcels");
    }
    // Ends the reader where the writer has seen enough, without telling the caller's flag.
    let enough = Arc::new(AtomicBool::new(false));
    std::thread::scope(|scope| {
        let reader = Reader {
            settings: context.settings,
            free: free_out,
            work: work_in,
            done: done_in.clone(),
            stop,
            enough: &enough,
        };
        let reading = scope.spawn(move || reader.run(todo));
        let working = scope.spawn(move || {
            pool.broadcast(|_| worker(context, &work_out, &done_in));
        });
        let result = writer.run(&done_out, free_in, &enough);
        // Nobody must wait for a writer that has gone.
        enough.store(true, Ordering::Relaxed);
        drop(done_out);
        let died = |what: &str| RunError::Worker(format!("the {what} panicked"));
        reading.join().map_err(|_| died("reader"))?;
        working.join().map_err(|_| died("pool"))?;
        result
    })
}

/// One worker's loop: unpack, extract, compress.
fn worker(context: Context<'_>, work: &Receiver<Box<Parcel>>, done: &Sender<Box<Parcel>>) {
    let mut tools = Tools::new(context.settings);
    for mut parcel in work {
        // Without its parcel the writer would wait for ever.
        if catch_unwind(AssertUnwindSafe(|| tools.process(&context, &mut parcel))).is_err() {
            parcel.content = Content::Fatal;
            tools = Tools::new(context.settings);
        }
        if done.send(parcel).is_err() {
            return;
        }
    }
}

/// Room for so many bytes of rows is kept from batch to batch.
const ROWS_KEPT: usize = 1 << 20;

/// What one thread needs to turn batches into rows.
pub(crate) struct BatchTools {
    unpacker: Unpacker,
    workspace: Workspace,
}

impl BatchTools {
    pub(crate) fn new(settings: &Settings) -> BatchTools {
        BatchTools {
            unpacker: Unpacker::new(&settings.limits),
            workspace: Workspace::new(settings),
        }
    }

    /// Hands out the rows of the parcel's batch; all else goes into its product.
    pub(crate) fn unpack(
        &mut self,
        pages: PageContext<'_>,
        parcel: &mut Parcel,
        rows: &mut dyn RowSink,
    ) {
        debug_assert!(matches!(parcel.content, Content::Records));
        let mut visitor = PageVisitor::new(pages, &mut self.workspace, rows, &mut parcel.product);
        for file in &parcel.files {
            visitor.file(file, &parcel.batch.bytes);
        }
        let unpacked = self.unpacker.unpack(&mut parcel.batch, &mut visitor);
        if let Unpacked::StoppedAt(offset) = unpacked {
            parcel.product.stopped_at = Some(offset);
        }
    }
}

/// What one thread needs to turn batches into frames.
pub(crate) struct Tools {
    batch: BatchTools,
    encoder: Encoder,
    /// Rows of the batch at hand. Once compressed they go nowhere, so one buffer serves all parcels.
    rows: Vec<u8>,
}

impl Tools {
    pub(crate) fn new(settings: &Settings) -> Tools {
        Tools {
            batch: BatchTools::new(settings),
            encoder: Encoder::new(settings.compression),
            rows: Vec::new(),
        }
    }

    /// Fills the parcel's product from its batch.
    pub(crate) fn process(&mut self, context: &Context<'_>, parcel: &mut Parcel) {
        let pages = context.pages(&context.plan.jobs[parcel.job]);
        self.batch.unpack(pages, parcel, &mut self.rows);
        if context.settings.limit.is_some() {
            std::mem::swap(&mut self.rows, &mut parcel.product.rows);
        } else {
            self.encoder.frame(&self.rows, &mut parcel.product.frame);
        }
        empty(&mut self.rows, ROWS_KEPT);
    }
}

#[cfg(test)]
mod tests;
