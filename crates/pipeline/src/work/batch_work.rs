//! The work on one batch: unpack it, make rows of its pages, and encode the rows as one piece of
//! the output.

use crate::budget::{Budget, Share};
use crate::probe::NoProbe;
use crate::settings::{RowKeys, Settings};
use crate::work::context::Context;
use crate::work::page_row::PageContext;
use crate::work::page_work::{PageTools, PageVisitor};
use crate::work::parted_rows::PartedRows;
use crate::work::record_work::{BatchVisitor, RecordTools};
use crate::work::refine_work::RefineVisitor;
use crate::work::refined_row::RefineWork;
use crate::work_item::{Content, File, WorkItem};
use huller_archive::{Batch, Unpacked, Unpacker};
use huller_row::RowSink;

/// The buffers and tools with which one thread turns batches into rows.
pub(crate) struct BatchTools {
    unpacker: Unpacker,
    mode: Mode,
}

/// Source of the rows.
enum Mode {
    /// Rows are extracted from pages.
    Extract(Box<PageTools>),
    /// Rows exist and pass the stages.
    Refine(RowKeys, Box<RefineWork>),
}

impl BatchTools {
    pub(crate) fn new(settings: &Settings) -> BatchTools {
        let mode = match &settings.refines {
            None => Mode::Extract(Box::new(PageTools::new(settings))),
            Some(keys) => Mode::Refine(keys.clone(), Box::new(RefineWork::new(settings))),
        };
        BatchTools { unpacker: Unpacker::new(&settings.limits), mode }
    }

    /// Passes the rows of the work item's batch to `rows`. Rejects and counts go into the work
    /// item's product.
    ///
    /// Returns the share of the budget that giants hold, because their buffers are still allocated.
    pub(crate) fn unpack<'b>(
        &mut self,
        pages: PageContext<'_>,
        item: &mut WorkItem,
        rows: &mut dyn RowSink,
        budget: Option<&'b Budget>,
    ) -> Option<Share<'b>> {
        debug_assert!(matches!(item.content, Content::Records));
        let mut share = budget.map(|budget| Share::new(budget, item.sequence));
        let WorkItem { batch, files, product, .. } = item;
        let BatchTools { unpacker, mode } = self;
        let outcome = match mode {
            Mode::Extract(tools) => {
                let share = share.as_mut();
                let mut visitor = PageVisitor::new(pages, tools, rows, product, share, NoProbe);
                show(unpacker, batch, files, &mut visitor)
            }
            Mode::Refine(keys, tools) => {
                let share = share.as_mut();
                let mut visitor = RefineVisitor::new(pages, keys, tools, rows, product, share);
                show(unpacker, batch, files, &mut visitor)
            }
        };
        if let Unpacked::StoppedAt(offset) = outcome {
            product.stopped_at = Some(offset);
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
) -> Unpacked {
    for file in files {
        visitor.folder_file(file, &batch.bytes);
    }
    unpacker.unpack(batch, visitor)
}

/// The buffers and tools with which one thread turns batches into pieces of an output.
pub(crate) struct Tools<'a> {
    batch: BatchTools,
    rows: PartedRows<'a>,
}

impl<'a> Tools<'a> {
    pub(crate) fn new(context: &Context<'a>) -> Tools<'a> {
        Tools { batch: BatchTools::new(context.settings), rows: PartedRows::new(context) }
    }

    /// Fills the work item's product from its batch, up to the first damage.
    pub(crate) fn process(&mut self, context: &Context<'_>, item: &mut WorkItem) {
        let pages = context.pages(&context.plan.jobs[item.job]);
        self.rows.begin(&mut item.product);
        let share = self.batch.unpack(pages, item, &mut self.rows, Some(context.budget));
        item.product.signed.end_part(self.rows.mark());
        self.rows.finish(&mut item.product);
        if share.as_ref().is_some_and(|share| !share.is_empty()) {
            // The buffers of a giant must be freed when its share is returned.
            self.batch = BatchTools::new(context.settings);
            self.rows.renew();
        }
    }
}
