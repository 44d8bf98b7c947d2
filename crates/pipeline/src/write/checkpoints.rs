//! How far the present input has come, noted after each batch.

use crate::error::RunError;
use crate::run_files::checkpoint::Checkpoint;
use crate::run_files::marks::{OutputMark, digits};
use crate::write::line_log::LogKind;
use crate::write::signature_file::SignatureFile;
use crate::write::writer::{Sink, Writer};
use huller_archive::Seen;

impl Writer<'_> {
    /// Notes that `batches` more batches of the current input are done, and how long its output is.
    pub(super) fn checkpoint(&mut self, batches: u64) -> Result<(), RunError> {
        let Some(current) = &mut self.current else { return Ok(()) };
        current.batches += batches;
        if self.context.format.can_continue() { self.note() } else { Ok(()) }
    }

    /// Appends a checkpoint.
    pub(super) fn note(&mut self) -> Result<(), RunError> {
        let Some(current) = &mut self.current else { return Ok(()) };
        let (Some(output), Sink::Folder(folder, _)) = (&mut current.output, &mut self.sink) else {
            return Ok(());
        };
        let job = &self.context.plan.jobs[current.job];
        let is_split = self.context.settings.split.is_asked();
        let OutputMark { output: name, bytes, digest, rows } = output.mark();
        let digest = digits(&digest).to_owned();
        let [rejects, dropped] = LogKind::ALL.map(|kind| self.logs.mark_of_input(kind));
        folder.checkpoints.append(&Checkpoint {
            input: job.name.clone(),
            input_bytes: job.bytes,
            input_read: current.seen.map(|seen| seen.bytes),
            input_digest: current.seen.as_ref().map(Seen::digest),
            batches: current.batches,
            output: name,
            output_bytes: bytes,
            output_rows: if is_split { rows } else { 0 },
            full: output.take_full(),
            also: output.also(),
            digest,
            assembler: output.state(),
            rejects_bytes: rejects.as_ref().map(|mark| mark.bytes),
            rejects_digest: rejects.and_then(|mark| mark.digest),
            dropped_bytes: dropped.as_ref().map(|mark| mark.bytes),
            dropped_digest: dropped.and_then(|mark| mark.digest),
            signatures: current.signatures.as_ref().map(SignatureFile::mark),
            account: current.account.clone(),
            config: self.config.clone(),
        })
    }
}
