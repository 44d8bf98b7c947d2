//! The stages of a run.

use huller_refine::Stage;
use serde_json::{Value, json};
use std::fmt;
use std::sync::Arc;

/// The stages that rows pass, in their order. Clones share them, with what they have read.
#[derive(Clone, Default)]
pub struct Stages(Arc<[Box<dyn Stage>]>);

impl Stages {
    /// These stages.
    pub fn new(stages: Vec<Box<dyn Stage>>) -> Stages {
        Stages(stages.into())
    }

    /// One after another.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Stage> {
        self.0.iter().map(|stage| &**stage)
    }

    /// Their names.
    pub fn names(&self) -> Vec<&'static str> {
        self.iter().map(Stage::name).collect()
    }

    /// What each decides by: an object with its name and its fingerprint.
    pub(crate) fn fingerprints(&self) -> Vec<Value> {
        self.iter().map(|stage| json!({ stage.name(): stage.fingerprint() })).collect()
    }
}

impl fmt::Debug for Stages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.fingerprints()).finish()
    }
}
