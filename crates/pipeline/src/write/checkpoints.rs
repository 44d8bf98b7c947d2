//! Notes after each batch how far the current input has come.

use crate::write::writer::{RowDestination, Writer};
use huller_archive::PrefixDigest;
use huller_run::error::RunError;
use huller_run::line_log::LogKind;
use huller_run::pending_checkpoints::BEHIND;
use huller_run::run_files::checkpoint::Checkpoint;
use huller_run::signature_file::SignatureFile;

impl Writer<'_> {
    /// Notes that `batches` more batches of the current input are done, and the length of its
    /// output.
    pub(super) fn checkpoint(&mut self, batches: u64) -> Result<(), RunError> {
        let Some(current) = &mut self.current else { return Ok(()) };
        current.batches += batches;
        if self.context.can_continue() { self.note_checkpoint() } else { Ok(()) }
    }

    /// Notes a checkpoint. If its digests are computed behind the writer, it is appended after
    /// [`BEHIND`] later checkpoints have been noted.
    fn note_checkpoint(&mut self) -> Result<(), RunError> {
        let Some(current) = &mut self.current else { return Ok(()) };
        let (Some(output), RowDestination::Folder(folder, _)) =
            (&mut current.output, &mut self.sink)
        else {
            return Ok(());
        };
        let job = &self.context.plan.jobs[current.job];
        let is_split = self.context.settings.split.is_asked();
        let (bytes, rows, digest) = output.measure()?;
        let signatures = current.signatures.as_mut().map(SignatureFile::measure).transpose()?;
        let (signatures, signatures_digest) = signatures.unzip();
        let [rejects, dropped] = LogKind::ALL.map(|kind| self.logs.mark_of_input(kind));
        let checkpoint = Checkpoint {
            input: job.name.clone(),
            input_bytes: job.bytes,
            input_read: current.seen.map(|seen| seen.bytes),
            input_digest: current.seen.as_ref().map(PrefixDigest::digest),
            batches: current.batches,
            output: output.name(),
            output_bytes: bytes,
            output_rows: if is_split { rows } else { 0 },
            full: output.take_full()?,
            secondary_outputs: output.secondary_names(),
            side_files: output.side_names(),
            digest: String::new(),
            assembler: output.state(),
            rejects_bytes: rejects.as_ref().map(|mark| mark.bytes),
            rejects_digest: rejects.and_then(|mark| mark.digest),
            dropped_bytes: dropped.as_ref().map(|mark| mark.bytes),
            dropped_digest: dropped.and_then(|mark| mark.digest),
            signatures,
            counters: current.counters.clone(),
            config: self.config_hash.clone(),
        };
        // The run files must say at once which input a new part belongs to.
        let behind = if checkpoint.full.is_empty() { BEHIND } else { 0 };
        self.pending.push(checkpoint, digest, signatures_digest);
        self.pending.append_but(behind, &mut folder.checkpoints)
    }

    /// Appends a checkpoint at once.
    pub(super) fn append_checkpoint(&mut self) -> Result<(), RunError> {
        self.note_checkpoint()?;
        self.flush()
    }

    /// Appends the checkpoints that have been noted so far.
    pub(super) fn flush(&mut self) -> Result<(), RunError> {
        match &mut self.sink {
            RowDestination::Folder(folder, _) => {
                self.pending.append_but(0, &mut folder.checkpoints)
            }
            RowDestination::Stdout(_) => Ok(()),
        }
    }
}
