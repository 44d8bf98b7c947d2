//! Writes work items, in order, to files, and keeps the statistics.

use crate::work::context::Context;
use crate::work_item::{BatchOutput, Content, WorkItem};
use crate::write::in_order::InOrder;
use crate::write::output::{Output, Place};
use crate::write::recovery::Recovery;
use crate::write::stream::Stream;
use crossbeam_channel::{Receiver, Sender};
use huller_archive::PrefixDigest;
use huller_row::Compressor;
use huller_run::clocks::ThreadRole;
use huller_run::counters::Counters;
use huller_run::error::RunError;
use huller_run::line_log::LogKind;
use huller_run::logs::Logs;
use huller_run::monitor::{Monitor, Progress};
use huller_run::pending::Pending;
use huller_run::run_files::checkpoint::Checkpoint;
use huller_run::run_files::folder::{PartialInput, RunFolder};
use huller_run::run_files::timing::Timing;
use huller_run::signature_file::{self, SignatureFile};
use huller_run::summary::{InputSummary, Summary};
use huller_run::watch::Watch;
use std::sync::atomic::{AtomicBool, Ordering};

/// The destination of the rows.
pub(crate) enum Sink {
    /// Files below a folder.
    Folder(Box<RunFolder>, Timing),
    /// Standard output.
    Stdout(Stream),
}

/// The input whose work items are arriving.
pub(super) struct Current {
    pub(super) job: usize,
    /// `None` if rows go to standard output.
    pub(super) output: Option<Output>,
    /// The signatures of its rows, in runs that make them.
    pub(super) signatures: Option<SignatureFile>,
    pub(super) batches: u64,
    pub(super) account: Counters,
    /// The digest of the input when the last work item was cut.
    pub(super) seen: Option<PrefixDigest>,
    /// Time of its last change, before it was read.
    pub(super) modified: Option<u64>,
    /// The beginning of the input that an earlier run read, if this one continues it.
    pub(super) continued: Option<Continued>,
}

/// The beginning of an input that an earlier run read.
pub(super) struct Continued {
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
    pub(super) sink: Sink,
    pub(super) logs: Logs,
    /// Number of rows of each reason that finished inputs have dropped.
    pub(super) dropped: Counters,
    pub(super) config: String,
    pub(super) half_done: Option<PartialInput>,
    /// Checkpoints whose digests are still awaited.
    pub(super) pending: Pending,
    pub(super) monitor: &'a mut dyn Monitor,
    /// Made at the first damage.
    pub(super) mender: Option<Box<Recovery<'a>>>,
    /// Whether a repair is in progress.
    pub(super) mending: bool,
    /// The aborted job, whose remaining work items are ignored.
    pub(super) given_up: Option<usize>,
    /// Compresses rows that were cut at the limit, and the bytes that assemblers add.
    pub(super) compressor: Compressor,
    pub(super) current: Option<Current>,
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
        config: String,
        half_done: Option<PartialInput>,
        monitor: &'a mut dyn Monitor,
    ) -> Result<Writer<'a>, RunError> {
        let mut finished = vec![None; context.plan.jobs.len()];
        let mut summary = Summary::default();
        let mut written = 0;
        let mut dropped = Counters::default();
        if let Some(folder) = &folder {
            for (slot, entry) in finished.iter_mut().zip(&folder.earlier) {
                let Some(entry) = entry else { continue };
                written += entry.account.written;
                dropped += &entry.account;
                if let Some(error) = entry.account.complaint(context.settings.refines.is_some()) {
                    monitor.unusable(&entry.input, &error);
                }
                *slot = Some(entry.summary());
                summary.resumed += 1;
            }
        }
        written += half_done.as_ref().map_or(0, |half| half.checkpoint.account.written);
        let sink = match folder {
            Some(folder) => {
                let timing = Timing::open(&folder.files())?;
                Sink::Folder(Box::new(folder), timing)
            }
            None => Sink::Stdout(Stream::new(&context)),
        };
        Ok(Writer {
            context,
            sink,
            logs,
            dropped,
            config,
            half_done,
            pending: Pending::default(),
            monitor,
            mender: None,
            mending: false,
            given_up: None,
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
        let mut items = InOrder::new(done, free, self.context.budget);
        if self.wanted == Some(0)
            && let Some(half) = &self.half_done
        {
            // The earlier run was killed after it wrote the last row and before it renamed the
            // output.
            self.begin(half.job)?;
        }
        while self.wanted != Some(0)
            && let Some(mut item) = items.next()
        {
            clock.add_waiting();
            if self.mend_up_to(&item)? {
                self.take(&mut item)?;
            }
            items.recycle(item);
            clock.add();
        }
        if self.wanted == Some(0) {
            enough.store(true, Ordering::Relaxed);
            match self.current_changed() {
                Some((job, what)) => {
                    self.give_up(job, what)?;
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
    fn take(&mut self, item: &mut WorkItem) -> Result<(), RunError> {
        if self.given_up == Some(item.job) {
            return Ok(());
        }
        self.progress.bytes = self.bytes_done + item.bytes_read;
        match std::mem::take(&mut item.content) {
            Content::Records => {
                self.begin(item.job)?;
                self.note_seen(item);
                let stopped_at = item.product.stopped_at;
                self.write(&mut item.product)?;
                match stopped_at {
                    // A limit that was reached cuts off the damage too.
                    Some(offset) if self.wanted != Some(0) => self.start_mending(item, offset)?,
                    _ => self.checkpoint(1)?,
                }
            }
            Content::End(None) => {
                self.begin(item.job)?;
                self.note_seen(item);
                match self.current_changed() {
                    Some((job, what)) => self.give_up(job, what)?,
                    None => self.finish_current(item.bytes_read, false)?,
                }
            }
            Content::End(Some(error)) => self.give_up(item.job, error)?,
            Content::Fatal => {
                return Err(RunError::Worker("the program panicked outside of a page".to_owned()));
            }
        }
        Ok(())
    }

    /// Opens the output of a job, or continues the output of an earlier run.
    fn begin(&mut self, job: usize) -> Result<(), RunError> {
        if self.current.is_some() {
            return Ok(());
        }
        if let Some(half) = self.half_done.take_if(|half| half.job == job) {
            let Checkpoint { batches, account, assembler, output_rows, full, .. } = half.checkpoint;
            let beginning = half.checkpoint.input_read.zip(half.checkpoint.input_digest);
            self.progress.pages += account.written;
            let Sink::Folder(folder, _) = &self.sink else {
                unreachable!("only inputs of a run to a folder can be continued")
            };
            let place = Place::new(&folder.root, &self.context.plan.jobs[job], &self.context);
            let mut signatures = half.signatures;
            if let Some(signatures) = &mut signatures {
                signatures.count_in(self.context.clocks);
            }
            let output =
                Output::resume(half.output, place, &self.context, &assembler, output_rows, full)?;
            self.current = Some(Current {
                job,
                output: Some(output),
                signatures,
                batches,
                account,
                seen: None,
                modified: None,
                continued: beginning.map(|(read, digest)| Continued {
                    compared: half.version,
                    read,
                    digest,
                }),
            });
            return Ok(());
        }
        self.logs.begin_input();
        let (mut output, mut signatures) = (None, None);
        if let Sink::Folder(folder, _) = &mut self.sink {
            let of_job = &self.context.plan.jobs[job];
            let place = Place::new(&folder.root, of_job, &self.context);
            let (name, also) = place.names();
            let before = Checkpoint::before(of_job, name.clone(), also, &self.config);
            folder.checkpoints.append(&before)?;
            let begun = Output::create(place, &self.context)?;
            output = Some(begun);
            if let Some(header) = self.context.signatures {
                let path = signature_file::path_of(&folder.root, &name);
                let mut file = SignatureFile::create(&path, header)?;
                file.count_in(self.context.clocks);
                signatures = Some(file);
            }
        }
        let account = Counters::default();
        self.current = Some(Current {
            job,
            output,
            signatures,
            batches: 0,
            account,
            seen: None,
            modified: None,
            continued: None,
        });
        // An output that cannot be continued is written again if this run is killed. Several files
        // may have begun before the first batch is done. So the run files say which input the parts
        // belong to.
        let is_split = self.context.settings.split.is_asked();
        if self.context.format.can_continue() && !is_split { Ok(()) } else { self.note_now() }
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
        let Current { job, seen, modified, ref continued, .. } = *self.current.as_ref()?;
        let max_page_bytes = self.context.settings.max_page_bytes;
        let plan = self.context.plan;
        let watch = Watch { job: &plan.jobs[job], stores: &plan.stores, max_page_bytes, modified };
        let seen = seen?;
        let changed = watch.changed(seen).or_else(|| {
            let Continued { compared, read, digest } = continued.as_ref()?;
            watch.changed_since_checkpoint(*compared, *read, digest)
        });
        Some((job, changed?))
    }

    /// Appends a worker's result.
    fn write(&mut self, product: &mut BatchOutput) -> Result<(), RunError> {
        if let Some(wanted) = &mut self.wanted {
            if product.account.written > *wanted {
                product.cut_after(*wanted);
                if let Some(header) = self.context.signatures {
                    product.signed.cut_after(header, *wanted);
                }
            }
            *wanted -= product.account.written;
            product.encode_held(&mut self.compressor);
        }
        let current =
            self.current.as_mut().expect("an input has begun before its parcels are written");
        let has_new_file = match (&mut current.output, &mut self.sink) {
            (Some(output), _) => output.append(product, &self.context, &mut self.compressor)?,
            (None, Sink::Stdout(stream)) => {
                stream.append(&product.piece, &mut self.compressor)?;
                false
            }
            (None, Sink::Folder(..)) => {
                unreachable!("an input that goes to a folder has an output")
            }
        };
        if let Some(signatures) = &mut current.signatures {
            let before = signatures.row_bytes();
            let (records, row_bytes) = product.signed.placed(signatures.header(), before);
            signatures.append(records, row_bytes)?;
        }
        self.logs.append(LogKind::Rejects, &product.rejects)?;
        if let Some(most) = self.context.dropped {
            let before = |reason| self.dropped.count(reason) + current.account.count(reason);
            self.logs.append(LogKind::Dropped, product.dropped.keep_first(most, before))?;
        }
        current.account += &product.account;
        self.progress.pages += product.account.written;
        self.monitor.progress(self.progress);
        // Notes which input the new file belongs to. If files can be continued, the checkpoint
        // after the batch does that.
        if has_new_file && !self.context.format.can_continue() { self.note_now() } else { Ok(()) }
    }

    /// Reads the input one record after another from `offset`, until it reaches the start of a
    /// later work item.
    fn start_mending(&mut self, item: &WorkItem, offset: u64) -> Result<(), RunError> {
        let input = &self.context.plan.jobs[item.job].name;
        tracing::debug!(input, offset, "mending");
        let repairer =
            item.repairer.as_ref().expect("only what can be opened again is cut into members");
        let started = match &mut self.mender {
            Some(mender) => mender.restart(repairer, item.batch.part, offset),
            None => Recovery::start(repairer, item.batch.part, offset, &self.context)
                .map(|mender| self.mender = Some(Box::new(mender))),
        };
        match started {
            Ok(()) => self.mending = true,
            Err(error) => self.give_up(item.job, error.to_string())?,
        }
        Ok(())
    }

    /// During a repair, reads and writes the records before `item`. Returns whether the work item
    /// is to be taken, which is false if its records have been read here already.
    fn mend_up_to(&mut self, item: &WorkItem) -> Result<bool, RunError> {
        if !self.mending {
            return Ok(true);
        }
        let Some(mut mender) = self.mender.take() else { return Ok(true) };
        let result = self.mend_with(&mut mender, item);
        self.mender = Some(mender);
        result
    }

    fn mend_with(&mut self, mender: &mut Recovery<'_>, item: &WorkItem) -> Result<bool, RunError> {
        loop {
            match mender.next(&self.context, item) {
                Ok(Some(product)) => {
                    self.write(product)?;
                    if self.wanted == Some(0) {
                        return Ok(false);
                    }
                }
                Ok(None) => break,
                Err(error) => {
                    self.give_up(item.job, error.to_string())?;
                    return Ok(false);
                }
            }
        }
        self.note_seen(item);
        let Some(batches) = mender.meets(item) else {
            mender.pass_over();
            return Ok(false);
        };
        // The batches that were passed over count as done, because a later run cuts the input the
        // same way.
        self.checkpoint(batches)?;
        self.mending = false;
        Ok(true)
    }
}
