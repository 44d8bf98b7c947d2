//! The places of runs in a text.

/// The place of a run's text in a text that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunPlace {
    /// Index of the run.
    pub run: u32,
    /// Offset in bytes of its first scalar in that text.
    pub start: usize,
    /// Offset in bytes after its last scalar in that text.
    pub end: usize,
}
