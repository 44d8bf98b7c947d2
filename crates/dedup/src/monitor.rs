//! How a run tells its caller how far it is.

use crate::settings::Step;

/// What a run is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Signs rows that have no signatures. Counted in rows.
    Sign,
    /// Finds duplicates.
    Decide(Step),
    /// Reads the texts of rows that share bands, to compare them. Counted in rows.
    Verify,
    /// Counts the lines of hosts. Counted in rows.
    Lines,
    /// Looks for paragraphs that stood before. Counted in rows.
    Paragraphs,
    /// Writes the output. Counted in rows.
    Write,
}

impl Phase {
    /// What it does, for a progress line.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Sign => "signing",
            Phase::Decide(Step::Url) => "comparing addresses",
            Phase::Decide(Step::Text) => "comparing texts",
            Phase::Decide(_) => "comparing bands",
            Phase::Verify => "reading texts to verify",
            Phase::Lines => "counting lines",
            Phase::Paragraphs => "comparing paragraphs",
            Phase::Write => "writing",
        }
    }
}

/// Is called by a run as it proceeds, in one thread at a time.
pub trait Monitor: Send {
    /// A phase begins, with so many rows if that is known.
    fn phase(&mut self, phase: Phase, rows: Option<u64>);
    /// So many rows of the phase are done.
    fn progress(&mut self, rows: u64);
    /// An input could not be used, or not to its end.
    fn unusable(&mut self, input: &str, error: &str);
}

/// Ignores all calls.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Monitor for Silent {
    fn phase(&mut self, _: Phase, _: Option<u64>) {}
    fn progress(&mut self, _: u64) {}
    fn unusable(&mut self, _: &str, _: &str) {}
}
