//! The stages of a run.

use huller_refine::Stage;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The stages that rows pass, in their order. Clones share them, with what they have read.
#[derive(Clone, Default)]
pub struct Stages {
    stages: Arc<[Box<dyn Stage>]>,
    /// The settings of each, by its name.
    settings: Arc<BTreeMap<&'static str, Map<String, Value>>>,
}

impl Stages {
    /// These stages, made of these settings.
    pub(crate) fn new(
        stages: Vec<Box<dyn Stage>>,
        settings: BTreeMap<&'static str, Map<String, Value>>,
    ) -> Stages {
        Stages { stages: stages.into(), settings: Arc::new(settings) }
    }

    /// All settings of the stage of that name, defaults too; empty if it is not among them.
    pub fn settings_of(&self, name: &str) -> Map<String, Value> {
        self.settings.get(name).cloned().unwrap_or_default()
    }

    /// One after another.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Stage> {
        self.stages.iter().map(|stage| &**stage)
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
