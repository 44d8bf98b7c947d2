//! Where runs stand in a text.

/// Where the text of a run stands in a text that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Index of the run.
    pub run: u32,
    /// Bytes before its first scalar in that text.
    pub start: usize,
    /// Bytes up to the end of its last scalar in that text.
    pub end: usize,
}
