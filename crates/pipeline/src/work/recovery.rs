//! Repairs damage in workers: reads one record after another from the place where a worker stopped.
//!
//! The damage nearly always ends within its batch. So the worker itself reads on to the end of the
//! batch, and the work item leaves it like a sound one. Many workers repair at the same time. If
//! damage reaches into later batches, the writer continues (`write::recovery`), since it alone
//! knows their order.

use crate::work::batch_work::ThreadTools;
use crate::work::context::Context;
use crate::work::record_work::BATCH_TEXT_BYTES;
use crate::work_item::{BatchOutput, WorkItem};
use huller_archive::{ArchiveError, BatchEnd, RecordStream};
use huller_run::counters::Counters;

/// Bytes after its batch that a worker reads to find the end of the damage. If each worker read to
/// the end of the file, many damaged batches would take quadratic time.
const BYTES_BEYOND_BATCH: u64 = 2 << 20;

/// Longest record that a worker repairs, in bytes. Longer ones are left to the writer, so that
/// workers need no memory for them.
const MAX_RECORD_BYTES: usize = 4 << 20;

/// Records that are read one after another from a damaged place.
pub(crate) struct RepairStream {
    stream: RecordStream,
    reached: BatchEnd,
}

impl RepairStream {
    pub(crate) fn new(stream: RecordStream) -> RepairStream {
        RepairStream { stream, reached: BatchEnd::Full }
    }

    /// Returns the place that it has reached.
    pub(crate) fn batch_end(&self) -> BatchEnd {
        self.reached
    }

    /// Fills the work item with the next records before offset `stop`. Returns false if there are
    /// no more. Then the stream has reached a border at or after `stop`, or the end.
    pub(crate) fn next(&mut self, item: &mut WorkItem, stop: u64) -> Result<bool, ArchiveError> {
        loop {
            match self.reached {
                BatchEnd::End => return Ok(false),
                BatchEnd::Border(offset) if offset >= stop => return Ok(false),
                _ => {}
            }
            item.clear();
            item.shrink_large_buffers();
            self.reached = self.stream.next_batch_until(&mut item.batch, stop)?;
            if !item.batch.entries.is_empty() {
                return Ok(true);
            }
        }
    }

    /// Returns the offset of the border or end that it has reached, or `None` if its limit stopped
    /// it earlier.
    fn end(&self) -> Option<u64> {
        match self.reached {
            _ if self.stream.is_stopped() => None,
            BatchEnd::Border(offset) => Some(offset),
            BatchEnd::End => Some(self.stream.bytes_read()),
            BatchEnd::Full => None,
        }
    }
}

/// The sizes of the output of a batch at some moment.
struct OutputSizes {
    piece_bytes: usize,
    parts: usize,
    rejects_bytes: usize,
    dropped_lines: usize,
    signed: (usize, u64),
    counters: Counters,
}

impl OutputSizes {
    fn measure(batch_output: &BatchOutput) -> OutputSizes {
        let BatchOutput { piece, parts, rejects, dropped, signed, counters, .. } = batch_output;
        OutputSizes {
            piece_bytes: piece.len(),
            parts: parts.len(),
            rejects_bytes: rejects.len(),
            dropped_lines: dropped.len(),
            signed: signed.mark(),
            counters: counters.clone(),
        }
    }

    fn cut(self, batch_output: &mut BatchOutput) {
        batch_output.piece.truncate(self.piece_bytes);
        batch_output.parts.truncate(self.parts);
        batch_output.rejects.truncate(self.rejects_bytes);
        batch_output.dropped.truncate(self.dropped_lines);
        batch_output.signed.cut(self.signed);
        batch_output.counters = self.counters;
    }
}

/// Reads on from the place where the worker stopped, to the end of the batch or of the damage. If
/// that is too far away, or if the rows take too much memory, the output is unchanged and the
/// writer repairs.
pub(crate) fn repair_batch(
    tools: &mut ThreadTools<'_>,
    context: &Context<'_>,
    item: &mut WorkItem,
) {
    let (Some(offset), Some(repairer)) = (item.batch_output.stopped_at, &item.repairer) else {
        return;
    };
    // With a limit of rows the writer has to see each row.
    if context.settings.limit.is_some() {
        return;
    }
    let end = item.batch.end();
    let Ok(stream) = repairer.open_range(offset, end + BYTES_BEYOND_BATCH, MAX_RECORD_BYTES) else {
        return;
    };
    let mark = OutputSizes::measure(&item.batch_output);
    match read_to_end(tools, context, item, RepairStream::new(stream), end) {
        Some(reached) => item.batch_output.stopped_at = (reached != end).then_some(reached),
        None => mark.cut(&mut item.batch_output),
    }
}

/// Adds rows, rejects and counts up to `end` to the output. Returns the offset from which the
/// writer is to read, or `None` if it must begin where the worker stopped.
fn read_to_end(
    tools: &mut ThreadTools<'_>,
    context: &Context<'_>,
    item: &mut WorkItem,
    mut repair: RepairStream,
    end: u64,
) -> Option<u64> {
    let mut part = WorkItem { job: item.job, sequence: item.sequence, ..WorkItem::default() };
    while item.batch_output.bytes() <= BATCH_TEXT_BYTES && repair.next(&mut part, end).ok()? {
        if repair.stream.is_stopped() {
            return None;
        }
        tools.process(context, &mut part);
        let BatchOutput { rejects, dropped, signed, counters, .. } = &part.batch_output;
        item.batch_output.append_rows(&part.batch_output);
        item.batch_output.rejects.extend_from_slice(rejects);
        item.batch_output.dropped.append(dropped);
        item.batch_output.signed.append(signed, context.signatures);
        item.batch_output.counters += counters;
    }
    repair.end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::{Budget, MemoryNeed};
    use crate::rows::Rows;
    use crate::settings::Settings;
    use huller_archive::{Input, Limits, Packing};
    use huller_extract::EXTRACTORS;
    use huller_row::JSONL;
    use huller_run::clocks::Clocks;
    use huller_run::plan::{Plan, PlanOptions};
    use huller_run::run_files::output_names::OutputNames;
    use huller_testkit::sample;
    use std::fs;
    use std::path::Path;

    type Spoil<'a> = &'a dyn Fn(&[u8]) -> Vec<u8>;

    /// Returns the sample with `spoil` applied to every third member.
    fn spoiled(spoil: Spoil<'_>) -> Vec<u8> {
        let file = fs::read(sample::archive()).unwrap();
        let members = sample::members(&file).into_iter().enumerate();
        let bytes = members.map(|(number, (range, _))| match number % 3 {
            1 => spoil(&file[range]),
            _ => file[range].to_vec(),
        });
        bytes.collect::<Vec<_>>().concat()
    }

    /// Processes the batches of a file as a worker does. Returns how many were left to the writer,
    /// and the statistics of the others.
    fn work(path: &Path, settings: &Settings) -> (usize, usize, Counters) {
        let plan = Plan::new(&[path.to_owned()], &PlanOptions::default()).unwrap();
        let budget = Budget::new(1 << 30, MemoryNeed::new(128 << 20, 16 << 20, 1));
        let layout = settings.layout(String::new());
        let context = Context {
            plan: &plan,
            settings,
            format: JSONL,
            names: &OutputNames::new(Vec::new()),
            layout: &layout,
            no_empty_inputs: false,
            writes_rejects: true,
            max_dropped_rows: None,
            signatures: None,
            budget: &budget,
            clocks: &Clocks::default(),
        };
        let mut tools = ThreadTools::new(&context);
        let mut input = Input::open(path, &settings.limits).unwrap();
        let (mut batches, mut left, mut counters) = (0, 0, Counters::default());
        loop {
            let mut item = WorkItem::default();
            if !input.next_batch(&mut item.batch).unwrap() {
                return (batches, left, counters);
            }
            assert!(!matches!(item.batch.packing, Packing::Plain));
            item.repairer = Some(input.repairer());
            tools.process(&context, &mut item);
            repair_batch(&mut tools, &context, &mut item);
            batches += 1;
            left += usize::from(item.batch_output.stopped_at.is_some());
            counters += &item.batch_output.counters;
        }
    }

    #[test]
    fn case_8_workers_mend_what_is_damaged_within_their_batches() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc.gz");
        let limits = Limits { batch_bytes: 16 << 10, ..Limits::default() };
        let settings = Settings { limits, ..Settings::new(vec![EXTRACTORS[0]]) };
        let wrong_checksum = |member: &[u8]| {
            let mut member = member.to_vec();
            let crc = member.len() - 8;
            member[crc] ^= 1;
            member
        };
        let and_blanks = |member: &[u8]| [member, b"\n\n"].concat();
        let halves = |member: &[u8]| member[..member.len() / 2].to_vec();
        let spoils: [Spoil<'_>; 3] = [&wrong_checksum, &and_blanks, &halves];
        for spoil in spoils {
            fs::write(&path, spoiled(spoil)).unwrap();
            let (batches, left, counters) = work(&path, &settings);
            assert!(batches > 5, "{batches} batches");
            assert_eq!(left, 0, "all of them are done by workers");
            let mut rows = Rows::open(&path, None, settings.clone()).unwrap();
            while rows.next(&mut Vec::new()).unwrap() {}
            assert_eq!(counters, rows.take_counters());
        }
    }
}
