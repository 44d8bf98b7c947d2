//! The writer: parcels in order, to files, with their accounts.

use crate::account::Account;
use crate::checkpoint::Checkpoint;
use crate::error::RunError;
use crate::folder::{HalfDone, RunFolder};
use crate::in_order::InOrder;
use crate::journal::Entry;
use crate::mending::Mender;
use crate::monitor::{Monitor, Progress};
use crate::output::OutputFile;
use crate::parcel::{Content, Parcel, Product};
use crate::rejects::Rejects;
use crate::run::{Context, Ending, InputSummary, Summary, UnusableInput};
use crate::stats;
use crate::timing::Timing;
use crossbeam_channel::{Receiver, Sender};
use huller_archive::{ArchiveError, Encoder};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// Where the writer's bytes go.
pub(crate) enum Sink {
    /// Files below a folder.
    Folder(Box<RunFolder>, Timing),
    /// Standard output.
    Stdout(std::io::Stdout),
}

/// The input whose parcels are arriving.
struct Current {
    job: usize,
    /// `None` when rows go to standard output.
    output: Option<OutputFile>,
    batches: u64,
    account: Account,
}

pub(crate) struct Writer<'a> {
    context: Context<'a>,
    sink: Sink,
    rejects: Option<Rejects>,
    config: String,
    half_done: Option<HalfDone>,
    monitor: &'a mut dyn Monitor,
    /// Made when damage is first met.
    mender: Option<Box<Mender>>,
    /// Whether it is at work.
    mending: bool,
    /// The job whose parcels are to be passed over.
    given_up: Option<usize>,
    /// Compresses what had to be cut at the limit.
    encoder: Encoder,
    current: Option<Current>,
    /// Rows still wanted.
    wanted: Option<u64>,
    progress: Progress,
    /// Bytes of the inputs that are done.
    bytes_done: u64,
    summary: Summary,
    /// Finished inputs by job of the plan.
    finished: Vec<Option<InputSummary>>,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(
        context: Context<'a>,
        folder: Option<RunFolder>,
        rejects: Option<Rejects>,
        config: String,
        half_done: Option<HalfDone>,
        monitor: &'a mut dyn Monitor,
    ) -> Result<Writer<'a>, RunError> {
        let mut finished = vec![None; context.plan.jobs.len()];
        let mut summary = Summary::default();
        let mut written = 0;
        if let Some(folder) = &folder {
            for (slot, entry) in finished.iter_mut().zip(&folder.earlier) {
                let Some(entry) = entry else { continue };
                let Entry { input, input_bytes, account, .. } = entry.clone();
                written += account.written;
                *slot = Some(InputSummary { name: input, bytes: input_bytes, account });
                summary.resumed += 1;
            }
        }
        written += half_done.as_ref().map_or(0, |half| half.checkpoint.account.written);
        let sink = match folder {
            Some(folder) => {
                let timing = Timing::open(&folder.files())?;
                Sink::Folder(Box::new(folder), timing)
            }
            None => Sink::Stdout(std::io::stdout()),
        };
        Ok(Writer {
            context,
            sink,
            rejects,
            config,
            half_done,
            monitor,
            mender: None,
            mending: false,
            given_up: None,
            encoder: Encoder::new(context.settings.compression),
            current: None,
            wanted: context.settings.limit.map(|limit| limit.saturating_sub(written)),
            progress: Progress::default(),
            bytes_done: 0,
            summary,
            finished,
        })
    }

    /// Writes parcels until there are no more, or no more rows are wanted.
    pub(crate) fn run(
        mut self,
        done: &Receiver<Box<Parcel>>,
        free: Sender<Box<Parcel>>,
        enough: &AtomicBool,
    ) -> Result<Summary, RunError> {
        let mut parcels = InOrder::new(done, free);
        if self.wanted == Some(0)
            && let Some(half) = &self.half_done
        {
            // Killed with the last row written and the output not yet under its name.
            self.begin(half.job)?;
        }
        while self.wanted != Some(0)
            && let Some(mut parcel) = parcels.next()
        {
            if self.mend_up_to(&parcel)? {
                self.take(&mut parcel)?;
            }
            parcels.recycle(parcel);
        }
        if self.wanted == Some(0) {
            enough.store(true, Ordering::Relaxed);
            // What has been read so far is all there is to this input.
            self.finish_current(0)?;
        }
        self.complete()
    }

    /// Writes one parcel.
    fn take(&mut self, parcel: &mut Parcel) -> Result<(), RunError> {
        if self.given_up == Some(parcel.job) {
            return Ok(());
        }
        self.progress.bytes = self.bytes_done + parcel.bytes_read;
        match std::mem::take(&mut parcel.content) {
            Content::Records => {
                self.begin(parcel.job)?;
                let stopped_at = parcel.product.stopped_at;
                self.write(&mut parcel.product)?;
                match stopped_at {
                    // A limit that was reached cuts off the damage too.
                    Some(offset) if self.wanted != Some(0) => self.start_mending(parcel, offset),
                    _ => self.checkpoint(1)?,
                }
            }
            Content::End(None) => {
                self.begin(parcel.job)?;
                self.finish_current(parcel.bytes_read)?;
            }
            Content::End(Some(error)) => self.give_up(parcel.job, &error),
            Content::Fatal => {
                return Err(RunError::Worker("it panicked outside of a page".to_owned()));
            }
        }
        Ok(())
    }

    /// Opens the output of a job, or goes on with what an earlier run left of it.
    fn begin(&mut self, job: usize) -> Result<(), RunError> {
        if self.current.is_some() {
            return Ok(());
        }
        if let Some(half) = self.half_done.take_if(|half| half.job == job) {
            let Checkpoint { batches, account, .. } = half.checkpoint;
            self.progress.pages += account.written;
            self.current = Some(Current { job, output: Some(half.output), batches, account });
            return Ok(());
        }
        let output = match &self.sink {
            Sink::Folder(folder, _) => {
                let suffix = self.context.settings.compression.file_suffix();
                let path = self.context.plan.jobs[job].output_path(&folder.root, suffix);
                Some(OutputFile::create(&path)?)
            }
            Sink::Stdout(_) => None,
        };
        self.current = Some(Current { job, output, batches: 0, account: Account::default() });
        Ok(())
    }

    /// Appends what a worker made.
    fn write(&mut self, product: &mut Product) -> Result<(), RunError> {
        if let Some(wanted) = &mut self.wanted {
            if product.account.written > *wanted {
                product.cut_after(*wanted);
            }
            *wanted -= product.account.written;
            self.encoder.frame(&product.rows, &mut product.frame);
        }
        let current =
            self.current.as_mut().expect("an input has begun before its parcels are written");
        match (&mut current.output, &mut self.sink) {
            (Some(output), _) => output.append(&product.frame)?,
            (None, Sink::Stdout(stdout)) => {
                let mut stdout = stdout.lock();
                stdout
                    .write_all(&product.frame)
                    .and_then(|()| stdout.flush())
                    .map_err(RunError::Stdout)?;
            }
            (None, Sink::Folder(..)) => {
                unreachable!("an input that goes to a folder has an output")
            }
        }
        if let Some(rejects) = &mut self.rejects {
            rejects.append(&product.rejects)?;
        }
        current.account += &product.account;
        self.progress.pages += product.account.written;
        self.monitor.progress(self.progress);
        Ok(())
    }

    /// Notes that so many more batches of the current input are done, and how far its output has come.
    fn checkpoint(&mut self, batches: u64) -> Result<(), RunError> {
        let Some(current) = &mut self.current else { return Ok(()) };
        current.batches += batches;
        let (Some(output), Sink::Folder(folder, _)) = (&current.output, &mut self.sink) else {
            return Ok(());
        };
        let job = &self.context.plan.jobs[current.job];
        folder.checkpoints.append(&Checkpoint {
            input: job.name.clone(),
            input_bytes: job.bytes,
            batches: current.batches,
            output_bytes: output.written(),
            digest: output.digest(),
            rejects_bytes: self.rejects.as_ref().map(Rejects::written),
            account: current.account.clone(),
            config: self.config.clone(),
        })
    }

    /// From here on the input is read one record after another, until that stands on the start of a later parcel.
    fn start_mending(&mut self, parcel: &Parcel, offset: u64) {
        let input = &self.context.plan.jobs[parcel.job].name;
        tracing::debug!(input, offset, "mending");
        let repairer =
            parcel.repairer.as_ref().expect("only what can be opened again is cut into members");
        let started = match &mut self.mender {
            Some(mender) => mender.restart(repairer, offset),
            None => Mender::start(repairer, offset, self.context.settings)
                .map(|mender| self.mender = Some(Box::new(mender))),
        };
        match started {
            Ok(()) => self.mending = true,
            Err(error) => self.give_up(parcel.job, &error),
        }
    }

    /// Where damage is being mended, reads and writes what lies before `parcel`. Gives whether the parcel is to be
    /// taken: not if it was cut from what has been read here already.
    fn mend_up_to(&mut self, parcel: &Parcel) -> Result<bool, RunError> {
        if !self.mending {
            return Ok(true);
        }
        let Some(mut mender) = self.mender.take() else { return Ok(true) };
        let result = self.mend_with(&mut mender, parcel);
        self.mender = Some(mender);
        result
    }

    fn mend_with(&mut self, mender: &mut Mender, parcel: &Parcel) -> Result<bool, RunError> {
        loop {
            match mender.next(&self.context, parcel) {
                Ok(Some(product)) => {
                    self.write(product)?;
                    if self.wanted == Some(0) {
                        return Ok(false);
                    }
                }
                Ok(None) => break,
                Err(error) => {
                    self.give_up(parcel.job, &error);
                    return Ok(false);
                }
            }
        }
        let Some(batches) = mender.meets(parcel) else {
            mender.pass_over();
            return Ok(false);
        };
        // The batches that were passed over count as done: a later run cuts them just so.
        self.checkpoint(batches)?;
        self.mending = false;
        Ok(true)
    }

    /// The input cannot be used any further. What was written of it stays, to be gone on with.
    fn give_up(&mut self, job: usize, error: &ArchiveError) {
        let job_name = &self.context.plan.jobs[job].name;
        self.monitor.unusable(job_name, &error.to_string());
        self.summary
            .unusable
            .push(UnusableInput { input: job_name.clone(), error: error.to_string() });
        self.given_up = Some(job);
        self.current = None;
        self.mending = false;
    }

    /// Gives the output its name and enters the input in the journal, with the size that the plan knows: that is what a
    /// later run compares with, and not all of an input need have been read.
    fn finish_current(&mut self, bytes_read: u64) -> Result<(), RunError> {
        let Some(Current { job, output, account, .. }) = self.current.take() else { return Ok(()) };
        let input_bytes = self.context.plan.jobs[job].bytes.unwrap_or(bytes_read);
        let name = self.context.plan.jobs[job].name.clone();
        if let (Some(mut output), Sink::Folder(folder, timing)) = (output, &mut self.sink) {
            if output.written() == 0 {
                // A file of no bytes is no zstd and no gzip file.
                let mut frame = Vec::new();
                self.encoder.empty_frame(&mut frame);
                output.append(&frame)?;
            }
            let (output_bytes, digest) = (output.written(), format!("sha256:{}", output.digest()));
            output.finish()?;
            if let Some(rejects) = &self.rejects {
                rejects.sync()?;
            }
            let mut path = self.context.plan.jobs[job].output.clone().into_os_string();
            path.push(".jsonl");
            path.push(self.context.settings.compression.file_suffix());
            folder.journal.append(&Entry {
                input: name.clone(),
                input_bytes,
                output: path.display().to_string(),
                output_bytes,
                digest,
                rejects_bytes: self.rejects.as_ref().map(Rejects::written),
                account: account.clone(),
                config: self.config.clone(),
            })?;
            folder.checkpoints.clear()?;
            timing.finished(&name)?;
        }
        tracing::debug!(
            input = name,
            records = account.records,
            written = account.written,
            "finished"
        );
        self.bytes_done += input_bytes;
        self.progress.inputs += 1;
        self.progress.bytes = self.bytes_done;
        self.monitor.progress(self.progress);
        self.monitor.finished(&name, &account);
        self.finished[job] = Some(InputSummary { name, bytes: input_bytes, account });
        Ok(())
    }

    /// Adds everything up and writes the statistics.
    fn complete(self) -> Result<Summary, RunError> {
        let Writer { context, sink, mut summary, finished, wanted, .. } = self;
        let planned = context.plan.unusable.iter();
        let planned = planned
            .map(|(input, error)| UnusableInput { input: input.clone(), error: error.clone() });
        summary.unusable.splice(0..0, planned);
        let all = finished.iter().all(Option::is_some) || wanted == Some(0);
        summary.inputs = finished.into_iter().flatten().collect();
        for input in &summary.inputs {
            summary.total += &input.account;
        }
        let dealt_with =
            summary.inputs.len() + summary.unusable.len() - context.plan.unusable.len();
        if wanted != Some(0) && dealt_with < context.plan.jobs.len() {
            summary.ending = Ending::Interrupted;
        }
        if let Sink::Folder(folder, timing) = sink {
            stats::write(&folder.files(), &summary)?;
            timing.ended()?;
            if all && summary.unusable.is_empty() {
                folder.succeed()?;
            }
        }
        Ok(summary)
    }
}
