//! How a run reports its progress to its caller.

use crate::counters::Counters;

/// Amounts of work that a run has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Bytes of input done, as stored on disk.
    pub bytes: u64,
    /// Rows written.
    pub rows: u64,
    /// Inputs finished.
    pub inputs: u64,
}

/// Receives calls from a run, in the thread that started the run.
pub trait Monitor {
    /// Called when the run begins. `bytes` is the size of all inputs still to be read, if it is
    /// known.
    fn started(&mut self, inputs: u64, bytes: Option<u64>);
    /// Called when a phase begins, with its number of rows if that is known.
    fn phase(&mut self, _: &'static str, _: Option<u64>) {}
    /// Called after a write.
    fn progress(&mut self, progress: Progress);
    /// Called when an input is done.
    fn finished(&mut self, input: &str, counters: &Counters);
    /// Called when an input could not be used, or not to its end.
    fn unusable(&mut self, input: &str, error: &str);
    /// Called with a note for the user: the run deviates from its options, or the machine lacks a
    /// feature that runs rely on.
    fn note(&mut self, _: &str) {}
}

/// Ignores all calls.
#[derive(Clone, Copy, Debug, Default)]
pub struct SilentMonitor;

impl Monitor for SilentMonitor {
    fn started(&mut self, _: u64, _: Option<u64>) {}
    fn progress(&mut self, _: Progress) {}
    fn finished(&mut self, _: &str, _: &Counters) {}
    fn unusable(&mut self, _: &str, _: &str) {}
}
