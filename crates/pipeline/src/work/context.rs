//! Settings, plan and budget that all threads of a run share.

use crate::budget::Budget;
use crate::settings::{Settings, output_suffix};
use crate::work::page_context::PageContext;
use huller_refine::signature::signature_file::Header;
use huller_row::{BatchEncoder, Format, Layout, join_encoders};
use huller_run::clocks::Clocks;
use huller_run::plan::{Job, Plan};
use huller_run::run_files::output_names::OutputNames;

/// The data that all threads of a run read.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) settings: &'a Settings,
    /// The format of the outputs.
    pub(crate) format: &'static dyn Format,
    /// The names of the outputs.
    pub(crate) names: &'a OutputNames,
    /// The layout that all rows share.
    pub(crate) layout: &'a Layout,
    /// Whether an input without a page is unusable, even if other inputs have pages.
    pub(crate) no_empty_inputs: bool,
    /// Whether the run writes a rejects file.
    pub(crate) writes_rejects: bool,
    /// Most dropped rows that the run keeps for each reason, if it keeps any.
    pub(crate) max_dropped_rows: Option<u64>,
    /// The header that all signatures share, if the run writes them to files.
    pub(crate) signatures: Option<Header>,
    /// Memory budget of the work items between reader and writer.
    pub(crate) budget: &'a Budget,
    /// CPU time of the threads.
    pub(crate) clocks: &'a Clocks,
}

impl<'a> Context<'a> {
    /// Returns the context that the pages of one job share.
    pub(crate) fn pages(&self, job: &'a Job) -> PageContext<'a> {
        let Context { settings, writes_rejects, max_dropped_rows, signatures, .. } = *self;
        let slowest = Some(&self.clocks.slowest);
        PageContext {
            settings,
            input: &job.name,
            writes_rejects,
            max_dropped_rows,
            signatures,
            slowest,
        }
    }

    /// Makes an encoder of rows, and of the rows of side tables.
    pub(crate) fn encoder(&self) -> Box<dyn BatchEncoder> {
        let rows = self.format.encoder(self.layout);
        if !self.settings.has_side_tables() {
            return rows;
        }
        let tables = self.settings.side_tables.values();
        let encoders = tables
            .map(|table| (table.encoder(&self.layout.configuration), table.form().compression));
        join_encoders(rows, encoders)
    }

    /// Returns whether an output can be continued after any batch.
    pub(crate) fn can_continue(&self) -> bool {
        self.format.can_continue() && !self.settings.has_side_tables()
    }

    /// Returns the ending of the names of first output files.
    pub(crate) fn output_suffix(&self) -> String {
        output_suffix(self.format, self.settings)
    }
}
