//! What is wrong after a step.

/// What is wrong, a sentence each.
pub(super) type Faults = Vec<String>;
