//! A range of the records of a plan.

use super::file::PlannedFile;
use std::ops::Range;
use std::sync::Arc;

/// Records of a plan that a worker is to decode.
#[derive(Clone, Debug)]
pub struct PlannedRecords {
    pub(crate) file: Arc<PlannedFile>,
    /// Which records of the plan.
    pub(crate) records: Range<usize>,
    /// Where the bytes of each lie in the batch.
    pub(crate) bytes: Vec<Range<usize>>,
}
