//! The open elements of a walk whose ends matter.

use super::hidden_copies::HiddenCopies;
use super::render_kind::RenderKind;
use super::spans::Spans;
use huller_page::Attributes;

/// Scratch buffers of walks, reused from page to page.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) closing: Vec<Closing>,
    /// The formula that was found last.
    pub(super) tex: String,
    pub(super) attributes: Attributes,
    /// The texts of shown blocks.
    pub(super) hidden_copies: HiddenCopies,
    /// The columns of the table of data.
    pub(super) spans: Spans,
}

impl Scratch {
    /// Forgets the texts of the last page.
    pub(super) fn begin_page(&mut self) {
        self.hidden_copies.clear();
    }
}

/// An open element whose end matters.
#[derive(Debug)]
pub(super) struct Closing {
    /// Index of the element.
    pub(super) node: u32,
    /// Index after its last node.
    pub(super) node_end: u32,
    /// Index after its last run.
    pub(super) run_end: u32,
    /// The kind of the element; `None` if only white space at its end matters.
    pub(super) kind: Option<RenderKind>,
}

impl Closing {
    /// Returns whether it ends before this node and this run.
    #[inline]
    pub(super) fn has_ended(&self, index: u32, run: u32) -> bool {
        self.node_end <= index && self.run_end <= run
    }
}
