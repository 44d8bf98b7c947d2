//! A run from its beginning to its end: sets up the threads and waits for them.

pub(crate) mod replay;

use crate::budget::{Budget, MemoryNeed, fit_into_memory};
use crate::read::reader::Reader;
use crate::run_config::run_config;
use crate::settings::{Settings, output_suffix};
use crate::side_output::SideOutput;
use crate::work::batch_work::ThreadTools;
use crate::work::context::Context;
use crate::work::recovery::repair_batch;
use crate::work_item::{ItemContent, WorkItem};
use crate::write::writer::Writer;
use crossbeam_channel::{Receiver, Sender, bounded};
use huller_row::Format;
use huller_run::clocks::{Clocks, ThreadRole};
use huller_run::digest;
use huller_run::durable::without_sync;
use huller_run::error::RunError;
use huller_run::line_log::LogKind;
use huller_run::logs::Logs;
use huller_run::monitor::Monitor;
use huller_run::options::OutputTo;
use huller_run::options::{Options, bounded_threads};
use huller_run::plan::{Job, Plan, RecordSelection, path_of};
use huller_run::run_files::folder::{self, CommandFiles, PendingJob, RunFolder, RunStart};
use huller_run::run_files::output_folders::relative_folders;
use huller_run::run_files::output_names::OutputNames;
use huller_run::run_files::side_tables::SideTables;
use huller_run::summary::Summary;
use huller_run::withdrawals::keys::Withdrawals;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs a plan. Setting `stop` ends the run soon. Records that have been read are still written.
///
/// # Errors
///
/// The output cannot be written, or the run is refused. Damaged and missing inputs are not errors:
/// the summary lists them.
///
/// # Panics
///
/// The sums of the statistics do not agree, which would be a bug.
pub fn run(
    plan: &Plan,
    settings: &Settings,
    output: &OutputTo,
    options: &Options,
    monitor: &mut dyn Monitor,
    stop: &Arc<AtomicBool>,
) -> Result<Summary, RunError> {
    run_with((settings.format, &thread_work), plan, settings, output, options, monitor, stop)
}

/// Returns the error with which [`run`] would be refused, and changes nothing on disk.
///
/// # Errors
///
/// The reason for which [`run`] would be refused before it reads an input.
pub fn check(
    plan: &Plan,
    settings: &Settings,
    output: &OutputTo,
    options: &Options,
) -> Result<(), RunError> {
    let folders = relative_side_folders(settings, output, options)?;
    if let OutputTo::Folder(root) = output {
        let config = run_config(settings, plan, &folders);
        let names = output_names(settings.format, settings, &folders);
        folder::check(root, plan, &names, &config, options)?;
    }
    let logs = LogKind::ALL.into_iter().filter_map(|kind| options.log(kind));
    logs.into_iter().try_for_each(|path| folder::may_open(&path))
}

/// Returns the folders of the side tables, relative to the folder of the rows.
fn relative_side_folders(
    settings: &Settings,
    output: &OutputTo,
    options: &Options,
) -> Result<SideTables<String>, RunError> {
    let tables = &settings.side_tables;
    match (tables.iter().next(), output) {
        (None, _) => Ok(SideTables::default()),
        (Some(_), OutputTo::Folder(root)) if options.uploads.is_none() => {
            relative_folders(root, &tables.map_ref(SideOutput::folder))
        }
        (Some((table, _)), _) => Err(RunError::SideTableWithoutFolder { table }),
    }
}

/// Returns the names of the outputs. `folders` are those of the side tables.
fn output_names(
    format: &dyn Format,
    settings: &Settings,
    folders: &SideTables<String>,
) -> OutputNames {
    let suffixes = match format.formats() {
        [] => vec![output_suffix(format, settings)],
        _ => settings.output_suffixes(),
    };
    let side_tables = SideTables::from_fn(|table| {
        let (output, folder) = settings.side_tables.get(table).zip(folders.get(table))?;
        Some((path_of(folder), output.suffix()))
    });
    OutputNames::new(suffixes).with_side_tables(side_tables)
}

/// The work of one thread on the batch of each work item.
type ThreadWork<'a> = Box<dyn FnMut(&mut WorkItem) + 'a>;

/// Begins the work of one thread, at first and after a panic.
type WorkFactory<'b> = dyn for<'a> Fn(Context<'a>) -> ThreadWork<'a> + Sync + 'b;

/// The work of every run: unpack, extract, compress, repair.
fn thread_work(context: Context<'_>) -> ThreadWork<'_> {
    let mut tools = ThreadTools::new(&context);
    Box::new(move |item| {
        tools.process(&context, item);
        repair_batch(&mut tools, &context, item);
    })
}

/// [`run`] with any format and any work.
fn run_with(
    (format, begin): (&'static dyn Format, &WorkFactory<'_>),
    plan: &Plan,
    settings: &Settings,
    to: &OutputTo,
    options: &Options,
    monitor: &mut dyn Monitor,
    stop: &Arc<AtomicBool>,
) -> Result<Summary, RunError> {
    let folders = relative_side_folders(settings, to, options)?;
    let config = run_config(settings, plan, &folders);
    let names = output_names(format, settings, &folders);
    let layout = settings.layout(config.text());
    let (folder, todo, partial_input, logs, mut notes) = match to {
        OutputTo::Folder(root) => {
            let RunStart { folder, todo, partial_input, logs, notes } = RunFolder::open(
                root,
                plan,
                &names,
                &config,
                options,
                CommandFiles {
                    can_continue: format.can_continue() && !settings.has_side_tables(),
                    signatures: settings.signatures(),
                    remains: Vec::new(),
                },
            )?;
            (Some(folder), todo, partial_input, logs, notes)
        }
        OutputTo::Stdout => {
            let jobs = plan.jobs.iter().enumerate();
            let todo = jobs.map(|(index, job)| PendingJob { index, job, batches_done: 0 });
            let logs = Logs::open(options, None)?;
            logs.cut()?;
            (None, todo.collect(), None, logs, Vec::new())
        }
    };
    let own = match to {
        OutputTo::Folder(root) => Withdrawals::of_run(root)?,
        OutputTo::Stdout => None,
    };
    // The folder is locked, and its tombstones are no setting: a resumed run has the same ones.
    let with_own = own.map(|own| {
        let withdrawn = settings.withdrawn.iter().cloned().chain([own]).collect();
        Settings { withdrawn, ..settings.clone() }
    });
    let settings = with_own.as_ref().unwrap_or(settings);
    let bytes = todo.iter().map(|todo| todo.job.bytes).sum::<Option<u64>>();
    monitor.started(todo.len() as u64, bytes);
    for (input, error) in &plan.unusable {
        monitor.unusable(input, error);
    }
    let (threads, budget) = threads_and_memory(format, plan, settings, options, &mut notes);
    notes.extend(logs.notes());
    notes.extend(without_sync());
    notes.extend(settings.stages.iter().flat_map(huller_refine::Stage::notes));
    for note in &notes {
        monitor.note(note);
    }
    let clocks = Clocks::default();
    let context = Context {
        plan,
        settings,
        format,
        names: &names,
        layout: &layout,
        no_empty_inputs: options.no_empty_inputs,
        writes_rejects: logs.has(LogKind::Rejects),
        max_dropped_rows: options.dropped.as_ref().map(|dropped| dropped.rows.unwrap_or(u64::MAX)),
        signatures: folder.as_ref().and(settings.signatures()),
        budget: &budget,
        clocks: &clocks,
    };
    let writer = Writer::new(context, folder, logs, config.hash(), partial_input, monitor)?;
    let summary = run_threads(context, begin, &todo, threads, writer, stop)?;
    assert!(
        summary.total.is_balanced(),
        "records read are not the sum of those written, skipped and failed"
    );
    Ok(summary)
}

/// Returns the number of threads, and the memory for the pages that they hold. Notes why they are
/// fewer than asked.
fn threads_and_memory(
    format: &dyn Format,
    plan: &Plan,
    settings: &Settings,
    options: &Options,
    notes: &mut Vec<String>,
) -> (usize, Budget) {
    let bounded = bounded_threads(options.threads);
    // Workers hold the rows of a batch once per format, and once per side table.
    let encoded = format.formats().len().max(1) + settings.side_tables.len();
    let Settings { limits, max_page_bytes, .. } = settings;
    let need = MemoryNeed::new(limits.record_bytes, *max_page_bytes, settings.texts() * encoded);
    let planned = plan.selected.as_ref().map_or(0, RecordSelection::bytes);
    let is_elsewhere = |path: &Path| plan.stores.is_elsewhere(path);
    let reads_stores = plan.jobs.iter().flat_map(Job::files).any(is_elsewhere);
    let ahead = if reads_stores { plan.stores.max_memory_bytes() } else { 0 };
    let uploads = options.uploads.as_ref().map_or(0, |uploads| uploads.store.max_memory_bytes());
    // Digests of the outputs of all formats, and of the signatures.
    let digests = (encoded + 1) * digest::MAX_MEMORY_BYTES;
    let side_tables = settings.side_tables.values().map(|it| it.form().format.max_memory_bytes());
    let held = format.max_memory_bytes()
        + side_tables.sum::<usize>()
        + planned
        + ahead
        + uploads
        + digests;
    let memory = options.memory.map(|memory| memory.saturating_sub(held));
    let (threads, memory) = fit_into_memory(memory, bounded, need.bytes());
    if threads < bounded {
        notes.push(format!(
            "only {threads} threads are started instead of {bounded}: --memory \
                allows no more"
        ));
    } else if threads < options.threads {
        let requested_threads = options.threads;
        notes.push(format!(
            "only {threads} threads are started instead of {requested_threads}: more would use memory without \
             being faster on this machine"
        ));
    }
    (threads, Budget::new(memory, need))
}

/// Work items per worker: one that it processes, one that waits for it, and two in channels or in
/// the writer's ring.
const WORK_ITEMS_PER_WORKER: usize = 4;

fn run_threads(
    context: Context<'_>,
    begin: &WorkFactory<'_>,
    todo: &[PendingJob<'_>],
    threads: usize,
    writer: Writer<'_>,
    stop: &Arc<AtomicBool>,
) -> Result<Summary, RunError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|number| format!("worker-{number}"))
        .build()
        .map_err(|error| RunError::Threads(error.to_string()))?;
    let items = threads * WORK_ITEMS_PER_WORKER;
    let (free_in, free_out) = bounded::<Box<WorkItem>>(items);
    let (work_in, work_out) = bounded::<Box<WorkItem>>(items);
    let (done_in, done_out) = bounded::<Box<WorkItem>>(items);
    for _ in 0..items {
        free_in.send(Box::default()).expect("the channel has room for all parcels");
    }
    // Ends the reader when the writer needs no more rows, without touching the caller's flag.
    let enough = Arc::new(AtomicBool::new(false));
    std::thread::scope(|scope| {
        let reader = Reader {
            settings: context.settings,
            stores: &context.plan.stores,
            free: free_out,
            work: work_in,
            done: done_in.clone(),
            budget: context.budget,
            clock: context.clocks.clock_of_new_thread(ThreadRole::Reader),
            stop,
            enough: &enough,
        };
        let reading = scope.spawn(move || reader.run(todo));
        let working = scope.spawn(move || {
            pool.broadcast(|_| worker(context, begin, &work_out, &done_in));
        });
        let result = writer.run(&done_out, free_in, &enough);
        // Reader and workers must not wait for work items that the writer no longer returns.
        enough.store(true, Ordering::Relaxed);
        context.budget.close();
        drop(done_out);
        let died = |thread: &str| RunError::Worker(format!("the {thread} panicked"));
        reading.join().map_err(|_| died("reader"))?;
        working.join().map_err(|_| died("pool"))?;
        result
    })
}

/// The loop of one worker.
fn worker(
    context: Context<'_>,
    begin: &WorkFactory<'_>,
    work: &Receiver<Box<WorkItem>>,
    done: &Sender<Box<WorkItem>>,
) {
    let clock = context.clocks.start(ThreadRole::Worker);
    let mut its = begin(context);
    for mut item in work {
        clock.add_waiting();
        // The writer waits for every work item, so this one must arrive even after a panic.
        let worked = catch_unwind(AssertUnwindSafe(|| {
            if let Err(error) = item.read() {
                item.content = ItemContent::End(Some(error.to_string()));
                return;
            }
            its(&mut item);
        }));
        if worked.is_err() {
            item.content = ItemContent::Fatal;
            its = begin(context);
        }
        let bytes = item.batch_output.bytes();
        context.budget.hold(item.sequence, bytes);
        item.held += bytes;
        clock.add_batch();
        if done.send(item).is_err() {
            return;
        }
        clock.add();
    }
}

#[cfg(test)]
mod tests;
