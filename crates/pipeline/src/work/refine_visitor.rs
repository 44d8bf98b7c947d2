//! Sends lines that are rows through the stages, in a worker.

use crate::budget::BudgetShare;
use crate::settings::{RowKeys, Settings};
use crate::work::page_context::PageContext;
use crate::work::record_work::{BatchVisitor, RecordTools, RecordWork, file_bytes, with_name};
use crate::work::refined_row::{RefineWork, RowPlace, refined_row};
use crate::work_item::{BatchOutput, File};
use huller_archive::{ArchivedFile, Fault, Position, Record, Visitor, WarcHeader};
use huller_refine::{Chain, Reason};
use huller_row::RowSink;

impl RecordTools for RefineWork {
    fn new(settings: &Settings) -> RefineWork {
        RefineWork::new(settings)
    }

    fn chain(&mut self) -> &mut Chain {
        &mut self.stages.chain
    }

    fn text_bytes(&self) -> usize {
        // The line holds the texts, and sinks count the line.
        0
    }
}

/// Refines the rows of one batch. Every other record is rejected as `not_a_row`.
pub(crate) struct RefineVisitor<'a, 'b> {
    work: RecordWork<'a, 'b, RefineWork>,
    keys: &'a RowKeys,
}

impl<'a, 'b> RefineVisitor<'a, 'b> {
    pub(crate) fn new(
        context: PageContext<'a>,
        keys: &'a RowKeys,
        tools: &'a mut RefineWork,
        rows: &'a mut dyn RowSink,
        batch_output: &'a mut BatchOutput,
        share: Option<&'a mut BudgetShare<'b>>,
    ) -> RefineVisitor<'a, 'b> {
        RefineVisitor { work: RecordWork::new(context, tools, rows, batch_output, share), keys }
    }
}

impl BatchVisitor for RefineVisitor<'_, '_> {
    fn folder_file(&mut self, file: &File, bytes: &[u8]) {
        self.work.process_record(&file.name, None, Position::default(), |_, _, _| {
            file_bytes(file, bytes)?;
            Err(Reason::NotARow.into())
        });
    }
}

impl Visitor for RefineVisitor<'_, '_> {
    fn record(&mut self, record: Record<'_>) {
        let header = WarcHeader::parse(record.header);
        let url = header.as_ref().and_then(WarcHeader::target_uri);
        let input = self.work.context.input;
        self.work.process_record(
            input,
            url,
            record.position,
            |_, _, _| Err(Reason::NotARow.into()),
        );
        if let Some(repair) = record.repair {
            self.work.count_repair(repair);
        }
    }

    fn line(&mut self, line: &[u8], position: Position) {
        let (settings, keys) = (self.work.context.settings, self.keys);
        let row_place = RowPlace { input: self.work.context.input, position };
        self.work.process_line(line, position, |tools, sinks, budget| {
            budget.reserve_page(line);
            refined_row(settings, keys, tools, (line, row_place), sinks)
        });
    }

    fn file(&mut self, file: ArchivedFile<'_>) {
        let path = format!("{}/{}", self.work.context.input, file.name);
        self.work.process_record(&path, None, file.record.position, |_, _, _| {
            Err(with_name(Reason::NotARow.into(), file.name))
        });
    }

    fn fault(&mut self, fault: &Fault) {
        self.work.fault(fault);
    }

    fn wait_for(&mut self, bytes: usize) {
        self.work.wait_for(bytes);
    }

    fn is_full(&self) -> bool {
        self.work.is_full()
    }
}
