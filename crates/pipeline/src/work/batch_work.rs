//! What a worker does with a batch: unpack it, make rows of its pages, and encode the rows as one piece of the output.

use crate::budget::{Budget, Share};
use crate::parcel::{Content, Parcel};
use crate::settings::Settings;
use crate::work::context::Context;
use crate::work::page_row::PageContext;
use crate::work::page_work::{PageVisitor, Workspace};
use crate::work::parted_rows::PartedRows;
use huller_archive::{Unpacked, Unpacker};
use huller_row::RowSink;

/// What one thread needs to turn batches into rows.
pub(crate) struct BatchTools {
    unpacker: Unpacker,
    workspace: Workspace,
}

impl BatchTools {
    pub(crate) fn new(settings: &Settings) -> BatchTools {
        BatchTools {
            unpacker: Unpacker::new(&settings.limits),
            workspace: Workspace::new(settings),
        }
    }

    /// Passes the rows of the parcel's batch to `rows`. Rejects and counts go into the parcel's product.
    ///
    /// Giants hold a share of the budget, which is returned: the memory that they took is still there.
    pub(crate) fn unpack<'b>(
        &mut self,
        pages: PageContext<'_>,
        parcel: &mut Parcel,
        rows: &mut dyn RowSink,
        budget: Option<&'b Budget>,
    ) -> Option<Share<'b>> {
        debug_assert!(matches!(parcel.content, Content::Records));
        let mut share = budget.map(|budget| Share::new(budget, parcel.sequence));
        let Parcel { batch, files, product, .. } = parcel;
        let mut visitor =
            PageVisitor::new(pages, &mut self.workspace, rows, product, share.as_mut());
        for file in files.iter() {
            visitor.file(file, &batch.bytes);
        }
        let unpacked = self.unpacker.unpack(batch, &mut visitor);
        if let Unpacked::StoppedAt(offset) = unpacked {
            product.stopped_at = Some(offset);
        }
        share
    }
}

/// What one thread needs to turn batches into pieces of an output.
pub(crate) struct Tools<'a> {
    batch: BatchTools,
    rows: PartedRows<'a>,
}

impl<'a> Tools<'a> {
    pub(crate) fn new(context: &Context<'a>) -> Tools<'a> {
        Tools { batch: BatchTools::new(context.settings), rows: PartedRows::new(context) }
    }

    /// Fills the parcel's product from its batch, up to the first damage.
    pub(crate) fn process(&mut self, context: &Context<'_>, parcel: &mut Parcel) {
        let pages = context.pages(&context.plan.jobs[parcel.job]);
        self.rows.begin(&mut parcel.product);
        let share = self.batch.unpack(pages, parcel, &mut self.rows, Some(context.budget));
        parcel.product.signed.end_part(self.rows.mark());
        self.rows.finish(&mut parcel.product);
        if share.as_ref().is_some_and(|share| !share.is_empty()) {
            // A giant must not keep its memory when its share is returned.
            self.batch = BatchTools::new(context.settings);
            self.rows.renew();
        }
    }
}
