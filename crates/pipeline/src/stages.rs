//! The stages of a run.

use huller_refine::Stage;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// The stages that rows pass, in their order. Clones share them, together with the files that they
/// have read.
#[derive(Clone, Default)]
pub struct Stages {
    stages: Arc<[Arc<dyn Stage>]>,
    /// The settings of each stage, by its name.
    settings: Arc<BTreeMap<&'static str, Map<String, Value>>>,
}

impl Stages {
    /// Makes a list of these stages, which were made of these settings.
    pub(crate) fn new(
        stages: Vec<Box<dyn Stage>>,
        settings: BTreeMap<&'static str, Map<String, Value>>,
    ) -> Stages {
        let stages = stages.into_iter().map(Arc::from).collect();
        Stages { stages, settings: Arc::new(settings) }
    }

    /// Returns the stages at these places. The part ends where the list ends.
    ///
    /// ```
    /// use huller_pipeline::Config;
    ///
    /// let names = ["language", "length", "mask"].map(str::to_owned).to_vec();
    /// let config = Config { stages: Some(names), ..Config::default() };
    /// let stages = config.settings()?.stages;
    /// assert_eq!(stages.slice(1..2).names(), ["length"]);
    /// assert_eq!(stages.slice(1..9).names(), ["length", "mask"]);
    /// # Ok::<(), huller_pipeline::ConfigError>(())
    /// ```
    #[must_use]
    pub fn slice(&self, places: Range<usize>) -> Stages {
        let end = places.end.min(self.stages.len());
        let stages = self.stages[places.start.min(end)..end].to_vec();
        Stages { stages: stages.into(), settings: Arc::clone(&self.settings) }
    }

    /// Returns all settings of a stage, defaults included. Empty if the stage is not in the list.
    pub fn settings_of(&self, name: &str) -> Map<String, Value> {
        self.settings.get(name).cloned().unwrap_or_default()
    }

    /// Returns the stages in order.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Stage> {
        self.stages.iter().map(|stage| &**stage)
    }

    /// Returns the names of the stages in order.
    pub fn names(&self) -> Vec<&'static str> {
        self.iter().map(Stage::name).collect()
    }

    /// Returns the fingerprint of each stage, as an object with the stage's name.
    pub(crate) fn fingerprints(&self) -> Vec<Value> {
        self.iter().map(|stage| json!({ stage.name(): stage.fingerprint() })).collect()
    }
}

impl fmt::Debug for Stages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.fingerprints()).finish()
    }
}
