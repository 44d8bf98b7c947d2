//! What a run did: its inputs, and how it ended.

use crate::account::Account;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a run did.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The finished inputs in the order of the plan, those of the run that was resumed included.
    pub inputs: Vec<InputSummary>,
    /// Their accounts added up.
    pub total: Account,
    /// Inputs that could not be used, or not to their ends.
    pub unusable: Vec<UnusableInput>,
    /// What the folders given hold besides inputs.
    pub passed_over: PassedOver,
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

impl InputSummary {
    /// The input as statistics have it.
    pub fn row(&self) -> impl Serialize + '_ {
        #[derive(Serialize)]
        struct Row<'a> {
            input: &'a str,
            bytes: u64,
            #[serde(flatten)]
            account: &'a Account,
        }
        Row { input: &self.name, bytes: self.bytes, account: &self.account }
    }
}

/// An input that could not be used, or not to its end.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnusableInput {
    /// Its name.
    pub input: String,
    /// Why.
    pub error: String,
}

/// What lies in the folders of a run's inputs and is not read. The first share tells it for all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassedOver {
    /// Folders with the output of a run.
    #[serde(default)]
    pub outputs: Vec<String>,
    /// How many files there are of each kind that is no input, by the ends of their names.
    #[serde(default)]
    pub files: BTreeMap<String, u64>,
}

impl PassedOver {
    /// Whether everything was an input.
    pub fn is_empty(&self) -> bool {
        self.outputs.is_empty() && self.files.is_empty()
    }

    /// All such files.
    pub fn count(&self) -> u64 {
        self.files.values().sum()
    }
}

impl std::ops::AddAssign<PassedOver> for PassedOver {
    fn add_assign(&mut self, other: PassedOver) {
        self.outputs.extend(other.outputs);
        for (kind, count) in other.files {
            *self.files.entry(kind).or_default() += count;
        }
    }
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
