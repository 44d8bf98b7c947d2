//! What a run did: its inputs, and how it ended.

use crate::account::Account;
use serde::{Deserialize, Serialize};

/// What a run did.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The finished inputs in the order of the plan, those of the run that was resumed included.
    pub inputs: Vec<InputSummary>,
    /// Their accounts added up.
    pub total: Account,
    /// Inputs that could not be used, or not to their ends.
    pub unusable: Vec<UnusableInput>,
    /// Inputs that an earlier run had finished.
    pub resumed: usize,
    /// How it ended.
    pub ending: Ending,
}

/// One finished input.
#[derive(Clone, Debug)]
pub struct InputSummary {
    /// Its name.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// What became of its records.
    pub account: Account,
}

/// An input that could not be used, or not to its end.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnusableInput {
    /// Its name.
    pub input: String,
    /// Why.
    pub error: String,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// All inputs were read.
    #[default]
    Complete,
    /// It was told to stop, and can be resumed if it wrote to a folder.
    Interrupted,
}

impl Summary {
    /// Bytes of all finished inputs.
    pub fn bytes(&self) -> u64 {
        self.inputs.iter().map(|input| input.bytes).sum()
    }
}
