//! The writer: parcels in order, to files, with their accounts.

mod endings;

use crate::account::Account;
use crate::batch_work::Context;
use crate::checkpoint::Checkpoint;
use crate::error::RunError;
use crate::folder::{HalfDone, RunFolder};
use crate::in_order::InOrder;
use crate::mending::Mender;
use crate::monitor::{Monitor, Progress};
use crate::output::OutputFile;
use crate::parcel::{Content, Parcel, Product};
use crate::rejects::Rejects;
use crate::summary::{InputSummary, Summary};
use crate::timing::Timing;
use crossbeam_channel::{Receiver, Sender};
use huller_archive::Encoder;
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
                written += entry.account.written;
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
                    Some(offset) if self.wanted != Some(0) => self.start_mending(parcel, offset)?,
                    _ => self.checkpoint(1)?,
                }
            }
            Content::End(None) => {
                self.begin(parcel.job)?;
                self.finish_current(parcel.bytes_read)?;
            }
            Content::End(Some(error)) => self.give_up(parcel.job, error)?,
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
        if let Some(rejects) = &mut self.rejects {
            rejects.begin_input();
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
            rejects_digest: self.rejects.as_ref().map(Rejects::digest),
            account: current.account.clone(),
            config: self.config.clone(),
        })
    }

    /// From here on the input is read one record after another, until that stands on the start of a later parcel.
    fn start_mending(&mut self, parcel: &Parcel, offset: u64) -> Result<(), RunError> {
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
            Err(error) => self.give_up(parcel.job, error.to_string())?,
        }
        Ok(())
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
                    self.give_up(parcel.job, error.to_string())?;
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
}
