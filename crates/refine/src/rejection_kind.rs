//! Whether a record was skipped or failed.

/// Whether a record without a row was skipped on purpose or could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RejectionKind {
    /// Not meant to give a row, or over a limit.
    Skipped,
    /// Damaged, or not readable for another reason.
    Failed,
}
