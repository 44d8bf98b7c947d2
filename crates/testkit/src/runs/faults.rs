//! The faults found after a step.

/// The faults found, one sentence each.
pub(super) type Faults = Vec<String>;
