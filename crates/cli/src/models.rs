//! Models of the user's in place of those that ship.

use crate::train_nb::read_model;
use anyhow::{Context, Result};
use huller_extract::hull::Hull;
use huller_extract::hull::model::Model;
use huller_extract::nb::NaiveBayes;
use huller_extract::nb::model::Definition;
use huller_extract::{Extractor, Profile};
use huller_pipeline::Trained;
use std::path::Path;
use std::sync::Arc;

/// Whether a method has a model at all.
pub(crate) fn takes_model(method: &str) -> bool {
    method == "hull" || Definition::of(method, Profile::Tuned).is_some()
}

/// Reads a model for those of the methods that can take it.
pub(crate) fn read(
    path: &Path,
    methods: &[&'static str],
    profile: Profile,
) -> Result<Vec<Trained>> {
    let what = || format!("cannot use '{}'", path.display());
    let bytes = std::fs::read(path).with_context(|| format!("cannot read '{}'", path.display()))?;
    let trained = |method, extractor: Arc<dyn Extractor>| Trained::new(method, extractor, &bytes);
    let mut all = Vec::new();
    for method in methods {
        if *method == "hull" {
            let model = Model::from_bytes(&bytes).with_context(what)?;
            all.push(trained(method, Arc::new(Hull::new(&model).with_context(what)?)));
        } else if let Some(definition) = Definition::of(method, profile) {
            let model = read_model(path)?;
            let method_with = NaiveBayes::with_model(definition, &model).with_context(what)?;
            all.push(trained(method, Arc::new(method_with)));
        }
    }
    Ok(all)
}
