//! What a thread does with a batch: unpack it, make rows of its pages, and a frame of these.

use crate::page_row::PageContext;
use crate::page_work::{PageVisitor, Workspace};
use crate::parcel::{Content, Parcel};
use crate::plan::{Job, Plan};
use crate::row::RowSink;
use crate::settings::Settings;
use huller_archive::{Encoder, Unpacked, Unpacker};
use huller_extract::Extractor;
use huller_page::memory::empty;

/// What all threads of a run look at.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) settings: &'a Settings,
    pub(crate) extractors: &'a [&'a dyn Extractor],
    pub(crate) rejects: bool,
}

impl<'a> Context<'a> {
    /// What the pages of one job have in common.
    pub(crate) fn pages(&self, job: &'a Job) -> PageContext<'a> {
        let Context { settings, extractors, rejects, .. } = *self;
        PageContext { settings, extractors, input: &job.name, rejects }
    }
}

/// Room for so many bytes of rows is kept from batch to batch.
const ROWS_KEPT: usize = 1 << 20;

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

    /// Hands out the rows of the parcel's batch; all else goes into its product.
    pub(crate) fn unpack(
        &mut self,
        pages: PageContext<'_>,
        parcel: &mut Parcel,
        rows: &mut dyn RowSink,
    ) {
        debug_assert!(matches!(parcel.content, Content::Records));
        let mut visitor = PageVisitor::new(pages, &mut self.workspace, rows, &mut parcel.product);
        for file in &parcel.files {
            visitor.file(file, &parcel.batch.bytes);
        }
        let unpacked = self.unpacker.unpack(&mut parcel.batch, &mut visitor);
        if let Unpacked::StoppedAt(offset) = unpacked {
            parcel.product.stopped_at = Some(offset);
        }
    }
}

/// What one thread needs to turn batches into frames.
pub(crate) struct Tools {
    batch: BatchTools,
    encoder: Encoder,
    /// Rows of the batch at hand. Once compressed they go nowhere, so one buffer serves all parcels.
    rows: Vec<u8>,
}

impl Tools {
    pub(crate) fn new(settings: &Settings) -> Tools {
        Tools {
            batch: BatchTools::new(settings),
            encoder: Encoder::new(settings.compression),
            rows: Vec::new(),
        }
    }

    /// Fills the parcel's product from its batch.
    pub(crate) fn process(&mut self, context: &Context<'_>, parcel: &mut Parcel) {
        let pages = context.pages(&context.plan.jobs[parcel.job]);
        self.batch.unpack(pages, parcel, &mut self.rows);
        if context.settings.limit.is_some() {
            std::mem::swap(&mut self.rows, &mut parcel.product.rows);
        } else {
            self.encoder.frame(&self.rows, &mut parcel.product.frame);
        }
        empty(&mut self.rows, ROWS_KEPT);
    }
}
