//! What a run has signed and decided, in `dedup.journal`. What it has written stands in the journal
//! that all runs have.

use huller_run::account::Account;
use huller_run::run_files::journal::Sound;
use serde::{Deserialize, Serialize};

/// Something that is done. It holds nothing that depends on time, machine or number of threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// The milestone that it has reached.
    #[serde(flatten)]
    pub(crate) done: Milestone,
    /// Hash of the configuration of the run that did it.
    pub(crate) config: String,
}

impl Entry {
    /// The input that was signed, if one was.
    pub(crate) fn signed(&self) -> Option<&SignedInput> {
        match &self.done {
            Milestone::Signed(signed) => Some(signed),
            Milestone::Decided(_) => None,
        }
    }
}

/// What is done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Milestone {
    /// All rows of an input are signed.
    Signed(Box<SignedInput>),
    /// It is decided which rows are kept: the digest of the decisions.
    Decided(String),
}

/// An input of which all rows are signed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SignedInput {
    /// Its name.
    pub(crate) input: String,
    /// How many bytes of it were read, and their digest.
    pub(crate) read: u64,
    pub(crate) digest: String,
    /// What gave no row.
    pub(crate) faults: Account,
}

impl Sound for Entry {
    fn is_sound(&self) -> bool {
        match &self.done {
            Milestone::Signed(signed) => signed.faults.is_balanced(),
            Milestone::Decided(_) => true,
        }
    }
}
