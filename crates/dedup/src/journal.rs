//! Notes in `dedup.journal` the inputs that a run has signed, and its decisions. The journal of all
//! runs has the outputs.

use huller_run::counters::Counters;
use huller_run::run_files::journal::CheckedEntry;
use serde::{Deserialize, Serialize};

/// A finished step. It holds nothing that depends on time, machine or number of threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// The milestone of the step.
    #[serde(flatten)]
    pub(crate) done: Milestone,
    /// Hash of the configuration of the run that did it.
    pub(crate) config: String,
}

impl Entry {
    /// Returns the input that was signed, if the step is a signing.
    pub(crate) fn signed(&self) -> Option<&SignedInput> {
        match &self.done {
            Milestone::Signed(signed) => Some(signed),
            Milestone::Decided(_) => None,
        }
    }
}

/// A finished part of the work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Milestone {
    /// All rows of an input are signed.
    Signed(Box<SignedInput>),
    /// The decisions which rows are kept, by their digest.
    Decided(String),
}

/// An input of which all rows are signed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SignedInput {
    /// Its name.
    pub(crate) input: String,
    /// Number of its bytes that were read, and their digest.
    pub(crate) read: u64,
    pub(crate) digest: String,
    /// Counts of lines that gave no row.
    pub(crate) faults: Counters,
}

impl CheckedEntry for Entry {
    fn is_sound(&self) -> bool {
        match &self.done {
            Milestone::Signed(signed) => signed.faults.is_balanced(),
            Milestone::Decided(_) => true,
        }
    }
}
