//! The work on one batch: unpack it, make rows of its pages, and encode the rows as one piece of
//! the output.

use crate::budget::{Budget, BudgetShare};
use crate::probe::NoProbe;
use crate::settings::{RowKeys, Settings};
use crate::work::context::Context;
use crate::work::page_context::PageContext;
use crate::work::page_visitor::{PageTools, PageVisitor};
use crate::work::parted_rows::PartedRows;
use crate::work::record_work::{BatchVisitor, RecordTools};
use crate::work::refine_visitor::RefineVisitor;
use crate::work::refined_row::RefineWork;
use crate::work_item::{File, ItemContent, WorkItem};
use huller_archive::{Batch, UnpackResult, Unpacker};
use huller_row::RowSink;

/// The buffers and tools with which one thread turns batches into rows.
pub(crate) struct BatchTools {
    unpacker: Unpacker,
    mode: RowOrigin,
}

/// Source of the rows.
enum RowOrigin {
    /// Rows are extracted from pages.
    Extract(Box<PageTools>),
    /// Rows exist and pass the stages.
    Refine(RowKeys, Box<RefineWork>),
}

impl BatchTools {
    pub(crate) fn new(settings: &Settings) -> BatchTools {
        let mode = match &settings.refines {
            None => RowOrigin::Extract(Box::new(PageTools::new(settings))),
            Some(keys) => RowOrigin::Refine(keys.clone(), Box::new(RefineWork::new(settings))),
        };
        BatchTools { unpacker: Unpacker::new(&settings.limits), mode }
    }

    /// Passes the rows of the work item's batch to `rows`. Rejects and counts go into the work
    /// item's output.
    ///
    /// Returns the share of the budget that large pages hold. Their buffers are still allocated.
    pub(crate) fn unpack<'b>(
        &mut self,
        pages: PageContext<'_>,
        item: &mut WorkItem,
        rows: &mut dyn RowSink,
        budget: Option<&'b Budget>,
    ) -> Option<BudgetShare<'b>> {
        debug_assert!(matches!(item.content, ItemContent::Records));
        let mut share = budget.map(|budget| BudgetShare::new(budget, item.sequence));
        let WorkItem { batch, files, batch_output, .. } = item;
        let BatchTools { unpacker, mode } = self;
        let outcome = match mode {
            RowOrigin::Extract(tools) => {
                let share = share.as_mut();
                let mut visitor =
                    PageVisitor::new(pages, tools, rows, batch_output, share, NoProbe);
                show(unpacker, batch, files, &mut visitor)
            }
            RowOrigin::Refine(keys, tools) => {
                let share = share.as_mut();
                let mut visitor = RefineVisitor::new(pages, keys, tools, rows, batch_output, share);
                show(unpacker, batch, files, &mut visitor)
            }
        };
        if let UnpackResult::StoppedAt(offset) = outcome {
            batch_output.stopped_at = Some(offset);
        }
        share
    }
}

/// Shows the files and records of a batch to a visitor.
fn show(
    unpacker: &mut Unpacker,
    batch: &mut Batch,
    files: &[File],
    visitor: &mut impl BatchVisitor,
) -> UnpackResult {
    for file in files {
        visitor.folder_file(file, &batch.bytes);
    }
    unpacker.unpack(batch, visitor)
}

/// The buffers and tools with which one thread turns batches into pieces of an output.
pub(crate) struct ThreadTools<'a> {
    batch: BatchTools,
    rows: PartedRows<'a>,
}

impl<'a> ThreadTools<'a> {
    pub(crate) fn new(context: &Context<'a>) -> ThreadTools<'a> {
        ThreadTools { batch: BatchTools::new(context.settings), rows: PartedRows::new(context) }
    }

    /// Fills the work item's output from its batch, up to the first damage.
    pub(crate) fn process(&mut self, context: &Context<'_>, item: &mut WorkItem) {
        let pages = context.pages(&context.plan.jobs[item.job]);
        self.rows.begin(&mut item.batch_output);
        let share = self.batch.unpack(pages, item, &mut self.rows, Some(context.budget));
        item.batch_output.signed.end_part(self.rows.mark());
        self.rows.finish(&mut item.batch_output);
        if share.as_ref().is_some_and(|share| !share.is_empty()) {
            // The buffers of a large page must be freed when its share is returned.
            self.batch = BatchTools::new(context.settings);
            self.rows.renew();
        }
    }
}
