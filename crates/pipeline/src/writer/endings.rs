//! How inputs and runs end: finished, given up, added up.

use super::{Current, Sink, Writer};
use crate::error::RunError;
use crate::journal::Entry;
use crate::plan::name_of;
use crate::rejects::Rejects;
use crate::stats;
use crate::summary::{Ending, InputSummary, Summary, UnusableInput};
use std::path::Path;

impl Writer<'_> {
    /// The input cannot be used any further, and is to be done anew by a later run: its rejects and checkpoints are
    /// forgotten, and its rows, which stay in the `.part`, count for nothing. Rows that went to standard output do count.
    pub(super) fn give_up(&mut self, job: usize, error: String) -> Result<(), RunError> {
        let job_name = &self.context.plan.jobs[job].name;
        self.monitor.unusable(job_name, &error);
        self.summary.unusable.push(UnusableInput { input: job_name.clone(), error });
        self.given_up = Some(job);
        self.mending = false;
        let half_done = self.half_done.take_if(|half| half.job == job);
        let current = self.current.take().map(|current| current.account);
        let Some(account) = current.or(half_done.map(|half| half.checkpoint.account)) else {
            return Ok(());
        };
        let Sink::Folder(folder, _) = &mut self.sink else {
            self.summary.total += &account;
            return Ok(());
        };
        folder.checkpoints.clear()?;
        if let Some(rejects) = &mut self.rejects {
            rejects.forget_input()?;
        }
        self.wanted = self.wanted.map(|wanted| wanted + account.written);
        Ok(())
    }

    /// Gives the output its name and enters the input in the journal, with the size that the plan knows: that is what a
    /// later run compares with, and not all of an input need have been read.
    pub(super) fn finish_current(&mut self, bytes_read: u64) -> Result<(), RunError> {
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
            // The rejects first: if they cannot be made durable, there is still a .part not to be trusted.
            if let Some(Err(error)) = self.rejects.as_ref().map(Rejects::sync) {
                output.distrust();
                return Err(error);
            }
            output.finish()?;
            let mut path = self.context.plan.jobs[job].output.clone().into_os_string();
            path.push(".jsonl");
            path.push(self.context.settings.compression.file_suffix());
            folder.journal.append(&Entry {
                input: name.clone(),
                input_bytes,
                output: name_of(Path::new(&path)),
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
    pub(super) fn complete(self) -> Result<Summary, RunError> {
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
