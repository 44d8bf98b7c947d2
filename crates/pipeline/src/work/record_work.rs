//! Catches the panics of a record, counts its outcome and lists it if it is rejected, for every
//! worker.

use crate::budget::BudgetShare;
use crate::settings::Settings;
use crate::work::dropped_rows::RowSinks;
use crate::work::header_text::header_text;
use crate::work::page_budget::PageBudget;
use crate::work::page_context::PageContext;
use crate::work::rejection::{Reject, Rejection, is_page, rejected_url};
use crate::work_item::{BatchOutput, File, RecordStep};
use huller_archive::{Fault, Position, Repair, Visitor, WarcHeader};
use huller_corpus::reason_of;
use huller_refine::{Chain, Reason};
use huller_row::{RowSink, push_line};
use huller_run::withdrawals::keys::reason as withdrawn_reason;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// The buffers that a worker keeps from record to record. After the first records, most records
/// need no other allocation.
pub(crate) trait RecordTools {
    /// Makes tools in their first state.
    fn new(settings: &Settings) -> Self;

    /// Returns the stages that rows pass.
    fn chain(&mut self) -> &mut Chain;

    /// Returns the bytes of the last row's texts that were held besides its line.
    fn text_bytes(&self) -> usize;
}

/// A visitor of the entries of a batch, from an archive or from a folder of pages.
pub(crate) trait BatchVisitor: Visitor {
    /// Processes one file of a folder of pages, whose bytes are in `bytes`.
    fn folder_file(&mut self, file: &File, bytes: &[u8]);
}

/// Returns the bytes of a file of a folder.
pub(crate) fn file_bytes<'f>(file: &File, bytes: &'f [u8]) -> Result<&'f [u8], Rejection> {
    let range = file
        .bytes
        .as_ref()
        .map_err(|error| Rejection { reason: Reason::UnreadableFile, detail: error.clone() })?;
    Ok(&bytes[range.clone()])
}

/// Adds the file's name to a rejection that has no other detail.
pub(crate) fn with_name(rejection: Rejection, name: &str) -> Rejection {
    match rejection.detail.as_str() {
        "" => Rejection { detail: format!("'{}'", name.escape_debug()), ..rejection },
        _ => rejection,
    }
}

/// Most bytes of text that a batch may yield for each text of a row. If its members inflate to
/// more, the recovery code reads the batch record by record.
pub(crate) const BATCH_TEXT_BYTES: usize = 4 << 20;

/// The work on the records of one batch.
pub(crate) struct RecordWork<'a, 'b, T> {
    pub(crate) context: PageContext<'a>,
    tools: &'a mut T,
    rows: &'a mut dyn RowSink,
    /// Takes rejects and counts.
    batch_output: &'a mut BatchOutput,
    budget: PageBudget<'a, 'b>,
    /// Bytes of texts after which the batch takes no more records.
    max_text_bytes: usize,
    /// Number of parts of the batch that have ended.
    parts: usize,
    /// The time that the last record took.
    elapsed: Duration,
}

impl<'a, 'b, T: RecordTools> RecordWork<'a, 'b, T> {
    pub(crate) fn new(
        context: PageContext<'a>,
        tools: &'a mut T,
        rows: &'a mut dyn RowSink,
        batch_output: &'a mut BatchOutput,
        share: Option<&'a mut BudgetShare<'b>>,
    ) -> RecordWork<'a, 'b, T> {
        let settings = context.settings;
        let texts = settings.texts();
        let budget = PageBudget::new(share, texts, settings.max_page_bytes);
        let (max_text_bytes, elapsed) = (BATCH_TEXT_BYTES * texts, Duration::ZERO);
        RecordWork { context, tools, rows, batch_output, budget, max_text_bytes, parts: 0, elapsed }
    }

    /// Runs `work` for one record, catches its panics, and counts the outcome. `input` names the
    /// file that holds the page.
    pub(crate) fn process_record(
        &mut self,
        input: &str,
        url: Option<&[u8]>,
        position: Position,
        work: impl FnOnce(&mut T, RowSinks<'_>, &mut PageBudget<'_, '_>) -> Result<(), Rejection>,
    ) {
        let result = self.attempt(work);
        self.note_time(input, url, position);
        self.count_outcome(result, url, position);
    }

    /// Like [`RecordWork::process_record`] for a line. If the line gave no row, its URL is looked
    /// up for the rejects.
    pub(crate) fn process_line(
        &mut self,
        line: &[u8],
        position: Position,
        work: impl FnOnce(&mut T, RowSinks<'_>, &mut PageBudget<'_, '_>) -> Result<(), Rejection>,
    ) {
        let result = self.attempt(work);
        self.note_time(self.context.input, None, position);
        let is_listed = self.context.writes_rejects && result.is_err();
        let url = is_listed.then(|| rejected_url(self.context.settings, line)).flatten();
        self.count_outcome(result, url.as_deref().map(str::as_bytes), position);
    }

    /// Like [`RecordWork::process_record`] for a record that is cut off. A fault says more than
    /// most reasons. So only a row and a panic, which is a bug to report, are counted. Returns
    /// whether a row or a panic was counted.
    pub(crate) fn process_partial(
        &mut self,
        url: Option<&[u8]>,
        position: Position,
        work: impl FnOnce(&mut T, RowSinks<'_>, &mut PageBudget<'_, '_>) -> Result<(), Rejection>,
    ) -> bool {
        let result = self.attempt(work);
        let is_row = result.is_ok();
        let is_counted =
            is_row || result.as_ref().is_err_and(|rejection| rejection.reason == Reason::Panic);
        if is_counted {
            self.note_time(self.context.input, url, position);
            self.count_outcome(result, url, position);
        } else {
            self.begin_row();
        }
        if is_row {
            self.count_repair(Repair::Truncated);
        }
        is_counted
    }

    /// Counts a range of bytes that gave no record.
    pub(crate) fn fault(&mut self, fault: &Fault) {
        let header = WarcHeader::parse(&fault.header);
        let url = header.as_ref().and_then(WarcHeader::target_uri);
        let rejection = Rejection { reason: reason_of(fault.reason), detail: fault.detail.clone() };
        self.count_outcome(Err(rejection), url, fault.position);
    }

    /// Counts the repair of the record that was counted last.
    pub(crate) fn count_repair(&mut self, repair: Repair) {
        self.batch_output.counters.repair(repair);
        if let Some(step) = self.batch_output.steps.last_mut() {
            step.repair = Some(repair);
        }
    }

    /// Waits until there is memory for a member of `bytes` bytes.
    pub(crate) fn wait_for(&mut self, bytes: usize) {
        self.budget.reserve_member(bytes);
    }

    /// Returns whether the batch has yielded its maximum of text bytes.
    pub(crate) fn is_full(&self) -> bool {
        self.batch_output.text_bytes + self.batch_output.dropped.bytes() >= self.max_text_bytes
    }

    fn note_time(&self, input: &str, url: Option<&[u8]>, position: Position) {
        PageContext { input, ..self.context }.note_time(self.elapsed, url, position);
    }

    /// Runs `work` for one record and catches its panics.
    fn attempt(
        &mut self,
        work: impl FnOnce(&mut T, RowSinks<'_>, &mut PageBudget<'_, '_>) -> Result<(), Rejection>,
    ) -> Result<(), Rejection> {
        let mark =
            (self.rows.mark(), self.batch_output.dropped.len(), self.batch_output.signed.mark());
        let dropped =
            self.context.max_dropped_rows.map(|most| (&mut self.batch_output.dropped, most));
        let signed = self.context.signatures.map(|header| (&mut self.batch_output.signed, header));
        let sinks = RowSinks { rows: self.rows, dropped, signed };
        let began = Instant::now();
        let result = catch_unwind(AssertUnwindSafe(|| work(self.tools, sinks, &mut self.budget)));
        self.elapsed = began.elapsed();
        result.unwrap_or_else(|_| {
            // The panic may have left these buffers in any state, so the next record gets new ones.
            *self.tools = T::new(self.context.settings);
            self.rows.cut(mark.0);
            self.batch_output.dropped.truncate(mark.1);
            self.batch_output.signed.cut(mark.2);
            Err(Rejection::from(Reason::Panic))
        })?;
        self.batch_output.text_bytes += self.tools.text_bytes();
        Ok(())
    }

    /// Counts the outcome of a record, and lists it if it is a page without a row.
    fn count_outcome(
        &mut self,
        result: Result<(), Rejection>,
        url: Option<&[u8]>,
        position: Position,
    ) {
        let trace = self.tools.chain().trace();
        let counters = &mut self.batch_output.counters;
        counters.records += 1;
        counters.waterfall.add(trace);
        let rejected = match result {
            Ok(()) => {
                counters.written += 1;
                self.parts = self.rows.end_row(self.batch_output.text_bytes);
                None
            }
            Err(rejection) => {
                let reason = rejection.reason;
                counters.reject(reason);
                if self.context.writes_rejects && is_page(reason) {
                    self.list_reject(rejection, url, position);
                }
                Some(reason)
            }
        };
        if self.context.settings.limit.is_some() {
            self.push_step(rejected);
        }
        self.begin_row();
    }

    /// Adds a line to the rejects.
    fn list_reject(&mut self, rejection: Rejection, url: Option<&[u8]>, position: Position) {
        let Rejection { reason, detail } = rejection.with_flag();
        let mut text = String::new();
        // A list of rejects must not publish what was withdrawn.
        let url = url.filter(|_| reason != withdrawn_reason());
        let url = url.map(|url| header_text(url, &mut text));
        let offset = position.member.map(|(offset, _)| offset).or(position.stream_offset);
        let (reason, input) = (reason.name(), self.context.input);
        let reject = Reject { url, reason, input, offset, detail: &detail };
        push_line(&mut self.batch_output.rejects, &reject);
    }

    /// Notes the sizes of the output, for a writer that has to cut it.
    fn push_step(&mut self, rejected: Option<Reason>) {
        let (rows, rejects) = (self.rows.mark(), self.batch_output.rejects.len());
        let (dropped, parts) = (self.batch_output.dropped.len(), self.parts);
        let trace = self.tools.chain().trace().clone();
        let step = RecordStep {
            rejected,
            repair: None,
            trace,
            parts,
            rows,
            rejects_bytes: rejects,
            dropped_lines: dropped,
        };
        self.batch_output.steps.push(step);
    }

    /// Discards the outcome of the last row, since the next record may give no row.
    fn begin_row(&mut self) {
        self.tools.chain().begin();
    }
}
