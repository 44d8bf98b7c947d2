//! Work items that circulate between reader, workers and writer.

use crate::work::dropped_rows::DroppedRows;
use crate::work::signed_rows::SignedRows;
use huller_archive::{ArchiveError, Batch, PrefixDigest, Repair, Repairer};
use huller_page::memory::clear_and_shrink;
use huller_refine::{Reason, RowTrace};
use huller_row::{BatchEncoder, Compressor};
use huller_run::counters::Counters;
use std::ops::Range;

/// A batch with buffers for a worker's results. Work items exist for the whole run and are
/// refilled.
#[derive(Default)]
pub(crate) struct WorkItem {
    /// Place in the order of the whole run.
    pub(crate) sequence: u64,
    /// Index of its job in the plan.
    pub(crate) job: usize,
    pub(crate) content: ItemContent,
    /// Bytes of the input that had been read when this work item was cut.
    pub(crate) bytes_read: u64,
    /// The digest of the input up to the end of this work item. `None` before a worker has
    /// [read](Batch::read) it, if the input could not be opened, and at its end if nothing was read
    /// after the last work item.
    pub(crate) seen: Option<PrefixDigest>,
    /// Time of the input's last change, taken before it was read.
    pub(crate) modified: Option<u64>,
    pub(crate) batch: Batch,
    /// Opens the input again, if the batch consists of its members.
    pub(crate) repairer: Option<Repairer>,
    /// HTML files. Their bytes follow one another in the batch.
    pub(crate) files: Vec<File>,
    pub(crate) batch_output: BatchOutput,
    /// Bytes of the budget that it holds.
    pub(crate) held: usize,
}

/// A larger buffer of a work item is not kept.
const MAX_KEPT_BYTES: usize = 4 << 20;

/// The purpose of a work item.
#[derive(Debug, Default)]
pub(crate) enum ItemContent {
    /// Records for a worker.
    #[default]
    Records,
    /// The end of the input. An error says that it ended too early or could not be read at all.
    End(Option<String>),
    /// Records at which a worker panicked outside of a page, which is a bug. The run ends at their
    /// turn.
    Fatal,
}

/// A file of a folder of HTML pages.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) name: String,
    /// The range of its bytes in the batch, or the reason why it could not be read.
    pub(crate) bytes: Result<Range<usize>, String>,
}

/// The results of a worker for one batch.
#[derive(Default)]
pub(crate) struct BatchOutput {
    /// The rows, encoded and compressed. Empty if the writer may have to cut them first.
    pub(crate) piece: Vec<u8>,
    /// Places where files may end in the piece, in runs that write several files per input.
    pub(crate) parts: Vec<FileSplit>,
    /// The encoders that hold the rows, in runs with a limit of rows: one for each part, or a
    /// single one.
    pub(crate) held: Vec<Box<dyn BatchEncoder>>,
    /// Lines for the rejects file.
    pub(crate) rejects: Vec<u8>,
    /// The rows that stages dropped.
    pub(crate) dropped: DroppedRows,
    /// Signatures of the rows.
    pub(crate) signed: SignedRows,
    pub(crate) counters: Counters,
    /// One entry for each record, in runs with a limit of rows.
    pub(crate) steps: Vec<RecordStep>,
    /// Offset in the input at which the worker met data that it does not handle.
    pub(crate) stopped_at: Option<u64>,
    /// Bytes of the texts in the rows.
    pub(crate) text_bytes: usize,
}

/// Rows that belong in one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileSplit {
    pub(crate) rows: u64,
    /// Offset of its end in the piece.
    pub(crate) end: usize,
}

/// The outcome of a record, and the sizes of rows and rejects after it.
#[derive(Clone, Debug)]
pub(crate) struct RecordStep {
    pub(crate) rejected: Option<Reason>,
    pub(crate) repair: Option<Repair>,
    pub(crate) trace: RowTrace,
    /// Number of parts that had ended.
    pub(crate) parts: usize,
    /// The mark of the encoder that holds the next part.
    pub(crate) rows: usize,
    pub(crate) rejects_bytes: usize,
    pub(crate) dropped_lines: usize,
}

impl BatchOutput {
    pub(crate) fn clear(&mut self) {
        const MAX_KEPT_PIECE_BYTES: usize = 1 << 20;
        for buffer in [&mut self.piece, &mut self.rejects] {
            clear_and_shrink(buffer, MAX_KEPT_PIECE_BYTES);
        }
        self.dropped.clear();
        self.signed.clear();
        self.parts.clear();
        self.held.iter_mut().for_each(|rows| rows.clear());
        self.steps.clear();
        self.counters = Counters::default();
        self.stopped_at = None;
        self.text_bytes = 0;
    }

    /// Returns how many bytes wait to be written.
    pub(crate) fn bytes(&self) -> usize {
        let held_bytes = if self.held.is_empty() { 0 } else { self.text_bytes };
        self.piece.len()
            + self.rejects.len()
            + self.dropped.bytes()
            + self.signed.bytes()
            + held_bytes
    }

    /// Encodes the held rows.
    pub(crate) fn encode_held(&mut self, compressor: &mut Compressor) {
        for (index, rows) in self.held.iter_mut().enumerate() {
            rows.finish(compressor, &mut self.piece);
            if let Some(part) = self.parts.get_mut(index) {
                part.end = self.piece.len();
            }
        }
    }

    /// Appends the rows of another output, which a part of the batch gave.
    pub(crate) fn append_rows(&mut self, other: &BatchOutput) {
        let base = self.piece.len();
        self.piece.extend_from_slice(&other.piece);
        self.parts
            .extend(other.parts.iter().map(|part| FileSplit { end: base + part.end, ..*part }));
    }

    /// Discards everything after the first `rows` rows.
    pub(crate) fn cut_after(&mut self, rows: u64) {
        let mut kept_counters = Counters::default();
        let (mut parts, mut rows_end, mut rejects_end, mut dropped_end) = (0, 0, 0, 0);
        for step in &self.steps {
            if kept_counters.written == rows {
                break;
            }
            kept_counters.records += 1;
            match step.rejected {
                Some(reason) => kept_counters.reject(reason),
                None => kept_counters.written += 1,
            }
            if let Some(repair) = step.repair {
                kept_counters.repair(repair);
            }
            kept_counters.waterfall.add(&step.trace);
            (parts, rows_end) = (step.parts, step.rows);
            (rejects_end, dropped_end) = (step.rejects_bytes, step.dropped_lines);
        }
        if let Some(held) = self.held.get_mut(parts) {
            held.cut(rows_end);
        }
        self.held.iter_mut().skip(parts + 1).for_each(|rows| rows.clear());
        let rows_before: u64 = self.parts.iter().take(parts).map(|part| part.rows).sum();
        if let Some(part) = self.parts.get_mut(parts) {
            part.rows = kept_counters.written - rows_before;
        }
        self.parts.truncate(parts + 1);
        self.rejects.truncate(rejects_end);
        self.dropped.truncate(dropped_end);
        self.counters = kept_counters;
        self.stopped_at = None;
    }
}

impl WorkItem {
    /// Frees buffers that a large page grew beyond `MAX_KEPT_BYTES`.
    pub(crate) fn shrink_large_buffers(&mut self) {
        let BatchOutput { piece, rejects, held, text_bytes, .. } = &mut self.batch_output;
        for buffer in [&mut self.batch.bytes, piece, rejects] {
            if buffer.capacity() > MAX_KEPT_BYTES {
                *buffer = Vec::new();
            }
        }
        if *text_bytes > MAX_KEPT_BYTES {
            held.clear();
        }
    }

    /// Reads what the reader left in the file when it cut the work item.
    pub(crate) fn read(&mut self) -> Result<(), ArchiveError> {
        if let Some(digest) = self.batch.read()? {
            self.seen = Some(digest);
        }
        Ok(())
    }

    pub(crate) fn clear(&mut self) {
        self.content = ItemContent::Records;
        (self.seen, self.modified) = (None, None);
        self.batch.clear();
        self.repairer = None;
        self.files.clear();
        self.batch_output.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use huller_row::{Row, RowSink};

    /// A sink that only counts rows.
    struct RowCounter(usize);

    impl RowSink for RowCounter {
        fn row(&mut self, _: &Row<'_>) {
            self.0 += 1;
        }

        fn mark(&self) -> usize {
            self.0
        }

        fn cut(&mut self, mark: usize) {
            self.0 = mark;
        }
    }

    impl BatchEncoder for RowCounter {
        fn finish(&mut self, _: &mut Compressor, piece: &mut Vec<u8>) {
            piece.push(self.0 as u8);
            self.clear();
        }

        fn clear(&mut self) {
            self.0 = 0;
        }
    }

    #[test]
    fn what_is_cut_off_is_not_in_the_account() {
        let trace = RowTrace::default;
        let step = |rejected, repair, rows| RecordStep {
            rejected,
            repair,
            trace: trace(),
            parts: 0,
            rows,
            rejects_bytes: rows * 2,
            dropped_lines: 0,
        };
        let mut batch_output = BatchOutput {
            held: vec![Box::new(RowCounter(30))],
            rejects: vec![b'y'; 60],
            steps: vec![
                step(Some(Reason::Request), None, 0),
                step(None, Some(Repair::ChecksumMismatch), 10),
                step(None, Some(Repair::ContentLengthTooLong), 20),
                step(Some(Reason::Status), None, 20),
                step(None, Some(Repair::ChecksumMismatch), 30),
            ],
            stopped_at: Some(7),
            ..BatchOutput::default()
        };
        batch_output.cut_after(2);
        let held = batch_output.held[0].mark();
        assert_eq!((held, batch_output.rejects.len(), batch_output.stopped_at), (20, 40, None));
        assert_eq!((batch_output.counters.records, batch_output.counters.written), (3, 2));
        let repairs: Vec<_> = batch_output.counters.repairs().collect();
        assert_eq!(repairs, [("content_length_too_long", 1), ("checksum_mismatch", 1)]);
        assert!(batch_output.counters.is_balanced());
    }
}
