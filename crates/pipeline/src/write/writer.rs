//! Writes work items, in order, to files, and keeps the statistics.

use crate::work::context::Context;
use crate::work_item::{BatchOutput, ItemContent, WorkItem};
use crate::write::output::{Output, OutputPaths};
use crate::write::recovery::Recovery;
use crate::write::reorder_buffer::ReorderBuffer;
use crate::write::stream::Stream;
use crossbeam_channel::{Receiver, Sender};
use huller_archive::PrefixDigest;
use huller_row::Compressor;
use huller_run::change_detector::ChangeDetector;
use huller_run::clocks::ThreadRole;
use huller_run::counters::Counters;
use huller_run::error::RunError;
use huller_run::line_log::LogKind;
use huller_run::logs::Logs;
use huller_run::monitor::{Monitor, Progress};
use huller_run::pending_checkpoints::PendingCheckpoints;
use huller_run::run_files::checkpoint::Checkpoint;
use huller_run::run_files::folder::{PartialInput, RunFolder};
use huller_run::run_files::timing::Timing;
use huller_run::signature_file::{self, SignatureFile};
use huller_run::summary::{InputSummary, Summary};
use std::sync::atomic::{AtomicBool, Ordering};

/// The destination of the rows.
pub(crate) enum RowDestination {
    /// Files below a folder.
    Folder(Box<RunFolder>, Timing),
    /// Standard output.
    Stdout(Stream),
}

/// The input whose work items are arriving.
pub(super) struct CurrentInput {
    /// Index of its job in the plan.
    pub(super) job: usize,
    /// `None` if rows go to standard output.
    pub(super) output: Option<Output>,
    /// The signatures of its rows, in runs that make them.
    pub(super) signatures: Option<SignatureFile>,
    pub(super) batches: u64,
    pub(super) counters: Counters,
    /// The digest of the input when the last work item was cut.
    pub(super) seen: Option<PrefixDigest>,
    /// Time of its last change, before it was read.
    pub(super) modified: Option<u64>,
    /// The beginning of the input that an earlier run read, if this one continues it.
    pub(super) continued: Option<ContinuedInput>,
}

/// The beginning of an input that an earlier run read.
pub(super) struct ContinuedInput {
    /// The version of the input in which its beginning was compared with the checkpoint.
    compared: Option<u64>,
    /// Length of the beginning, in bytes.
    read: u64,
    digest: String,
}

/// Puts work items in order and appends the results of the workers. Runs in the thread that called
/// [`run`](crate::run).
pub(crate) struct Writer<'a> {
    pub(super) context: Context<'a>,
    pub(super) sink: RowDestination,
    pub(super) logs: Logs,
    /// Number of rows of each reason that finished inputs have dropped.
    pub(super) dropped: Counters,
    pub(super) config_hash: String,
    pub(super) partial_input: Option<PartialInput>,
    /// Checkpoints whose digests are still awaited.
    pub(super) pending: PendingCheckpoints,
    pub(super) monitor: &'a mut dyn Monitor,
    /// Made at the first damage.
    pub(super) recovery: Option<Box<Recovery<'a>>>,
    /// Whether a repair is in progress.
    pub(super) is_repairing: bool,
    /// The aborted job, whose remaining work items are ignored.
    pub(super) aborted_job: Option<usize>,
    /// Compresses rows that were cut at the limit, and the bytes that assemblers add.
    pub(super) compressor: Compressor,
    pub(super) current: Option<CurrentInput>,
    /// Rows still wanted.
    pub(super) wanted: Option<u64>,
    pub(super) progress: Progress,
    /// Bytes of the inputs that are done.
    pub(super) bytes_done: u64,
    pub(super) summary: Summary,
    /// Finished inputs by job of the plan.
    pub(super) finished: Vec<Option<InputSummary>>,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(
        context: Context<'a>,
        folder: Option<RunFolder>,
        logs: Logs,
        config_hash: String,
        partial_input: Option<PartialInput>,
        monitor: &'a mut dyn Monitor,
    ) -> Result<Writer<'a>, RunError> {
        let mut finished = vec![None; context.plan.jobs.len()];
        let side_rows = context.settings.side_tables.map(|_, _| 0);
        let mut summary = Summary { side_rows, ..Summary::default() };
        let mut written = 0;
        let mut dropped = Counters::default();
        if let Some(folder) = &folder {
            for (slot, entry) in finished.iter_mut().zip(&folder.earlier) {
                let Some(entry) = entry else { continue };
                written += entry.counters.written;
                dropped += &entry.counters;
                summary.add_side_files(&entry.side_files);
                *slot = Some(entry.summary());
                summary.resumed += 1;
            }
        }
        written += partial_input.as_ref().map_or(0, |half| half.checkpoint.counters.written);
        let sink = match folder {
            Some(folder) => {
                let timing = Timing::open(&folder.files())?;
                RowDestination::Folder(Box::new(folder), timing)
            }
            None => RowDestination::Stdout(Stream::new(&context)),
        };
        Ok(Writer {
            context,
            sink,
            logs,
            dropped,
            config_hash,
            partial_input,
            pending: PendingCheckpoints::default(),
            monitor,
            recovery: None,
            is_repairing: false,
            aborted_job: None,
            compressor: Compressor::new(context.settings.compression),
            current: None,
            wanted: context.settings.limit.map(|limit| limit.saturating_sub(written)),
            progress: Progress::default(),
            bytes_done: 0,
            summary,
            finished,
        })
    }

    /// Writes work items until no more come, or no more rows are wanted.
    pub(crate) fn run(
        mut self,
        done: &Receiver<Box<WorkItem>>,
        free: Sender<Box<WorkItem>>,
        enough: &AtomicBool,
    ) -> Result<Summary, RunError> {
        let clock = self.context.clocks.start(ThreadRole::Writer);
        let mut items = ReorderBuffer::new(done, free, self.context.budget);
        if self.wanted == Some(0)
            && let Some(half) = &self.partial_input
        {
            // The earlier run was killed after it wrote the last row and before it renamed the
            // output.
            self.begin_output(half.job)?;
        }
        while self.wanted != Some(0)
            && let Some(mut item) = items.next()
        {
            clock.add_waiting();
            if self.repair_up_to(&item)? {
                self.write_work_item(&mut item)?;
            }
            items.recycle(item);
            clock.add();
        }
        if self.wanted == Some(0) {
            enough.store(true, Ordering::Relaxed);
            match self.current_changed() {
                Some((job, what)) => {
                    self.abort_input(job, what)?;
                    // A later run makes these rows. This run still ends here.
                    self.wanted = Some(0);
                }
                // The input ends at the bytes that have been read so far.
                None => self.finish_current(0, true)?,
            }
        }
        self.complete(&clock)
    }

    /// Writes one work item.
    fn write_work_item(&mut self, item: &mut WorkItem) -> Result<(), RunError> {
        if self.aborted_job == Some(item.job) {
            return Ok(());
        }
        self.progress.bytes = self.bytes_done + item.bytes_read;
        match std::mem::take(&mut item.content) {
            ItemContent::Records => {
                self.begin_output(item.job)?;
                self.note_seen(item);
                let stopped_at = item.batch_output.stopped_at;
                self.write(&mut item.batch_output)?;
                match stopped_at {
                    // A limit that was reached cuts off the damage too.
                    Some(offset) if self.wanted != Some(0) => self.start_repair(item, offset)?,
                    _ => self.checkpoint(1)?,
                }
            }
            ItemContent::End(None) => {
                self.begin_output(item.job)?;
                self.note_seen(item);
                match self.current_changed() {
                    Some((job, what)) => self.abort_input(job, what)?,
                    None => self.finish_current(item.bytes_read, false)?,
                }
            }
            ItemContent::End(Some(error)) => self.abort_input(item.job, error)?,
            ItemContent::Fatal => {
                return Err(RunError::Worker("the program panicked outside of a page".to_owned()));
            }
        }
        Ok(())
    }

    /// Opens the output of a job, or continues the output of an earlier run.
    fn begin_output(&mut self, job: usize) -> Result<(), RunError> {
        if self.current.is_some() {
            return Ok(());
        }
        if let Some(half) = self.partial_input.take_if(|half| half.job == job) {
            let Checkpoint { batches, counters, assembler, output_rows, full, .. } =
                half.checkpoint;
            let beginning = half.checkpoint.input_read.zip(half.checkpoint.input_digest);
            self.progress.rows += counters.written;
            let RowDestination::Folder(folder, _) = &self.sink else {
                unreachable!("only inputs of a run to a folder can be continued")
            };
            let paths = OutputPaths::new(&folder.root, &self.context.plan.jobs[job], &self.context);
            let mut signatures = half.signatures;
            if let Some(signatures) = &mut signatures {
                signatures.add_time_to(self.context.clocks);
            }
            let output =
                Output::resume(half.output, paths, &self.context, &assembler, output_rows, full)?;
            self.current = Some(CurrentInput {
                job,
                output: Some(output),
                signatures,
                batches,
                counters,
                seen: None,
                modified: None,
                continued: beginning.map(|(read, digest)| ContinuedInput {
                    compared: half.version,
                    read,
                    digest,
                }),
            });
            return Ok(());
        }
        self.logs.begin_input();
        let (mut output, mut signatures) = (None, None);
        if let RowDestination::Folder(folder, _) = &mut self.sink {
            let of_job = &self.context.plan.jobs[job];
            let paths = OutputPaths::new(&folder.root, of_job, &self.context);
            let (name, secondary_outputs) = paths.names();
            let side_files = paths.side_names();
            let first_checkpoint = Checkpoint::before_first_batch(
                of_job,
                name.clone(),
                secondary_outputs,
                &self.config_hash,
            );
            let first_checkpoint = Checkpoint { side_files, ..first_checkpoint };
            folder.checkpoints.append(&first_checkpoint)?;
            let begun = Output::create(paths, &self.context)?;
            output = Some(begun);
            if let Some(header) = self.context.signatures {
                let path = signature_file::path_of(&folder.root, &name);
                let mut file = SignatureFile::create(&path, header)?;
                file.add_time_to(self.context.clocks);
                signatures = Some(file);
            }
        }
        let counters = Counters::default();
        self.current = Some(CurrentInput {
            job,
            output,
            signatures,
            batches: 0,
            counters,
            seen: None,
            modified: None,
            continued: None,
        });
        // An output that cannot be continued is written again if this run is killed. Several files
        // may have begun before the first batch is done. So the run files say which input the parts
        // belong to.
        let is_split = self.context.settings.split.is_asked();
        if self.context.can_continue() && !is_split { Ok(()) } else { self.append_checkpoint() }
    }

    /// Notes the digest of the input up to this work item.
    fn note_seen(&mut self, item: &WorkItem) {
        if let Some(current) = &mut self.current {
            (current.seen, current.modified) = (item.seen.or(current.seen), item.modified);
        }
    }

    /// Returns the current input and a message, if the input has changed since it was read. Called
    /// when no thread reads it any longer.
    fn current_changed(&self) -> Option<(usize, String)> {
        let CurrentInput { job, seen, modified, ref continued, .. } = *self.current.as_ref()?;
        let max_page_bytes = self.context.settings.max_page_bytes;
        let plan = self.context.plan;
        let detector =
            ChangeDetector { job: &plan.jobs[job], stores: &plan.stores, max_page_bytes, modified };
        let seen = seen?;
        let changed = detector.change_message(seen).or_else(|| {
            let ContinuedInput { compared, read, digest } = continued.as_ref()?;
            detector.changed_since_checkpoint(*compared, *read, digest)
        });
        Some((job, changed?))
    }

    /// Appends a worker's result.
    fn write(&mut self, batch_output: &mut BatchOutput) -> Result<(), RunError> {
        if let Some(rows_wanted) = &mut self.wanted {
            if batch_output.counters.written > *rows_wanted {
                batch_output.cut_after(*rows_wanted);
                if let Some(header) = self.context.signatures {
                    batch_output.signed.cut_after(header, *rows_wanted);
                }
            }
            *rows_wanted -= batch_output.counters.written;
            batch_output.encode_held(&mut self.compressor);
        }
        let current =
            self.current.as_mut().expect("an input has begun before its parcels are written");
        let has_new_file = match (&mut current.output, &mut self.sink) {
            (Some(output), _) => {
                output.append(batch_output, &self.context, &mut self.compressor)?
            }
            (None, RowDestination::Stdout(stream)) => {
                stream.append(&batch_output.piece, &mut self.compressor)?;
                false
            }
            (None, RowDestination::Folder(..)) => {
                unreachable!("an input that goes to a folder has an output")
            }
        };
        if let Some(signatures) = &mut current.signatures {
            let bytes_before = signatures.row_bytes();
            let (records, row_bytes) =
                batch_output.signed.place_records(signatures.header(), bytes_before);
            signatures.append(records, row_bytes)?;
        }
        self.logs.append(LogKind::Rejects, &batch_output.rejects)?;
        if let Some(max_rows) = self.context.max_dropped_rows {
            let count_before = |reason| self.dropped.count(reason) + current.counters.count(reason);
            self.logs.append(
                LogKind::Dropped,
                batch_output.dropped.keep_first(max_rows, count_before),
            )?;
        }
        current.counters += &batch_output.counters;
        self.progress.rows += batch_output.counters.written;
        self.monitor.progress(self.progress);
        // Notes which input the new file belongs to. If files can be continued, the checkpoint
        // after the batch does that.
        if has_new_file && !self.context.can_continue() { self.append_checkpoint() } else { Ok(()) }
    }

    /// Reads the input one record after another from `offset`, until it reaches the start of a
    /// later work item.
    fn start_repair(&mut self, item: &WorkItem, offset: u64) -> Result<(), RunError> {
        let input = &self.context.plan.jobs[item.job].name;
        tracing::debug!(input, offset, "repair begins");
        let repairer =
            item.repairer.as_ref().expect("only what can be opened again is cut into members");
        let started = match &mut self.recovery {
            Some(recovery) => recovery.restart(repairer, item.batch.part, offset),
            None => Recovery::start(repairer, item.batch.part, offset, &self.context)
                .map(|recovery| self.recovery = Some(Box::new(recovery))),
        };
        match started {
            Ok(()) => self.is_repairing = true,
            Err(error) => self.abort_input(item.job, error.to_string())?,
        }
        Ok(())
    }

    /// During a repair, reads and writes the records before `item`. Returns whether the work item
    /// is to be taken, which is false if its records have been read here already.
    fn repair_up_to(&mut self, item: &WorkItem) -> Result<bool, RunError> {
        if !self.is_repairing {
            return Ok(true);
        }
        let Some(mut recovery) = self.recovery.take() else { return Ok(true) };
        let result = self.repair_with(&mut recovery, item);
        self.recovery = Some(recovery);
        result
    }

    fn repair_with(
        &mut self,
        recovery: &mut Recovery<'_>,
        item: &WorkItem,
    ) -> Result<bool, RunError> {
        loop {
            match recovery.next(&self.context, item) {
                Ok(Some(batch_output)) => {
                    self.write(batch_output)?;
                    if self.wanted == Some(0) {
                        return Ok(false);
                    }
                }
                Ok(None) => break,
                Err(error) => {
                    self.abort_input(item.job, error.to_string())?;
                    return Ok(false);
                }
            }
        }
        self.note_seen(item);
        let Some(batches) = recovery.items_since_damage(item) else {
            recovery.pass_over();
            return Ok(false);
        };
        // The batches that were passed over count as done, because a later run cuts the input the
        // same way.
        self.checkpoint(batches)?;
        self.is_repairing = false;
        Ok(true)
    }
}
