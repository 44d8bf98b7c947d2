//! A run from its beginning to its end: sets up the threads and waits for them.

use crate::batch_work::{Context, Tools};
use crate::error::RunError;
use crate::folder::{Beginning, RunFolder};
use crate::monitor::Monitor;
use crate::options::Options;
use crate::parcel::{Content, Parcel};
use crate::plan::Plan;
use crate::reader::{Reader, Todo};
use crate::rejects::Rejects;
use crate::settings::{OutputTo, Settings};
use crate::summary::Summary;
use crate::writer::Writer;
use crossbeam_channel::{Receiver, Sender, bounded};
use huller_extract::Extractor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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

#[cfg(test)]
mod tests;
