//! Ends inputs and runs: finishes, aborts, sums up.

use crate::write::output::{FinishedFiles, OutputPaths};
use crate::write::writer::{CurrentInput, RowDestination, Writer};
use huller_archive::PrefixDigest;
use huller_run::clocks::Clock;
use huller_run::error::RunError;
use huller_run::line_log::LogKind;
use huller_run::run_files::journal::JournalEntry;
use huller_run::run_files::stats;
use huller_run::signature_file::SignatureFile;
use huller_run::summary::{InputSummary, RunEnding, Summary, UnusableInput};

/// Fewest bytes left to upload at the end of a run that are reported.
const MIN_REPORTED_BYTES: u64 = 64_000_000;

impl Writer<'_> {
    /// Aborts an input, because it cannot be read further. A later run does it again, so its rows,
    /// rejects and checkpoints are discarded. Rows on standard output do count.
    pub(super) fn abort_input(&mut self, job: usize, error: String) -> Result<(), RunError> {
        let job_name = &self.context.plan.jobs[job].name;
        self.monitor.unusable(job_name, &error);
        self.summary.unusable.push(UnusableInput { input: job_name.clone(), error });
        self.aborted_job = Some(job);
        self.pending.clear();
        self.is_repairing = false;
        let partial_input = self.partial_input.take_if(|half| half.job == job);
        let current = self.current.take().map(|current| {
            if let Some(output) = current.output {
                output.abandon();
            }
            if let Some(signatures) = current.signatures {
                signatures.remove();
            }
            current.counters
        });
        let partial_input = partial_input.map(|half| {
            if let RowDestination::Folder(folder, _) = &self.sink {
                let of_job = &self.context.plan.jobs[job];
                let paths = OutputPaths::new(&folder.root, of_job, &self.context);
                paths.remove_parts(half.checkpoint.full.len());
            }
            if let Some(signatures) = half.signatures {
                signatures.remove();
            }
            half.checkpoint.counters
        });
        let Some(counters) = current.or(partial_input) else { return Ok(()) };
        let RowDestination::Folder(folder, _) = &mut self.sink else {
            self.summary.total += &counters;
            return Ok(());
        };
        folder.checkpoints.clear()?;
        self.logs.forget_input()?;
        self.wanted = self.wanted.map(|wanted| wanted + counters.written);
        Ok(())
    }

    /// Renames the output and enters the input in the journal, with the size that the plan knows. A
    /// later run compares that size. A run that reached its limit did not read the whole input.
    /// Then no digest is entered, since the bytes read differ from run to run.
    pub(super) fn finish_current(
        &mut self,
        bytes_read: u64,
        cut_by_limit: bool,
    ) -> Result<(), RunError> {
        let has_rows = self.current.as_ref().is_some_and(|current| current.counters.written > 0);
        let has_several =
            !self.context.format.formats().is_empty() || self.context.settings.has_side_tables();
        if (self.context.settings.split.is_asked() || has_several) && has_rows {
            // Names all files, so that a run after a kill knows the files that have their names.
            if let Some(output) = self.current.as_mut().and_then(|current| current.output.as_mut())
            {
                output.end(&mut self.compressor)?;
            }
            self.append_checkpoint()?;
        }
        let Some(CurrentInput { job, output, mut signatures, counters, seen, modified, .. }) =
            self.current.take()
        else {
            return Ok(());
        };
        let seen = seen.filter(|_| !cut_by_limit);
        let input_bytes = self.context.plan.jobs[job].bytes.unwrap_or(bytes_read);
        let name = self.context.plan.jobs[job].name.clone();
        if let (Some(mut output), RowDestination::Folder(folder, timing)) = (output, &mut self.sink)
        {
            output.end(&mut self.compressor)?;
            // The lines come first: if they cannot be made durable, the output is still a part,
            // which can be removed.
            if let Err(error) = self.logs.sync() {
                output.discard_unsynced();
                return Err(error);
            }
            let mark = signatures.as_mut().map(SignatureFile::mark).transpose()?;
            let mark = mark.filter(|_| counters.written > 0);
            let finished = if counters.written == 0 {
                signatures.map(SignatureFile::discard).transpose()?;
                output.discard()?;
                FinishedFiles::default()
            } else {
                if let Some(Err(error)) = signatures.map(SignatureFile::finish) {
                    output.discard_unsynced();
                    return Err(error);
                }
                output.finish(counters.written)?
            };
            let FinishedFiles { rows: mut files, secondary, side_files } = finished;
            let output_bytes = files.iter().map(|file| file.bytes).sum();
            let alone = if self.context.settings.split.is_asked() { None } else { files.pop() };
            let (output, digest) = alone.map(|file| (file.output, file.digest)).unzip();
            let [rejects, dropped] = LogKind::ALL.map(|kind| self.logs.mark_of_all(kind));
            let entry = JournalEntry {
                input: name.clone(),
                input_bytes,
                input_read: seen.map(|seen| seen.bytes),
                input_digest: seen.as_ref().map(PrefixDigest::digest),
                output,
                output_bytes,
                digest,
                files,
                secondary_outputs: secondary,
                side_files,
                rejects_bytes: rejects.as_ref().map(|mark| mark.bytes),
                rejects_digest: rejects.and_then(|mark| mark.digest),
                dropped_bytes: dropped.as_ref().map(|mark| mark.bytes),
                dropped_digest: dropped.and_then(|mark| mark.digest),
                cut_by_limit,
                signatures: mark,
                counters: counters.clone(),
                note: None,
                config_hash: self.config_hash.clone(),
            };
            folder.journal.append(entry.clone())?;
            self.summary.add_side_files(&entry.side_files);
            self.pending.clear();
            folder.checkpoints.clear()?;
            timing.finished(&name, modified)?;
            if let Some(uploader) = &folder.uploader {
                uploader.add(&entry, modified)?;
            }
        }
        tracing::debug!(
            input = name,
            records = counters.records,
            written = counters.written,
            "finished"
        );
        self.dropped += &counters;
        self.bytes_done += input_bytes;
        self.progress.inputs += 1;
        self.progress.bytes = self.bytes_done;
        self.monitor.progress(self.progress);
        self.monitor.finished(&name, &counters);
        self.finished[job] = Some(InputSummary { name, bytes: input_bytes, counters });
        Ok(())
    }

    /// Sums up the run and writes the statistics.
    pub(super) fn complete(mut self, clock: &Clock<'_>) -> Result<Summary, RunError> {
        self.flush()?;
        let Writer {
            context, sink, mut summary, finished, wanted, mut compressor, monitor, ..
        } = self;
        let planned = context.plan.unusable.iter();
        let planned = planned
            .map(|(input, error)| UnusableInput { input: input.clone(), error: error.clone() });
        summary.unusable.splice(0..0, planned);
        let is_finished = finished.iter().all(Option::is_some) || wanted == Some(0);
        summary.inputs = finished.into_iter().flatten().collect();
        let dealt_with =
            summary.inputs.len() + summary.unusable.len() - context.plan.unusable.len();
        for InputSummary { counters, .. } in &summary.inputs {
            summary.total += counters;
        }
        let known = summary.unusable.len();
        let refines = context.settings.refines.is_some();
        summary.add_unusable(refines, context.no_empty_inputs);
        for UnusableInput { input, error } in &summary.unusable[known..] {
            monitor.unusable(input, error);
        }
        for UnusableInput { input, error } in &summary.without_pages {
            monitor.note(&format!("'{input}' holds no page: {error}"));
        }
        summary.ignored = context.plan.ignored.clone();
        if wanted != Some(0) && dealt_with < context.plan.jobs.len() {
            summary.ending = RunEnding::Interrupted;
        }
        match sink {
            RowDestination::Folder(mut folder, timing) => {
                for changed in folder.recheck(context.plan, context.settings.max_page_bytes) {
                    monitor.unusable(&changed.input, &changed.error);
                    summary.unusable.push(changed);
                }
                stats::write(&folder.files(), &summary)?;
                clock.add();
                timing.finish(context.clocks)?;
                let is_complete = is_finished && summary.unusable.is_empty();
                if let Some(uploader) = folder.uploader.take() {
                    let waiting = uploader.waiting();
                    if waiting >= MIN_REPORTED_BYTES {
                        let megabytes = waiting / 1_000_000;
                        monitor.note(&format!("{megabytes} MB are waiting for upload"));
                    }
                    uploader.finish(is_complete)?;
                }
                if is_complete {
                    folder.mark_complete()?;
                }
            }
            RowDestination::Stdout(stream) => stream.end(&mut compressor)?,
        }
        Ok(summary)
    }
}
