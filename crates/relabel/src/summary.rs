//! The result of relabelling.

/// The counts of a relabelling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Pages with labels.
    pub labelled: u64,
    /// Escalated pages of the run.
    pub escalated: u64,
    /// Labelled pages that the run did not escalate.
    pub unknown: u64,
    /// Escalated pages whose labels name a block that the page does not have. Their rows stay.
    pub wrong: u64,
    /// Rows with a new text.
    pub changed: u64,
    /// Rows whose text was the same as before.
    pub same: u64,
}
