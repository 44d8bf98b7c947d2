//! How a run tells its caller how far it is.

use crate::account::Account;

/// How far a run has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Bytes of input done, as stored on disk.
    pub bytes: u64,
    /// Rows written.
    pub pages: u64,
    /// Inputs finished.
    pub inputs: u64,
}

/// Is called by a run as it proceeds, in the thread that started the run.
pub trait Monitor {
    /// The run begins. `bytes` is the size of all inputs still to be read, where that is known.
    fn started(&mut self, inputs: u64, bytes: Option<u64>);
    /// A phase of a command that has several begins, with so many rows if that is known.
    fn phase(&mut self, _: &'static str, _: Option<u64>) {}
    /// Something was written.
    fn progress(&mut self, progress: Progress);
    /// An input is done.
    fn finished(&mut self, input: &str, account: &Account);
    /// An input could not be used, or not to its end.
    fn unusable(&mut self, input: &str, error: &str);
    /// The run is not quite as it was asked for, or the machine lacks something that runs rely on.
    fn note(&mut self, _: &str) {}
}

/// Ignores all calls.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Monitor for Silent {
    fn started(&mut self, _: u64, _: Option<u64>) {}
    fn progress(&mut self, _: Progress) {}
    fn finished(&mut self, _: &str, _: &Account) {}
    fn unusable(&mut self, _: &str, _: &str) {}
}
